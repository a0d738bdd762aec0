// Sections and functions of ELF files, right and hostile.

#include <rocprof_trace_decoder/cxx/elf_section.hpp>

#include <cstring>
#include <memory>

#include "check.hpp"
#include "elf_builder.hpp"

using namespace rocprof_trace_decoder::codeobj;
using namespace std::string_literals;

namespace {

using Diagnostics = std::vector<FuncmapDiagnostic>;

const std::string MAP = "U:1:load\n\0"s;

Elf sample() { return Elf{{".text", "code"}, {".sqtt_funcmap", MAP}}; }

// Reads the map section of a copy that is exactly as large as the file, so that a read beyond it is seen.
std::optional<std::string> section(const std::string &file, Diagnostics &diagnostics) {
  const std::unique_ptr<char[]> exact(new char[file.size()]);
  std::memcpy(exact.get(), file.data(), file.size());
  const auto found = extract_elf_section(exact.get(), file.size(), ".sqtt_funcmap", diagnostics);
  return found ? std::optional<std::string>(*found) : std::nullopt;
}

// What is wrong with a file, which has to be an error.
std::string error(const std::string &file) {
  Diagnostics diagnostics;
  CHECK(!section(file, diagnostics));
  CHECK_EQUAL(diagnostics.size(), 1u);
  if (diagnostics.empty()) return "";
  CHECK(diagnostics[0].severity == FuncmapDiagnostic::Severity::Error);
  return diagnostics[0].message;
}

void finds_the_map(const std::string &file) {
  Diagnostics diagnostics;
  CHECK_EQUAL(section(file, diagnostics).value_or("none"), MAP);
  CHECK(diagnostics.empty());
}

}  // namespace

TEST(a_section_is_found_by_its_name) {
  finds_the_map(sample().bytes());
  // Empty sections of the same name come first where a linker script asked for them.
  finds_the_map(Elf{{".sqtt_funcmap", ""}, {".sqtt_funcmap", MAP}}.bytes());
}

TEST(a_section_that_is_not_there_is_no_mistake) {
  for (const Elf &elf : {Elf{{".text", "code"}}, Elf{{".sqtt_funcmap2", MAP}}, Elf{{".sqtt_funcma", MAP}}}) {
    Diagnostics diagnostics;
    CHECK(!section(elf.bytes(), diagnostics) && diagnostics.empty());
  }
  Diagnostics diagnostics;
  CHECK(!section(sample().set<std::uint64_t>(Elf::TABLE, 0).set<std::uint16_t>(Elf::COUNT, 0).bytes(), diagnostics));
  CHECK(diagnostics.empty());
}

TEST(an_empty_section_is_a_warning) {
  Elf stripped = sample();
  stripped.set<std::uint32_t>(stripped.row(2, Elf::KIND), 8);
  for (const Elf &elf : {Elf{{".sqtt_funcmap", ""}}, stripped}) {
    Diagnostics diagnostics;
    CHECK(!section(elf.bytes(), diagnostics));
    CHECK_EQUAL(diagnostics.size(), 1u);
    CHECK(diagnostics.at(0).severity == FuncmapDiagnostic::Severity::Warning);
    CHECK_EQUAL(diagnostics.at(0).message, "section `.sqtt_funcmap` is empty");
  }
}

TEST(what_is_no_such_elf_file_is_an_error_that_says_so) {
  Diagnostics diagnostics;
  CHECK(!extract_elf_section(nullptr, 64, ".sqtt_funcmap", diagnostics) && diagnostics.size() == 1);
  CHECK_EQUAL(error(""), "there are no bytes to read");
  CHECK_EQUAL(error("#!/bin/sh"), "it is no ELF file");
  CHECK_EQUAL(error("\x7F" "ELF"), "the ELF header is cut off");
  CHECK_EQUAL(error(sample().bytes().substr(0, 63)), "the ELF header is cut off");
  CHECK_EQUAL(error(sample().set<std::uint8_t>(Elf::CLASS, 1).bytes()), "it is no 64-bit ELF file");
  CHECK_EQUAL(error(sample().set<std::uint8_t>(Elf::ORDER, 2).bytes()), "it is no little-endian ELF file");
  for (const char *magic : {"__CLANG_OFFLOAD_BUNDLE__", "CCOB"}) {
    CHECK(error(magic + std::string(100, '\0')).find("`sqtt extract`") != std::string::npos);
  }
}

TEST(a_section_table_that_contradicts_itself_is_an_error) {
  const std::uint64_t all = ~std::uint64_t{0};
  const std::string outside = "the section table does not lie in the file";
  for (const std::uint64_t table : {all, all - 63, std::uint64_t{1} << 63, std::uint64_t{sample().bytes().size()}}) {
    CHECK_EQUAL(error(sample().set(Elf::TABLE, table).bytes()), outside);
  }
  CHECK_EQUAL(error(sample().set<std::uint16_t>(Elf::COUNT, 5).bytes()), outside);
  CHECK_EQUAL(error(sample().set<std::uint16_t>(Elf::COUNT, 0xFFFF).bytes()), outside);
  for (const unsigned size : {0u, 40u, 63u, 65u}) {
    const std::string message = "the rows of the section table have a wrong size";
    CHECK_EQUAL(error(sample().set<std::uint16_t>(Elf::ROW_SIZE, static_cast<std::uint16_t>(size)).bytes()), message);
  }
  for (const unsigned names : {0u, 4u, 0xFFFFu}) {
    CHECK_EQUAL(error(sample().set<std::uint16_t>(Elf::NAMES, static_cast<std::uint16_t>(names)).bytes()), "there is no table of section names");
  }
}

