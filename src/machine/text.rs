//! The text of llvm-objdump (19 to 23) -> labels and instructions.
//!
//! ```text
//! 0000000000001600 <name>:
//! <tab>s_cbranch_execz 7            // 00000000177C: BF880007 <name+0x19c>
//! ```
//!
//! The text is the output of a program that was given a file of unknown origin: any text is read without a panic, in
//! time and memory linear in its length, and lines that are neither are passed over.

use super::instruction::Instruction;

/// What a disassembly says, in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct Listing {
    /// Address and name of each label.
    pub(super) labels: Vec<(u64, String)>,
    /// By address; of two at one address the first.
    pub(super) instructions: Vec<Instruction>,
}

pub(super) fn read(text: &str) -> Listing {
    let mut listing = Listing::default();
    for line in text.lines() {
        if let Some(label) = label(line) {
            listing.labels.push(label);
        } else if let Some(instruction) = instruction(line) {
            listing.instructions.push(instruction);
        }
    }
    listing.instructions.sort_by_key(|instruction| instruction.address);
    listing.instructions.dedup_by_key(|instruction| instruction.address);
    listing
}

/// `0000000000001600 <name>:`
fn label(line: &str) -> Option<(u64, String)> {
    let (address, name) = line.split_once(" <")?;
    let name = name.strip_suffix(">:")?;
    Some((hexadecimal(address)?, name.to_owned()))
}

/// `<tab>text // address: word word <target>`. Very long text has no blank in front of the `//`.
fn instruction(line: &str) -> Option<Instruction> {
    let (text, comment) = line.strip_prefix('\t')?.rsplit_once("// ")?;
    let (address, encoding) = comment.split_once(": ")?;
    // What a branch leads to can be as long as a word: `<k+0x20>`.
    let words = encoding.split(' ').take_while(|word| word.len() == 8).map_while(hexadecimal);
    let words: Vec<u64> = words.take(MOST_WORDS).collect();
    let first = u32::try_from(*words.first()?).ok()?;
    let size = u32::try_from(words.len()).ok()? * 4;
    let address = hexadecimal(address)?;
    address.checked_add(u64::from(size))?;
    let text = text.trim();
    (!text.is_empty()).then(|| Instruction::parse(text, address, size, first))
}

/// Words of the longest encoding, and some.
const MOST_WORDS: usize = 8;

fn hexadecimal(digits: &str) -> Option<u64> {
    let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|_| all_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_llvms_are_read() {
        let text = "x.co:\tfile format elf64-amdgpu\n\nDisassembly of section .text:\n\n\
            0000000000001600 <_Z3k16Pii>:\n\
            \ts_mov_b32 s8, 0x41c64e6d                                   // 000000001694: BE8800FF 41C64E6D\n\
            \ts_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)// 000000001BA4: BF870121\n\
            \ts_cbranch_scc1 54                                          // 00000000168C: BF850036 <_Z3k16Pii+0x168>\n\
            \ts_cbranch_scc1 1                                           // 000000001918: BFA20001 <k+0x20>\n";
        let listing = read(text);
        assert_eq!(listing.labels, [(0x1600, "_Z3k16Pii".to_owned())]);
        let shown: Vec<(u64, u32, &str)> = listing
            .instructions
            .iter()
            .map(|instruction| (instruction.address, instruction.size_bytes, &*instruction.mnemonic))
            .collect();
        assert_eq!(
            shown,
            [
                (0x168C, 4, "s_cbranch_scc1"),
                (0x1694, 8, "s_mov_b32"),
                (0x1918, 4, "s_cbranch_scc1"),
                (0x1BA4, 4, "s_delay_alu")
            ]
        );
    }

    #[test]
    fn other_lines_are_passed_over() {
        for line in ["\t...", "\tx", "\t// 00: 0", "\ts_nop // zz: BF800000", "\ts_nop 0 // 10: xyz", " <>:", "g <a>:"]
        {
            let listing = read(line);
            assert!(listing.labels.is_empty() && listing.instructions.is_empty(), "{line}");
        }
    }
}
