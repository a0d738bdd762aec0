// Reads maps and words on standard input and prints what the headers make of them, for a comparison with another reader.
//
// A case is a line: `map` or `elf`, the bytes of the section or the code object in hexadecimal (`-` for none), and words
// in decimal. The answer is lines in no order that matters, then a line with a dot; or `error` and the dot.

#include <rocprof_trace_decoder/cxx/code_printing.hpp>

#include <iostream>
#include <sstream>

using namespace rocprof_trace_decoder::codeobj;

namespace {

constexpr std::string_view DIGITS = "0123456789abcdef";

std::string unhex(const std::string &text) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
    bytes.push_back(static_cast<char>(DIGITS.find(text[at]) << 4 | DIGITS.find(text[at + 1])));
  }
  return bytes;
}

std::string hex(std::string_view bytes) {
  std::string text = "x";
  for (const char c : bytes) {
    text.push_back(DIGITS[static_cast<unsigned char>(c) >> 4]);
    text.push_back(DIGITS[static_cast<unsigned char>(c) & 0xF]);
  }
  return text;
}

void print(const Funcmap &map) {
  for (const Funcmap::EntryPtr &entry : map.entries) {
    std::cout << "row " << static_cast<char>(entry->kind) << ' ' << entry->id << ' ' << hex(entry->name) << ' '
              << hex(entry->source_loc) << '\n';
  }
  for (const auto &[id, entry] : map.by_id) std::cout << "known " << id << ' ' << hex(entry->name) << '\n';
  for (const auto &[id, count] : map.payload_counts) std::cout << "payload " << id << ' ' << count << '\n';
  std::cout << "wave " << map.wave_size.value_or(0) << '\n';
  std::cout << "layout " << map.marker_encoding.shader_clock_bits << ' ' << map.marker_encoding.shader_clock_shift << '\n';
  std::cout << "terminated " << map.terminated << '\n';
  for (const FuncmapDiagnostic &diagnostic : map.diagnostics) {
    if (diagnostic.line != 0) std::cout << diagnostic.message.substr(0, diagnostic.message.find(" in `")) << '\n';
  }
}

void print(const char *how, const MarkerValue &marker) {
  std::cout << how << ' ' << marker.id << ' ' << marker.is_enter << ' ' << marker.exit_prev << '\n';
}

void answer(const std::string &kind, const std::string &bytes, std::istream &words) {
  CodeobjMap codeobjs;
  Funcmap parsed;
  if (kind == "elf") {
    codeobjs.addDecoder(bytes.data(), bytes.size(), 1);
  } else {
    parsed = parse_funcmap(bytes);
  }
  const Funcmap &map = kind == "elf" ? codeobjs.getFuncmap(1) : parsed;
  print(map);
  for (std::uint32_t word = 0; words >> word;) {
    print("word", kind == "elf" ? codeobjs.decodeMarkerValue(1, word) : decode_marker_value(word, map));
    print("header", decode_marker_value(word, map.marker_encoding));
    std::cout << "clock " << map.marker_encoding.decode_shader_clock(word) << '\n';
  }
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string kind, text;
    words >> kind >> text;
    try {
      answer(kind, unhex(text), words);
    } catch (const CodeobjError &) {
      std::cout << "error\n";
    }
    std::cout << "." << std::endl;
  }
}