TEST(numbers_that_are_too_large_for_the_header_stand_in_the_first_row) {
  Elf elf = sample();
  elf.set<std::uint16_t>(Elf::COUNT, 0).set<std::uint64_t>(elf.row(0, Elf::SIZE), 4);
  elf.set<std::uint16_t>(Elf::NAMES, 0xFFFF).set<std::uint32_t>(elf.row(0, Elf::LINK), 3);
  finds_the_map(elf.bytes());
  for (const std::uint64_t count : {std::uint64_t{5}, ~std::uint64_t{0}, std::uint64_t{1} << 58}) {
    CHECK_EQUAL(error(elf.set(elf.row(0, Elf::SIZE), count).bytes()), "the section table does not lie in the file");
  }
  elf.set<std::uint64_t>(elf.row(0, Elf::SIZE), 4).set<std::uint32_t>(elf.row(0, Elf::LINK), 0xFFFFFFFF);
  CHECK_EQUAL(error(elf.bytes()), "there is no table of section names");
}

TEST(a_section_outside_of_the_file_is_an_error_that_names_it) {
  const std::uint64_t all = ~std::uint64_t{0};
  const std::uint64_t size = sample().bytes().size();
  for (const auto &[field, value] : {std::pair(Elf::OFFSET, all), {Elf::OFFSET, size}, {Elf::OFFSET, all - 9},
                                     {Elf::SIZE, all}, {Elf::SIZE, size}, {Elf::SIZE, all - 67}}) {
    Elf elf = sample();
    elf.set(elf.row(2, field), value);
    CHECK_EQUAL(error(elf.bytes()), "section `.sqtt_funcmap` does not lie in the file");
  }
  Elf elf = sample();
  elf.set(elf.row(2, Elf::NAME), std::uint32_t{0x7FFFFFFF});
  CHECK_EQUAL(error(elf.bytes()), "the name of a section does not lie in the table of names");
  elf = sample();
  elf.set(elf.row(3, Elf::SIZE), all);
  CHECK_EQUAL(error(elf.bytes()), "section `` does not lie in the file");
}

TEST(sections_that_overlap_beyond_the_size_of_the_file_are_an_error) {
  const std::string map(400, 'x');
  Elf elf{{".sqtt_funcmap", map}, {".sqtt_funcmap", map}, {".sqtt_funcmap", map}};
  CHECK_EQUAL(elf_sections(elf.bytes(), ".sqtt_funcmap").size(), 3u);
  for (const std::size_t index : {1u, 2u, 3u}) {
    elf.set<std::uint64_t>(elf.row(index, Elf::OFFSET), 0).set<std::uint64_t>(elf.row(index, Elf::SIZE), 1200);
  }
  CHECK_EQUAL(error(elf.bytes()), "the sections `.sqtt_funcmap` overlap");
}

TEST(a_name_without_its_nul_ends_with_the_table) {
  Elf elf = sample();
  elf.set<std::uint64_t>(elf.row(3, Elf::SIZE), 1 + 6 + 13);
  elf.set<std::uint32_t>(elf.row(3, Elf::NAME), 0);
  finds_the_map(elf.bytes());
}

TEST(functions_are_those_that_the_file_defines) {
  const std::string names = "\0f\0g\0h\0"s;
  const std::string rows = Elf::symbol(0, 1, 0) + Elf::symbol(1, 0x100) + Elf::symbol(3, 0x200, 0x12) +
                           Elf::symbol(5, 0x300, 1) + Elf::symbol(5, 0x400, 2, 0);
  Elf elf{{".symtab", rows, 2, 2}, {".strtab", names, 3}, {".dynsym", Elf::symbol(1, 0x999), 11, 2}};
  const auto functions = elf_functions(elf.bytes());
  CHECK_EQUAL(functions.size(), 2u);
  CHECK_EQUAL(functions.at("f"), 0x100u);
  CHECK_EQUAL(functions.at("g"), 0x200u);
  CHECK(elf_functions(elf.set<std::uint16_t>(Elf::TYPE, 1).bytes()).empty());
}

TEST(a_broken_symbol_table_is_an_error) {
  const auto wrong = [](const std::string &rows, std::uint32_t link, const std::string &names) {
    const Elf elf{{".symtab", rows, 2, link}, {".strtab", names, 3}};
    try {
      elf_functions(elf.bytes());
    } catch (const CodeobjError &error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  CHECK_EQUAL(wrong(Elf::symbol(1, 2), 2, "\0f\0"s), "nothing");
  CHECK_EQUAL(wrong(Elf::symbol(1, 2) + "x", 2, "\0f\0"s), "a symbol table is broken");
  CHECK_EQUAL(wrong(Elf::symbol(1, 2), 4, "\0f\0"s), "a symbol table is broken");
  for (const std::uint32_t name : {3u, 0xFFFFFFFFu}) {
    CHECK_EQUAL(wrong(Elf::symbol(name, 2), 2, "\0f\0"s), "the name of a symbol does not lie in the table of names");
  }
  CHECK_EQUAL(wrong(Elf::symbol(1, 2), 2, "\0f"s), "the name of a symbol does not lie in the table of names");
  std::string many;
  for (unsigned at = 0; at < 1000; at++) many += Elf::symbol(0, at);
  CHECK_EQUAL(wrong(many, 2, std::string(10000, 'x') + '\0'), "the names of the symbols overlap");
}
