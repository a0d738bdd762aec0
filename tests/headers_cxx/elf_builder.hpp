// Makes small ELF files, right ones and wrong ones.

#ifndef SQTT_TESTS_ELF_BUILDER_HPP
#define SQTT_TESTS_ELF_BUILDER_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

// A section to put into a file.
struct Section {
  std::string name;
  std::string contents;
  std::uint32_t type = 1;
  std::uint32_t link = 0;
};

// An ELF file for AMD GPUs as a string, and where its fields are: they can be overwritten.
class Elf {
 public:
  // Offsets of fields of the header.
  static constexpr std::size_t CLASS = 4, ORDER = 5, TYPE = 16, MACHINE = 18, TABLE = 40, ROW_SIZE = 58, COUNT = 60,
                               NAMES = 62;
  // Offsets of fields in a row of the section table.
  static constexpr std::size_t NAME = 0, KIND = 4, OFFSET = 24, SIZE = 32, LINK = 40;

  // Sections are numbered from 1; the table of their names is the last.
  Elf(std::initializer_list<Section> given) : bytes_(64, '\0') {
    std::vector<Section> sections(given);
    std::string names(1, '\0');
    std::vector<std::uint32_t> starts;
    sections.push_back({".shstrtab", "", 3, 0});
    for (const Section &section : sections) {
      starts.push_back(static_cast<std::uint32_t>(names.size()));
      names += section.name + '\0';
    }
    sections.back().contents = names;
    std::vector<std::size_t> offsets;
    for (const Section &section : sections) {
      offsets.push_back(bytes_.size());
      bytes_ += section.contents;
    }
    table_ = bytes_.size();
    bytes_.append(64 * (sections.size() + 1), '\0');
    for (std::size_t at = 0; at < sections.size(); at++) {
      set<std::uint32_t>(row(at + 1, NAME), starts[at]);
      set<std::uint32_t>(row(at + 1, KIND), sections[at].type);
      set<std::uint64_t>(row(at + 1, OFFSET), offsets[at]);
      set<std::uint64_t>(row(at + 1, SIZE), sections[at].contents.size());
      set<std::uint32_t>(row(at + 1, LINK), sections[at].link);
    }
    bytes_.replace(0, 7, std::string("\x7F" "ELF\x02\x01\x01", 7));
    set<std::uint16_t>(TYPE, 3);
    set<std::uint16_t>(MACHINE, 224);
    set<std::uint64_t>(TABLE, table_);
    set<std::uint16_t>(ROW_SIZE, 64);
    set<std::uint16_t>(COUNT, static_cast<std::uint16_t>(sections.size() + 1));
    set<std::uint16_t>(NAMES, static_cast<std::uint16_t>(sections.size()));
  }

  // Where a field of section `index` is.
  std::size_t row(std::size_t index, std::size_t field) const { return table_ + 64 * index + field; }

  template <class T>
  Elf &set(std::size_t at, T value) {
    const std::string text = little<T>(value);
    bytes_.replace(at, sizeof(T), text);
    return *this;
  }

  const std::string &bytes() const { return bytes_; }

  // A number as bytes.
  template <class T>
  static std::string little(T value) {
    std::string text;
    for (std::size_t byte = 0; byte < sizeof(T); byte++) {
      text.push_back(static_cast<char>(static_cast<unsigned char>(static_cast<std::uint64_t>(value) >> (8 * byte))));
    }
    return text;
  }

  // A row of a symbol table.
  static std::string symbol(std::uint32_t name, std::uint64_t value, std::uint8_t type = 2, std::uint16_t section = 1) {
    return little<std::uint32_t>(name) + little<std::uint8_t>(type) + '\0' + little<std::uint16_t>(section) +
           little<std::uint64_t>(value) + little<std::uint64_t>(0);
  }

 private:
  std::string bytes_;
  std::size_t table_ = 0;
};

#endif
