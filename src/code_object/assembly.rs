//! Code objects as assembly text (`-S`), and bundles of such texts.
//!
//! A text bundle opens and closes each part with a comment, `# __CLANG_OFFLOAD_BUNDLE____START__ ID`. In the part of a
//! GPU only what is needed is read: the target, the names of the kernels, and what stands in the section of the map. LLVM
//! writes that as `.ascii` and a few more directives; a text with others in that section is not judged.

use sqtt_contract::funcmap;

use super::bytes::Bytes;
use super::reader::{Piece, Reader};
use super::{CodeObject, Malformed, Target, Unverified};

/// What opens a part of a text bundle, behind the sign of a comment.
pub(super) const START: &[u8] = b"__CLANG_OFFLOAD_BUNDLE____START__ ";
const END: &[u8] = b"__CLANG_OFFLOAD_BUNDLE____END__ ";

/// Whether the text of a code object begins so: within its first lines it names its target, or holds a map.
pub(super) fn begins(bytes: &[u8]) -> bool {
    const LINES: usize = 8;
    let first = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    if !matches!(first.trim_ascii_start().first(), Some(b'.' | b';')) {
        return false;
    }
    first.split(|byte| *byte == b'\n').take(LINES).any(|line| match words(line) {
        (b".amdgcn_target", _) => true,
        (b".pushsection" | b".section", rest) => is_map_section(rest),
        _ => false,
    })
}

/// Reads the parts of the text bundle `piece`.
pub(super) fn read_bundle<'data>(reader: &mut Reader<'data, '_>, piece: &Piece<'data>) {
    let text = piece.bytes.clone();
    let mut open: Option<(String, usize)> = None;
    for (start, line) in lines(&text) {
        let Some(comment) = comment(line) else { continue };
        if let Some(id) = comment.strip_prefix(START) {
            open = Some((String::from_utf8_lossy(id.trim_ascii()).into_owned(), start + line.len()));
        } else if let Some(end) = comment.strip_prefix(END)
            && let Some((id, begin)) = open.take_if(|(id, _)| id.as_bytes() == end.trim_ascii())
        {
            read_part(reader, piece, &id, begin, start);
        }
    }
    if let Some((id, _)) = open {
        reader.problem(&piece.place.inside(id), Malformed::TextBundle);
    }
}

fn read_part<'data>(reader: &mut Reader<'data, '_>, piece: &Piece<'data>, id: &str, begin: usize, end: usize) {
    let Some(target) = Target::from_entry_id(id) else { return };
    let part = end.checked_sub(begin).and_then(|size| piece.part(begin as u64, size as u64, id.to_owned()));
    if let Some(part) = part
        && reader.spend(&part)
    {
        read(reader, part.for_target(target));
    }
}

/// Reads the text `piece`: a code object when it is assembly for AMD's GPUs.
pub(super) fn read<'data>(reader: &mut Reader<'data, '_>, piece: Piece<'data>) {
    let Some(text) = Text::read(&piece.bytes) else {
        return reader.unverified(&piece.place, Unverified::Text);
    };
    let Some(target) = piece.target.or(text.target) else {
        return reader.unverified(&piece.place, Unverified::Text);
    };
    let kernels = text.kernels.iter().filter_map(|(start, size)| piece.bytes.part(*start as u64, *size as u64));
    let kernels = kernels.collect();
    let map = text.map.map(Bytes::from);
    reader.code_object(CodeObject::of_text(piece.place, target, piece.offset, piece.bytes, kernels, map));
}

/// What is read of a text.
#[derive(Debug, Default, PartialEq, Eq)]
struct Text {
    target: Option<Target>,
    /// Where the names of the kernels stand, and their lengths.
    kernels: Vec<(usize, usize)>,
    map: Option<Vec<u8>>,
}

