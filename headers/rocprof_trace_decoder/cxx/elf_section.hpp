// Sections and function symbols of a code object: an ELF file, 64-bit and little-endian, read by hand.
//
//   std::vector<FuncmapDiagnostic> diagnostics;
//   const auto section = extract_elf_section(data, size, ".sqtt_funcmap", diagnostics);
//
// Not a general ELF library: it reads the section table and symbols, and nothing that a loader needs. Every offset, size
// and index in the file is checked before it is used, so any bytes may be given; what is wrong with them is a diagnostic.
// What is returned are views into the given bytes, which have to outlive them.
//
// Needs C++17 and nothing beyond the standard library.

#ifndef ROCPROF_TRACE_DECODER_CXX_ELF_SECTION_HPP
#define ROCPROF_TRACE_DECODER_CXX_ELF_SECTION_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "funcmap.hpp"

namespace rocprof_trace_decoder {
namespace codeobj {

// Why bytes cannot be read as a code object.
class CodeobjError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Every section with that name, in the order of the section table. A section that has no contents in the file (SHT_NOBITS)
// is empty. Throws CodeobjError when the bytes are no such ELF file or contradict themselves.
inline std::vector<std::string_view> elf_sections(std::string_view file, std::string_view name);

// The first section with that name that has contents. None without a diagnostic when there is no such section; with a
// warning when it is empty, and with an error when the bytes cannot be read.
inline std::optional<std::string_view> extract_elf_section(const char *data, std::size_t size, std::string_view name,
                                                           std::vector<FuncmapDiagnostic> &diagnostics);

// The addresses of all functions that a linked file defines, by (mangled) name; none of one that is not linked yet, whose
// symbols have no address. Throws CodeobjError as elf_sections() does, and when a symbol table is broken.
inline std::unordered_map<std::string_view, std::uint64_t> elf_functions(std::string_view file);

namespace detail {

// A row of the section table.
struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint32_t link = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

// The header and the section table.
class ElfFile {
 public:
  static constexpr std::uint16_t AMDGPU = 224;

  explicit ElfFile(std::string_view file) : file_(file) {
    read_header();
    read_sections();
  }

  const std::vector<ElfSection> &sections() const { return sections_; }

  std::uint16_t machine() const { return number<std::uint16_t>(18); }

  // Whether it is the output of a compiler and not of a linker.
  bool is_relocatable() const { return number<std::uint16_t>(16) == 1; }

  // The bytes of a section.
  std::string_view contents(const ElfSection &section) const {
    constexpr std::uint32_t no_contents = 8;
    if (section.type == no_contents || section.size == 0) return {};
    if (!lies_within(section.offset, section.size)) {
      throw CodeobjError("section `" + shown(section.name) + "` does not lie in the file");
    }
    return file_.substr(static_cast<std::size_t>(section.offset), static_cast<std::size_t>(section.size));
  }

  // A little-endian number at an offset that has been checked.
  template <class T>
  T number(std::size_t at) const {
    std::uint64_t value = 0;
    for (std::size_t byte = sizeof(T); byte-- > 0;) {
      value = value << 8 | static_cast<unsigned char>(file_[at + byte]);
    }
    return static_cast<T>(value);
  }

 private:
  static constexpr std::size_t HEADER_SIZE = 64;
  static constexpr std::size_t ROW_SIZE = 64;

  bool lies_within(std::uint64_t offset, std::uint64_t size) const {
    return offset <= file_.size() && size <= file_.size() - offset;
  }

  void read_header() const {
    if (file_.data() == nullptr || file_.empty()) throw CodeobjError("there are no bytes to read");
    const auto starts_with = [this](std::string_view magic) { return file_.substr(0, magic.size()) == magic; };
    if (starts_with("__CLANG_OFFLOAD_BUNDLE__") || starts_with("CCOB")) {
      throw CodeobjError("it is an offload bundle and not a code object: `sqtt extract` takes its code objects out");
    }
    if (!starts_with("\x7F" "ELF")) throw CodeobjError("it is no ELF file");
    if (file_.size() < HEADER_SIZE) throw CodeobjError("the ELF header is cut off");
    if (file_[4] != 2) throw CodeobjError("it is no 64-bit ELF file");
    if (file_[5] != 1) throw CodeobjError("it is no little-endian ELF file");
  }

  // Offset of row `index` of the section table, which starts at `table`.
  static constexpr std::uint64_t row(std::uint64_t table, std::uint64_t index) { return table + index * ROW_SIZE; }

