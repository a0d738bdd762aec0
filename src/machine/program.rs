//! A code object's machine code: functions of instructions and blocks.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::blocks::{self, Block, Exit};
use super::calls;
use super::instruction::Instruction;
use super::markers::{self, MarkerInstruction};
use super::masks;
use super::operand::Operand;
use super::register::{Register, Registers};
use super::text::{self, Listing};
use crate::code_object::{CodeObject, Malformed, SymbolKind};

/// The machine code of a code object.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its functions, by address.
    pub functions: Vec<Function>,
}

/// A kernel or a device function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its symbol, mangled; made of the address when no symbol is left.
    pub name: String,
    /// Address of its first instruction when the code object is loaded at 0.
    pub address: u64,
    /// How it is known that something begins here.
    pub entry: Entry,
    /// Lanes of a wave, 32 or 64.
    pub wave_size: u32,
    /// By address, without the padding behind it.
    pub instructions: Vec<Instruction>,
    /// By address; the first is the entry.
    pub blocks: Vec<Block>,
}

/// How it is known that a function begins at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entry {
    /// Nothing says so: it is code that no branch of the function in front of it leads to.
    Leftover,
    /// Code takes its address.
    Referenced,
    /// A symbol.
    Function,
    /// A kernel descriptor.
    Kernel,
}

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// An object file: addresses and calls are final only once it was linked.
    #[error("the code object is not linked\ngive the linked one")]
    Relocatable,
    /// The symbols cannot be read.
    #[error("{0}\ngive a code object as the compiler wrote it")]
    Malformed(#[from] Malformed),
}

impl Program {
    /// Reads `text`, the disassembly of `code_object` by [`Objdump`](crate::toolchain::Objdump).
    ///
    /// Errors: an unlinked code object; a symbol table that cannot be read. Text that is no disassembly has no functions.
    pub fn parse(text: &str, code_object: &CodeObject<'_>) -> Result<Program, ProgramError> {
        if code_object.is_relocatable() {
            return Err(ProgramError::Relocatable);
        }
        let listing = text::read(text);
        let kernels: BTreeMap<String, Option<u32>> = code_object
            .kernel_descriptors()?
            .into_iter()
            .map(|kernel| (String::from_utf8_lossy(kernel.kernel).into_owned(), kernel.wave_size))
            .collect();
        let mut starts = Starts::default();
        for (address, name) in &listing.labels {
            // A label such as `<.text>` is objdump's own, where there is no symbol.
            if !name.starts_with('.') {
                starts.add(*address, Entry::Function, name.clone(), None);
            }
        }
        for symbol in code_object.symbols()?.iter().filter(|symbol| symbol.kind == SymbolKind::Function) {
            starts.add(symbol.address, Entry::Function, String::from_utf8_lossy(symbol.name).into_owned(), None);
        }
        starts.mark_kernels(&kernels);
        for target in calls::references(&listing.instructions) {
            starts.add(target, Entry::Referenced, format!("function at {target:#x}"), None);
        }
        let rdna = !code_object.target().processor.starts_with("gfx9");
        Ok(starts.cut(listing, if rdna { 32 } else { 64 }))
    }

    /// The function that begins at `address`.
    pub fn function_at(&self, address: u64) -> Option<usize> {
        self.functions.binary_search_by_key(&address, |function| function.address).ok()
    }
}

impl Function {
    /// Its marker instructions, by address, with what can be told from the instructions right in front of each.
    pub fn markers(&self) -> Vec<MarkerInstruction> {
        markers::of(self)
    }

    /// Whether it traces anything itself.
    pub fn has_markers(&self) -> bool {
        self.instructions.iter().any(markers::is_marker)
    }

    /// The block that holds instruction `index`.
    pub fn block_of(&self, index: usize) -> Option<usize> {
        let at = self.blocks.partition_point(|block| block.instructions.end <= index);
        self.blocks.get(at).filter(|block| block.instructions.contains(&index)).map(|_| at)
    }
}

#[derive(Debug)]
struct Start {
    entry: Entry,
    name: String,
    wave_size: Option<u32>,
}

/// Where functions begin.
#[derive(Debug, Default)]
struct Starts(BTreeMap<u64, Start>);

impl Starts {
    fn add(&mut self, address: u64, entry: Entry, name: String, wave_size: Option<u32>) {
        let start = self.0.entry(address).or_insert_with(|| Start { entry, name: name.clone(), wave_size });
        if start.entry < entry {
            *start = Start { entry, name, wave_size };
        }
    }

