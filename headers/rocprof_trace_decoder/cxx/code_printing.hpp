// The marker maps of the code objects of a process, by the id that the profiler gives each, and what a word of the trace
// means in one of them.
//
//   CodeobjMap codeobjs;
//   codeobjs.addDecoder("1234_gfx1201_code_object_id_7.out", 7);
//   const MarkerValue marker = codeobjs.decodeMarkerValue(7, word);
//   const MarkerEncoding &encoding = codeobjs.getFuncmap(7).marker_encoding;
//
// `rocprofv3 --att` leaves the code objects beside the trace; `sqtt extract` takes them out of a program. The name of this
// file and those in it are the ones that decoders already include and call. Not here is the disassembly that AMD's header
// of this name offers too: that needs a library.
//
// Needs C++17 and nothing beyond the standard library.

#ifndef ROCPROF_TRACE_DECODER_CXX_CODE_PRINTING_HPP
#define ROCPROF_TRACE_DECODER_CXX_CODE_PRINTING_HPP

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "elf_section.hpp"
#include "funcmap.hpp"
#include "marker_encoding.hpp"

namespace rocprof_trace_decoder {
namespace codeobj {

// Reads the map of a code object, with the addresses of its functions and kernels. Without a map section the map is empty.
//
// Throws CodeobjError when the bytes are no code object for an AMD GPU, or one that is broken. A symbol table that cannot
// be read costs the addresses and is a diagnostic.
inline Funcmap load_funcmap(std::string_view code_object);

// Code objects by the id that the profiler gives each. May be read by several threads while none changes it.
class CodeobjMap {
 public:
  // Reads the code object in a file. One that has this id already is replaced; it stays when this throws. Throws
  // CodeobjError, which names the file.
  void addDecoder(const std::string &path, std::uint64_t id) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    if (!file || !(bytes << file.rdbuf())) {
      throw CodeobjError("cannot read `" + path + "`\nname a code object that rocprofv3 or `sqtt extract` left");
    }
    try {
      add(id, bytes.str());
    } catch (const CodeobjError &error) {
      throw CodeobjError("cannot read `" + path + "`: " + error.what());
    }
  }

  // Reads the code object in memory, of `size` bytes; they are not needed any more afterwards.
  void addDecoder(const void *data, std::size_t size, std::uint64_t id) {
    add(id, data == nullptr ? std::string_view() : std::string_view(static_cast<const char *>(data), size));
  }

  // The same two for callers that have at hand where the code object was loaded (`load_base`, `mem_size`, in bytes), which
  // makes no difference to its markers. These are no defaults: the number of arguments tells a path in a `const char *` from
  // bytes in memory.
  void addDecoder(const std::string &path, std::uint64_t id, std::uint64_t load_base, std::uint64_t mem_size) {
    static_cast<void>(load_base);
    static_cast<void>(mem_size);
    addDecoder(path, id);
  }

  void addDecoder(const void *data, std::size_t size, std::uint64_t id, std::uint64_t load_base, std::uint64_t mem_size) {
    static_cast<void>(load_base);
    static_cast<void>(mem_size);
    addDecoder(data, size, id);
  }

  // Forgets a code object; whether there was one.
  bool removeDecoderbyId(std::uint64_t id) { return maps_.erase(id) != 0; }

  // Whether there is a code object with this id.
  bool contains(std::uint64_t id) const { return maps_.count(id) != 0; }

  // The map of a code object; an empty one for an id that is not known.
  const Funcmap &getFuncmap(std::uint64_t id) const {
    static const Funcmap none;
    const auto found = maps_.find(id);
    return found == maps_.end() ? none : found->second;
  }

  // What a word of the trace does that a wave of this code object wrote; as decode_marker_value().
  MarkerValue decodeMarkerValue(std::uint64_t id, std::uint32_t word) const {
    return decode_marker_value(word, getFuncmap(id));
  }

 private:
  void add(std::uint64_t id, std::string_view code_object) { maps_[id] = load_funcmap(code_object); }

  std::map<std::uint64_t, Funcmap> maps_;
};

inline Funcmap load_funcmap(std::string_view code_object) {
  const detail::ElfFile elf(code_object);
  if (elf.machine() != detail::ElfFile::AMDGPU) {
    throw CodeobjError("it is for another machine than an AMD GPU (" + std::to_string(elf.machine()) + ")");
  }
  if (elf.sections().empty()) throw CodeobjError("it has no sections");
  const std::vector<std::string_view> sections = elf_sections(code_object, FUNCMAP_SECTION);
  // Several sections are read as one, with a NUL between two.
  std::string joined;
  for (const std::string_view &section : sections) {
    if (&section != &sections.front()) joined.push_back('\0');
    joined.append(section);
  }
  Funcmap map = parse_funcmap(joined);
  const auto warn = [&map](std::string message) {
    map.diagnostics.push_back({FuncmapDiagnostic::Severity::Warning, std::move(message), 0});
  };
  if (!sections.empty() && joined.empty()) warn("section `" + std::string(FUNCMAP_SECTION) + "` is empty");
  std::unordered_map<std::string_view, std::uint64_t> functions;
  try {
    functions = elf_functions(code_object);
  } catch (const CodeobjError &error) {
    warn(std::string("there are no addresses: ") + error.what());
  }
  for (const Funcmap::EntryPtr &entry : map.entries) {
    if (entry->kind != FuncmapEntryKind::Function && entry->kind != FuncmapEntryKind::Kernel) continue;
    const auto found = functions.find(entry->name);
    if (found != functions.end()) entry->vaddr = found->second;
  }
  return map;
}

}  // namespace codeobj
}  // namespace rocprof_trace_decoder

#endif
