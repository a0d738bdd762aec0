// Code objects by id: real ones, every part of one, and changed ones.

#include <rocprof_trace_decoder/cxx/code_printing.hpp>

#include <cstdio>
#include <cstring>
#include <memory>
#include <random>

#include "check.hpp"
#include "elf_builder.hpp"

using namespace rocprof_trace_decoder::codeobj;
using namespace std::string_literals;

namespace {

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  CHECK(!bytes.str().empty());
  return bytes.str();
}

// Adds a copy that is exactly as large as the file, so that a read beyond it is seen. Gives the error.
std::string added(CodeobjMap &codeobjs, const std::string &file) {
  const std::unique_ptr<char[]> exact(new char[file.size()]);
  std::memcpy(exact.get(), file.data(), file.size());
  try {
    codeobjs.addDecoder(exact.get(), file.size(), 1, 0x7F0000000000, file.size());
  } catch (const CodeobjError &error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(real_code_objects_are_read_with_their_addresses) {
  CHECK(!check::fixtures().empty());
  CodeobjMap codeobjs;
  std::uint64_t id = 0;
  for (const std::string &path : check::fixtures()) {
    codeobjs.addDecoder(path, ++id, 0x7F0000000000, 0x10000);
    const Funcmap &map = codeobjs.getFuncmap(id);
    CHECK(!map.entries.empty() && map.diagnostics.empty() && map.terminated);
    bool has_kernel = false;
    for (const Funcmap::EntryPtr &entry : map.entries) {
      if (entry->kind != FuncmapEntryKind::Kernel) continue;
      has_kernel = true;
      CHECK(entry->vaddr != 0);
    }
    CHECK(has_kernel);
    const MarkerValue marker = codeobjs.decodeMarkerValue(id, map.by_id.begin()->first << 2 | 2u);
    CHECK(map.find(marker.id) != nullptr && marker.is_enter);
  }
  CHECK(codeobjs.contains(1) && codeobjs.removeDecoderbyId(1) && !codeobjs.contains(1) && !codeobjs.removeDecoderbyId(1));
}

// A path in a `const char *`, an id and where it was loaded were taken for bytes, a size and an id.
TEST(a_path_is_a_path_however_it_is_spelt) {
  const std::string &path = check::fixtures().front();
  CodeobjMap codeobjs;
  codeobjs.addDecoder(path, 1);
  codeobjs.addDecoder(path.c_str(), 2);
  codeobjs.addDecoder(path, 3, 0x7F0000000000, 0x10000);
  codeobjs.addDecoder(path.c_str(), 4, 0x7F0000000000, 0x10000);
  const std::string bytes = contents(path);
  codeobjs.addDecoder(bytes.data(), bytes.size(), 5);
  codeobjs.addDecoder(bytes.data(), bytes.size(), 6, 0x7F0000000000, 0x10000);
  for (std::uint64_t id = 1; id <= 6; id++) {
    CHECK(codeobjs.contains(id) && codeobjs.getFuncmap(id).entries.size() == codeobjs.getFuncmap(1).entries.size());
  }
}

TEST(an_unknown_id_has_an_empty_map_and_plain_words) {
  const CodeobjMap codeobjs;
  CHECK(codeobjs.getFuncmap(7).entries.empty() && codeobjs.getFuncmap(7).marker_encoding == MarkerEncoding{});
  CHECK((codeobjs.decodeMarkerValue(7, 0xFFFFFFFE) == MarkerValue{0x3FFFFFFF, true, false}));
}

TEST(the_maps_of_code_objects_do_not_mix) {
  CodeobjMap codeobjs;
  const std::string maps[] = {"M:shader_clock_bits=12;shader_clock_shift=4\nP:3:packed\n", "P:3:plain\n"};
  for (std::uint64_t id = 0; id < 2; id++) {
    const Elf elf{{".sqtt_funcmap", maps[id]}};
    codeobjs.addDecoder(elf.bytes().data(), elf.bytes().size(), id);
  }
  CHECK_EQUAL(codeobjs.decodeMarkerValue(0, 0x1000000C).id, 3u);
  CHECK_EQUAL(codeobjs.decodeMarkerValue(1, 0x1000000C).id, 0x4000003u);
  CHECK_EQUAL(codeobjs.getFuncmap(1).find(3)->name, "plain");
}

TEST(several_maps_are_read_as_one) {
  CodeobjMap codeobjs;
  const std::string error = added(codeobjs, Elf{{".sqtt_funcmap", "U:1:a"}, {".sqtt_funcmap", "U:2:b\n\0"s}}.bytes());
  CHECK_EQUAL(error, "");
  CHECK(codeobjs.getFuncmap(1).find(1)->name == "a" && codeobjs.getFuncmap(1).find(2)->name == "b");
}

TEST(what_is_no_code_object_is_an_error_and_changes_nothing) {
  CodeobjMap codeobjs;
  CHECK_EQUAL(added(codeobjs, Elf{{".sqtt_funcmap", "U:1:a\n\0"s}}.bytes()), "");
  CHECK_EQUAL(added(codeobjs, Elf{}.set<std::uint16_t>(Elf::MACHINE, 62).bytes()),
              "it is for another machine than an AMD GPU (62)");
  CHECK_EQUAL(added(codeobjs, Elf{}.set<std::uint64_t>(Elf::TABLE, 0).set<std::uint16_t>(Elf::COUNT, 0).bytes()),
              "it has no sections");
  CHECK_EQUAL(codeobjs.getFuncmap(1).find(1)->name, "a");
  for (const std::string path : {"/nonexistent", "/", "/proc/self/exe"}) {
    try {
      codeobjs.addDecoder(path, 1);
      CHECK(false);
    } catch (const CodeobjError &error) {
      CHECK_EQUAL(std::string(error.what()).find("cannot read `" + path + "`"), 0u);
    }
  }
  CHECK_EQUAL(codeobjs.getFuncmap(1).find(1)->name, "a");
}

TEST(a_map_that_is_missing_or_empty_and_lost_symbols_are_no_errors) {
  CodeobjMap codeobjs;
  CHECK_EQUAL(added(codeobjs, Elf{{".text", "code"}}.bytes()), "");
  CHECK(codeobjs.contains(1) && codeobjs.getFuncmap(1).diagnostics.empty());
  CHECK_EQUAL(added(codeobjs, Elf{{".sqtt_funcmap", ""}}.bytes()), "");
  CHECK_EQUAL(codeobjs.getFuncmap(1).diagnostics.at(0).message, "section `.sqtt_funcmap` is empty");
  CHECK_EQUAL(added(codeobjs, Elf{{".sqtt_funcmap", "F:1:f\n\0"s}, {".symtab", "x", 2, 9}}.bytes()), "");
  CHECK_EQUAL(codeobjs.getFuncmap(1).diagnostics.at(0).message, "there are no addresses: a symbol table is broken");
  CHECK_EQUAL(codeobjs.getFuncmap(1).find(1)->vaddr, 0u);
}

TEST(every_truncation_of_a_code_object_is_an_error) {
  for (const std::string &path : check::fixtures()) {
    const std::string file = contents(path);
    // The section table, the last thing in the file, is in none of them.
    for (std::size_t size = 0; size < file.size(); size++) {
      CodeobjMap codeobjs;
      if (added(codeobjs, file.substr(0, size)).empty()) CHECK_EQUAL(size, file.size());
      CHECK(!codeobjs.contains(1));
    }
  }
}

TEST(changed_code_objects_end_in_a_map_or_an_error) {
  std::mt19937 random(1);
  const std::uint64_t odd[] = {0, 1, 63, 64, 0xFFFF, 0xFFFFFFFF, 1ull << 63, ~0ull, ~0ull - 63};
  unsigned maps = 0;
  for (const std::string &path : check::fixtures()) {
    const std::string file = contents(path);
    // The header and the section table.
    std::size_t table = 0;
    for (std::size_t byte = 8; byte-- > 0;) table = table << 8 | static_cast<unsigned char>(file[40 + byte]);
    for (unsigned round = 0; round < 4000; round++) {
      std::string changed = file;
      for (unsigned change = 0; change <= round % 4; change++) {
        const std::size_t start = random() % 3 == 0 ? 0 : table;
        const std::size_t at = start + random() % ((start == 0 ? 64 : file.size() - table) - 8);
        const std::string text = Elf::little(random() % 2 == 0 ? odd[random() % 9] : random() % (2 * file.size()));
        changed.replace(at & ~std::size_t{7}, random() % 2 == 0 ? 8 : 2, text, 0, random() % 2 == 0 ? 8 : 2);
        changed.resize(file.size());
      }
      CodeobjMap codeobjs;
      if (added(codeobjs, changed).empty()) maps++;
      codeobjs.decodeMarkerValue(1, static_cast<std::uint32_t>(random()));
    }
  }
  CHECK(maps > 100);
}