    fn mark_kernels(&mut self, kernels: &BTreeMap<String, Option<u32>>) {
        for start in self.0.values_mut() {
            if let Some(wave_size) = kernels.get(&start.name) {
                start.entry = Entry::Kernel;
                start.wave_size = *wave_size;
            }
        }
    }

    /// Cuts the instructions into functions. Code that nothing leads to becomes functions of its own.
    fn cut(self, listing: Listing, default_wave_size: u32) -> Program {
        let sizes: BTreeSet<u32> = self.0.values().filter_map(|start| start.wave_size).collect();
        let wave_size = match sizes.first() {
            Some(size) if sizes.len() == 1 => WaveSize::Known(*size),
            _ => WaveSize::Default(default_wave_size),
        };
        let mut functions = Vec::new();
        let mut rest = listing.instructions;
        let mut pieces = Vec::new();
        for (address, start) in self.0.into_iter().rev() {
            let at = rest.partition_point(|instruction| instruction.address < address);
            let piece = rest.split_off(at);
            // An address in the middle of an instruction, or outside all code, begins nothing.
            if piece.first().is_some_and(|first| first.address == address) {
                pieces.push((piece, start));
            } else {
                rest.extend(piece);
            }
        }
        if !rest.is_empty() {
            pieces.push((rest, leftover(0)));
        }
        for (piece, start) in pieces.into_iter().rev() {
            cut_piece(piece, start, wave_size, &mut functions);
        }
        Program { functions }
    }
}

fn leftover(address: u64) -> Start {
    Start { entry: Entry::Leftover, name: format!("code at {address:#x}"), wave_size: None }
}

/// Makes `piece` a function, and what cannot be reached from its start more of them.
fn cut_piece(mut piece: Vec<Instruction>, mut start: Start, wave_size: WaveSize, functions: &mut Vec<Function>) {
    loop {
        while start.entry == Entry::Leftover && piece.first().is_some_and(Instruction::is_padding) {
            let skipped = piece.iter().take_while(|instruction| instruction.is_padding()).count();
            piece.drain(..skipped);
        }
        let Some(address) = piece.first().map(|first| first.address) else { return };
        if start.entry == Entry::Leftover {
            start = leftover(address);
        }
        let mut blocks = blocks::build(&piece);
        let end = reached_end(&blocks);
        let tail = piece.split_off(end);
        if !tail.is_empty() {
            blocks = blocks::build(&piece);
        }
        let wave_size = start.wave_size.unwrap_or_else(|| wave_size.of(&piece));
        if wave_size == 64 {
            piece.iter_mut().for_each(masks::widen);
        }
        functions.push(Function {
            name: start.name,
            address,
            entry: start.entry,
            wave_size,
            instructions: piece,
            blocks,
        });
        piece = tail;
        start = leftover(0);
    }
}

/// The index behind the last instruction that can be reached from the first without a gap: from there on nothing is
/// reached, or only padding. Behind a trap and behind an indirect jump goes on what is reached from elsewhere.
fn reached_end(blocks: &[Block]) -> usize {
    let mut reached = BTreeSet::new();
    let mut pending = vec![0];
    while let Some(index) = pending.pop() {
        let Some(block) = blocks.get(index).filter(|_| reached.insert(index)) else { continue };
        pending.extend(block.edges.iter().map(|edge| edge.to));
        if block.exit == Some(Exit::Trap) {
            pending.push(index + 1);
        }
    }
    reached.last().and_then(|last| blocks.get(*last)).map_or(0, |block| block.instructions.end)
}

/// What is known of the wave size of a function that is no kernel.
#[derive(Clone, Copy)]
enum WaveSize {
    /// All kernels have this one.
    Known(u32),
    /// Kernels have both, or there are none; this is the GPU's usual one.
    Default(u32),
}

impl WaveSize {
    /// Told by the width of the EXEC that the code works on for the most part: code for 32 lanes reads all of EXEC too,
    /// where its source asks for 64 bits.
    fn of(self, instructions: &[Instruction]) -> u32 {
        let default = match self {
            WaveSize::Known(size) => return size,
            WaveSize::Default(size) => size,
        };
        let count = |registers| {
            let operands = instructions.iter().flat_map(|instruction| &instruction.operands);
            operands.filter_map(Operand::registers).filter(|operand| *operand == registers).count()
        };
        match count(Registers::EXEC).cmp(&count(Registers::one(Register::EXEC_LO))) {
            Ordering::Less => 32,
            Ordering::Equal => default,
            Ordering::Greater => 64,
        }
    }
}