impl Text {
    /// `None` for a text that is no assembly for AMD's GPUs, or whose map cannot be told.
    fn read(bytes: &[u8]) -> Option<Text> {
        let mut text = Text::default();
        let mut names_target = false;
        let mut sections = Sections::default();
        for (start, line) in lines(bytes) {
            let (directive, rest) = words(line);
            match directive {
                b".amdgcn_target" => {
                    names_target = true;
                    text.target = target(rest);
                }
                b".amdhsa_kernel" => {
                    let name = unquoted(operand(rest));
                    // Both are slices of the same bytes.
                    let at = start + (name.as_ptr() as usize - line.as_ptr() as usize);
                    text.kernels.push((at, name.len()));
                }
                _ => {
                    let is_change = sections.change(directive, rest);
                    if sections.in_map {
                        let map = text.map.get_or_insert_default();
                        if !is_change {
                            data(directive, rest, map, bytes.len())?;
                        }
                    }
                }
            }
        }
        names_target.then_some(text)
    }
}

/// Whether the current section is that of the map.
#[derive(Default)]
struct Sections {
    in_map: bool,
    outer: Vec<bool>,
}

impl Sections {
    /// Whether the directive says which section is the current one.
    fn change(&mut self, directive: &[u8], rest: &[u8]) -> bool {
        match directive {
            b".pushsection" => {
                self.outer.push(self.in_map);
                self.in_map = is_map_section(rest);
            }
            b".popsection" => self.in_map = self.outer.pop().unwrap_or(false),
            b".section" => self.in_map = is_map_section(rest),
            b".text" | b".data" | b".bss" | b".rodata" | b".previous" => self.in_map = false,
            _ => return false,
        }
        true
    }
}

fn is_map_section(rest: &[u8]) -> bool {
    let name = rest.split(|byte| *byte == b',').next().unwrap_or_default();
    unquoted(operand(name)) == funcmap::SECTION.as_bytes()
}

/// Adds what a directive puts into the section; `None` when it is not known what that is, or when zeros would make it
/// longer than `most` bytes, the text itself.
fn data(directive: &[u8], rest: &[u8], map: &mut Vec<u8>, most: usize) -> Option<()> {
    match directive {
        b"" | b".p2align" | b".align" | b".balign" => {}
        b".ascii" => strings(rest, map, false)?,
        b".asciz" | b".string" => strings(rest, map, true)?,
        b".byte" => {
            for number in operand(rest).split(|byte| *byte == b',') {
                map.push(u8::try_from(number_of(number)?).ok()?);
            }
        }
        b".zero" | b".space" | b".skip" => {
            let size = map.len().checked_add(usize::try_from(number_of(operand(rest))?).ok()?)?;
            map.resize(Some(size).filter(|size| *size <= most)?, 0);
        }
        label if label.ends_with(b":") => {}
        _ => return None,
    }
    Some(())
}

/// Quoted strings with commas between them, each with a NUL behind it where the directive says so.
fn strings(rest: &[u8], map: &mut Vec<u8>, terminated: bool) -> Option<()> {
    let mut rest = rest;
    loop {
        rest = string(rest.strip_prefix(b"\"")?, map)?.trim_ascii_start();
        if terminated {
            map.push(0);
        }
        match rest.strip_prefix(b",") {
            Some(next) => rest = next.trim_ascii_start(),
            None => return (rest.is_empty() || is_comment(rest)).then_some(()),
        }
    }
}

/// Adds the string up to its closing quote. The result is what follows.
fn string<'a>(mut text: &'a [u8], map: &mut Vec<u8>) -> Option<&'a [u8]> {
    loop {
        let (byte, rest) = text.split_first()?;
        text = rest;
        match byte {
            b'"' => return Some(text),
            b'\\' => text = escape(text, map)?,
            _ => map.push(*byte),
        }
    }
}

/// The escapes of LLVM's assembler.
fn escape<'a>(text: &'a [u8], map: &mut Vec<u8>) -> Option<&'a [u8]> {
    let (byte, rest) = text.split_first()?;
    let digits = text.iter().take(3).take_while(|digit| matches!(digit, b'0'..=b'7')).count();
    if digits > 0 {
        let value = text[..digits].iter().fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
        map.push(u8::try_from(value).ok()?);
        return Some(&text[digits..]);
    }
    map.push(match byte {
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'"' | b'\\' => *byte,
        _ => return None,
    });
    Some(rest)
}

fn number_of(text: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(text.trim_ascii()).ok()?;
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// `"amdgcn-amd-amdhsa--gfx942:xnack-"`.
fn target(rest: &[u8]) -> Option<Target> {
    let id = String::from_utf8_lossy(unquoted(operand(rest))).into_owned();
    Target::from_entry_id(&format!("hip-{id}"))
}

/// The lines with where each begins.
fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut start = 0;
    text.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line)
    })
}