  void read_sections() {
    const std::uint64_t table = number<std::uint64_t>(40);
    std::uint64_t count = number<std::uint16_t>(60);
    std::uint32_t names = number<std::uint16_t>(62);
    if (table == 0 && count == 0) return;
    if (number<std::uint16_t>(58) != ROW_SIZE) throw CodeobjError("the rows of the section table have a wrong size");
    if (!lies_within(table, ROW_SIZE)) throw CodeobjError("the section table does not lie in the file");
    // Numbers that are too large for the header stand in the first row.
    if (count == 0) count = number<std::uint64_t>(static_cast<std::size_t>(table) + 32);
    if (names == 0xFFFF) names = number<std::uint32_t>(static_cast<std::size_t>(table) + 40);
    if (count > (file_.size() - table) / ROW_SIZE) throw CodeobjError("the section table does not lie in the file");
    if (count == 0) return;
    if (names == 0 || names >= count) throw CodeobjError("there is no table of section names");
    sections_.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t index = 0; index < count; index++) {
      const std::size_t at = static_cast<std::size_t>(row(table, index));
      ElfSection section;
      section.type = number<std::uint32_t>(at + 4);
      section.offset = number<std::uint64_t>(at + 24);
      section.size = number<std::uint64_t>(at + 32);
      section.link = number<std::uint32_t>(at + 40);
      sections_.push_back(section);
    }
    const std::string_view texts = contents(sections_[names]);
    for (std::uint64_t index = 0; index < count; index++) {
      const std::uint32_t start = number<std::uint32_t>(static_cast<std::size_t>(row(table, index)));
      sections_[static_cast<std::size_t>(index)].name = section_name(texts, start);
    }
  }

  // The name at `start`. Names of interest are short: without a limit a hostile table could cost far more than its size.
  static std::string_view section_name(std::string_view texts, std::uint32_t start) {
    constexpr std::size_t limit = 1024;
    if (texts.empty() && start == 0) return {};
    if (start >= texts.size()) throw CodeobjError("the name of a section does not lie in the table of names");
    const std::string_view text = texts.substr(start, limit);
    return text.substr(0, text.find('\0'));
  }

  std::string_view file_;
  std::vector<ElfSection> sections_;
};

// Adds the functions of one symbol table.
inline void add_functions(const ElfFile &elf, const ElfSection &table, std::string_view file,
                          std::unordered_map<std::string_view, std::uint64_t> &functions) {
  constexpr std::size_t row_size = 24;
  constexpr unsigned function = 2;
  const std::string_view rows = elf.contents(table);
  if (rows.size() % row_size != 0 || table.link >= elf.sections().size()) {
    throw CodeobjError("a symbol table is broken");
  }
  const std::string_view names = elf.contents(elf.sections()[table.link]);
  // Names may share their ends; more than this no linker makes them.
  std::size_t allowance = 16 * names.size() + 65536;
  for (std::size_t at = 0; at < rows.size(); at += row_size) {
    const std::size_t row = static_cast<std::size_t>(rows.data() - file.data()) + at;
    const bool is_function = (elf.number<std::uint8_t>(row + 4) & 0xFu) == function;
    if (!is_function || elf.number<std::uint16_t>(row + 6) == 0) continue;
    const std::uint32_t start = elf.number<std::uint32_t>(row);
    const std::size_t end = start < names.size() ? names.find('\0', start) : std::string_view::npos;
    if (end == std::string_view::npos) throw CodeobjError("the name of a symbol does not lie in the table of names");
    if (end - start > allowance) throw CodeobjError("the names of the symbols overlap");
    allowance -= end - start;
    functions.emplace(names.substr(start, end - start), elf.number<std::uint64_t>(row + 8));
  }
}

}  // namespace detail

inline std::vector<std::string_view> elf_sections(std::string_view file, std::string_view name) {
  const detail::ElfFile elf(file);
  std::vector<std::string_view> found;
  std::size_t total = 0;
  for (const detail::ElfSection &section : elf.sections()) {
    if (section.name != name) continue;
    found.push_back(elf.contents(section));
    total += found.back().size();
    if (total > file.size()) throw CodeobjError("the sections `" + detail::shown(name) + "` overlap");
  }
  return found;
}

inline std::optional<std::string_view> extract_elf_section(const char *data, std::size_t size, std::string_view name,
                                                           std::vector<FuncmapDiagnostic> &diagnostics) {
  std::vector<std::string_view> found;
  try {
    found = elf_sections(data == nullptr ? std::string_view() : std::string_view(data, size), name);
  } catch (const CodeobjError &error) {
    diagnostics.push_back({FuncmapDiagnostic::Severity::Error, error.what(), 0});
    return std::nullopt;
  }
  for (const std::string_view section : found) {
    if (!section.empty()) return section;
  }
  if (!found.empty()) {
    const std::string message = "section `" + detail::shown(name) + "` is empty";
    diagnostics.push_back({FuncmapDiagnostic::Severity::Warning, message, 0});
  }
  return std::nullopt;
}

inline std::unordered_map<std::string_view, std::uint64_t> elf_functions(std::string_view file) {
  constexpr std::uint32_t symbol_table = 2;
  constexpr std::uint32_t dynamic_symbols = 11;
  const detail::ElfFile elf(file);
  std::unordered_map<std::string_view, std::uint64_t> functions;
  if (elf.is_relocatable()) return functions;
  // The first of each kind; the dynamic one is all that is left in a stripped file.
  for (const std::uint32_t type : {symbol_table, dynamic_symbols}) {
    for (const detail::ElfSection &section : elf.sections()) {
      if (section.type != type) continue;
      detail::add_functions(elf, section, file, functions);
      break;
    }
  }
  return functions;
}

}  // namespace codeobj
}  // namespace rocprof_trace_decoder

#endif