/// The first word and what follows, without blanks around either.
fn words(line: &[u8]) -> (&[u8], &[u8]) {
    let line = line.trim_ascii();
    if is_comment(line) {
        return (b"", b"");
    }
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    (&line[..end], line[end..].trim_ascii_start())
}

/// What follows a directive, without the comment behind it.
fn operand(rest: &[u8]) -> &[u8] {
    let end = rest.iter().position(|byte| *byte == b';').unwrap_or(rest.len());
    rest[..end].trim_ascii()
}

fn unquoted(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(text)
}

fn is_comment(text: &[u8]) -> bool {
    text.starts_with(b";") || text.starts_with(b"//") || text.starts_with(b"#")
}

/// What a comment says; the sign is that of the text's language.
fn comment(line: &[u8]) -> Option<&[u8]> {
    [b"# ".as_slice(), b"; ", b"// "].iter().find_map(|sign| line.strip_prefix(*sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARGET: &str = "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx942:xnack-\"\n";

    fn map(lines: &str) -> Option<Vec<u8>> {
        Text::read(format!("{TARGET}{lines}").as_bytes())?.map
    }

    #[test]
    fn the_map_is_what_its_directives_put_into_it() {
        let text = "\t.section\t.sqtt_funcmap,\"aR\",@progbits ; the map\n label:\n\t.ascii \"F:1:a\\012\"\n.ascii \"\\\\\\\"\\t\", \"x\"\n\
                    .asciz \"y\" ; \"no\"\n.byte 0x41, 10\n\t.zero\t2\n.text\n.ascii \"elsewhere\"\n";
        assert_eq!(
            map(text).unwrap(),
            b"F:1:a\n\\\"\tx\
y\0A\n\0\0"
        );
        let pushed =
            "\t.pushsection .sqtt_funcmap,\"aR\",@progbits\n\t.ascii\t\"a\\000\"\n\t.popsection\n.ascii \"b\"\n";
        assert_eq!(map(&format!("{pushed}{pushed}")).unwrap(), b"a\0a\0");
        assert_eq!(map(".text\n s_endpgm\n"), None);
        assert_eq!(map(".section .sqtt_funcmap\n").unwrap(), b"");
    }

    #[test]
    fn what_cannot_be_told_is_not_judged() {
        for line in
            [".quad f", ".ascii \"a", ".ascii \"\\q\"", ".ascii \"\\777\"", ".byte x", ".byte 256", ".zero 99999"]
        {
            let text = format!("{TARGET}.section .sqtt_funcmap\n{line}\n");
            assert_eq!(Text::read(text.as_bytes()), None, "{line}");
        }
        assert_eq!(Text::read(b"\t.text\n\t.globl main\n"), None, "of another machine");
        let zeros = format!("{TARGET}.section .sqtt_funcmap\n{}", ".zero 1000\n".repeat(1000));
        assert_eq!(Text::read(zeros.as_bytes()), None, "grows with its square");
    }

    #[test]
    fn target_and_kernels_are_named() {
        let text = format!("{TARGET}\t.amdhsa_kernel _Z1kPf ; a kernel\n.amdhsa_kernel \"a b\"\n");
        let read = Text::read(text.as_bytes()).unwrap();
        assert_eq!(read.target.unwrap().to_string(), "amdgcn-amd-amdhsa--gfx942:xnack-");
        let names: Vec<&str> = read.kernels.iter().map(|(start, size)| &text[*start..start + size]).collect();
        assert_eq!(names, ["_Z1kPf", "a b"]);
    }

    #[test]
    fn a_text_is_known_by_its_first_lines() {
        assert!(begins(TARGET.as_bytes()) && begins(format!("\t.text\n; comment\n{TARGET}").as_bytes()));
        assert!(begins(b"   ; Start of inline assembly\n\t.pushsection .sqtt_funcmap,\"aR\",@progbits\n"));
        for text in ["", "a.o: a.hip\n", "\t.text\n\t.globl main\n", "x\n\t.amdgcn_target \"x\"\n"] {
            assert!(!begins(text.as_bytes()), "{text}");
        }
    }
}
