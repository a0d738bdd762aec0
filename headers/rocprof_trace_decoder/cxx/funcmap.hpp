// The marker map of a code object, section `.sqtt_funcmap`: which id stands for which function, scope or point.
//
//   const Funcmap map = parse_funcmap(section);            // the bytes of the section; elf_section.hpp finds them
//   const MarkerValue marker = decode_marker_value(word, map);
//   if (const Funcmap::EntryPtr entry = map.find(marker.id)) std::puts(entry->name.c_str());
//
// The section is lines of one row each, `letter:fields`, and a NUL; a link of several units leaves several such texts one
// after the other, which are read as one map:
//
//   F:id:name[@location]   function        K:name[@location]   kernel, which has no marker
//   U:id:name              scope           P:id:name[@location]   point
//   W:32 or W:64           lanes of a wave
//   R:id:extra_payload_count=N              N raw words follow each marker `id`
//   M:shader_clock_bits=N;shader_clock_shift=S   headers have a packed clock
//
// Reading never fails. CRLF, blank lines and blanks around a row are taken as they come, rows stand in any order, and of
// several rows for one id the last one wins. A malformed row is left out; Funcmap::diagnostics names it.
//
// Needs C++17 and nothing beyond the standard library.

#ifndef ROCPROF_TRACE_DECODER_CXX_FUNCMAP_HPP
#define ROCPROF_TRACE_DECODER_CXX_FUNCMAP_HPP

#include "marker_encoding.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rocprof_trace_decoder {
namespace codeobj {

// The section's name in a code object.
inline constexpr std::string_view FUNCMAP_SECTION = ".sqtt_funcmap";

// What a row stands for; the value is its letter.
enum class FuncmapEntryKind : char { Function = 'F', Kernel = 'K', User = 'U', Point = 'P' };

// Something odd that was found on the way. An error means that the code object cannot be read; a warning does not.
struct FuncmapDiagnostic {
  enum class Severity { Warning, Error };

  Severity severity = Severity::Warning;
  // One line of printable text.
  std::string message;
  // The line of the section, from 1; 0 when the finding is about something else.
  std::size_t line = 0;
};

// An `F`, `K`, `U` or `P` row.
struct FuncmapEntry {
  FuncmapEntryKind kind = FuncmapEntryKind::Point;
  // 0 for a kernel, which has none.
  std::uint32_t id = 0;
  // The symbol (mangled) or label, percent-decoded: any bytes.
  std::string name;
  // `file:line`, and ` -> file:line` for every call it was inlined through; empty when the map does not say.
  std::string source_loc;
  // Where the function or kernel is when the code object is loaded at 0; 0 when it was inlined or is not known.
  std::uint64_t vaddr = 0;
  // How many raw words follow each marker with this id in the stream of its wave.
  std::uint32_t extra_payload_count = 0;

  // Whether markers of this row open and close scopes.
  bool is_scope() const noexcept { return kind == FuncmapEntryKind::Function || kind == FuncmapEntryKind::User; }
};

// A parsed map.
struct Funcmap {
  using EntryPtr = std::shared_ptr<FuncmapEntry>;

  // Every row that has a name, in order; also those whose id a later row took.
  std::vector<EntryPtr> entries;
  // The rows by id.
  std::unordered_map<std::uint32_t, EntryPtr> by_id;
  // The counts of the `R` rows by id, whether or not another row names that id.
  std::unordered_map<std::uint32_t, std::uint32_t> payload_counts;
  // Lanes of a wave, 32 or 64; empty when the map does not say.
  std::optional<std::uint32_t> wave_size;
  // The layout of headers: the last `M` row's; the one without a clock when there is none or that row is malformed.
  MarkerEncoding marker_encoding;
  // Malformed rows and ids that are there twice.
  std::vector<FuncmapDiagnostic> diagnostics;
  // Whether the last text ended with its NUL; if not, the section may be cut off.
  bool terminated = false;

  // The row of `id`, or null.
  EntryPtr find(std::uint32_t id) const {
    const auto found = by_id.find(id);
    return found == by_id.end() ? nullptr : found->second;
  }

  // Raw words after each marker `id`; 0 without an `R` row.
  std::uint32_t payload_count(std::uint32_t id) const {
    const auto found = payload_counts.find(id);
    return found == payload_counts.end() ? 0 : found->second;
  }
};

// Takes a word of unknown origin apart: ids that the map knows and bare exits have the map's layout, markers that the
// program gave by number keep all 30 bits. A number whose low bits are a known id cannot be told from that.
inline MarkerValue decode_marker_value(std::uint32_t word, const Funcmap &map) {
  const MarkerValue marker = decode_marker_value(word, map.marker_encoding);
  const bool is_known = marker.id != 0 && map.by_id.count(marker.id) != 0;
  return is_known || marker.is_bare_exit() ? marker : decode_marker_value(word);
}

// The bytes that the text of a row stands for: `%` and two hexadecimal digits are one byte, any other `%` is itself.
inline std::string percent_decode(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); at++) {
    const int high = text[at] == '%' && text.size() - at > 2 ? digit(text[at + 1]) : -1;
    const int low = high >= 0 ? digit(text[at + 2]) : -1;
    if (low < 0) {
      bytes.push_back(text[at]);
    } else {
      bytes.push_back(static_cast<char>(static_cast<unsigned char>(high * 16 + low)));
      at += 2;
    }
  }
  return bytes;
}

// Reads the bytes of a section.
inline Funcmap parse_funcmap(std::string_view section);

namespace detail {

// Blanks as they may stand around a row.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\f\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// `text` up to the first `separator`, and what is behind it; all of it and nothing when there is none.
inline std::pair<std::string_view, std::string_view> split_once(std::string_view text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

// A decimal number of 32 bits, without sign or blank.
inline std::optional<std::uint32_t> number(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(digit - '0');
    if (value > 0xFFFFFFFFu) return std::nullopt;
  }
  return static_cast<std::uint32_t>(value);
}

// `key=number` fields between semicolons, in any order; false when one is malformed, unknown or there twice.
template <std::size_t N>
bool fields(std::string_view text, const std::array<std::string_view, N> &keys,
            std::array<std::optional<std::uint32_t>, N> &values) {
  for (bool is_last = false; !is_last;) {
    const std::size_t end = text.find(';');
    is_last = end == std::string_view::npos;
    const auto [key, digits] = split_once(text.substr(0, end), '=');
    if (!is_last) text.remove_prefix(end + 1);
    const auto known = std::find(keys.begin(), keys.end(), key);
    if (known == keys.end()) return false;
    std::optional<std::uint32_t> &value = values[static_cast<std::size_t>(known - keys.begin())];
    if (value) return false;
    value = number(digits);
    if (!value) return false;
  }
  return true;
}

// A foreign text in one line of printable characters, shortened.
inline std::string shown(std::string_view text) {
  constexpr std::size_t limit = 120;
  constexpr char digits[] = "0123456789abcdef";
  std::string line;
  for (const char c : text.substr(0, limit)) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      line.push_back(c);
    } else {
      line.append("\\x").push_back(digits[byte >> 4]);
      line.push_back(digits[byte & 0xF]);
    }
  }
  return text.size() > limit ? line + "..." : line;
}

// Reads rows into a map.
class FuncmapParser {
 public:
  explicit FuncmapParser(Funcmap &map) : map_(map) {}

  // Reads one text: what stands between two NULs.
  void text(std::string_view text) {
    if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    for (bool is_last = false; !is_last;) {
      const std::size_t end = text.find('\n');
      is_last = end == std::string_view::npos;
      line(trimmed(text.substr(0, end)));
      if (!is_last) text.remove_prefix(end + 1);
    }
  }

  // Gives the rows the counts of the `R` rows, which may stand before or after them.
  void finish() {
    for (const Funcmap::EntryPtr &entry : map_.entries) {
      if (entry->kind != FuncmapEntryKind::Kernel) entry->extra_payload_count = map_.payload_count(entry->id);
    }
  }

 private:
  void line(std::string_view line) {
    line_++;
    if (line.empty()) return;
    if (const char *wrong = row(line)) warn(std::string(wrong) + " in `" + shown(line) + "`");
  }

  void warn(std::string message) {
    message.insert(0, "line " + std::to_string(line_) + ": ");
    map_.diagnostics.push_back({FuncmapDiagnostic::Severity::Warning, std::move(message), line_});
  }

  // Adds a row; gives what is wrong with it, or null.
  const char *row(std::string_view line) {
    if (line.size() < 2 || line[1] != ':') return "no row letter";
    const std::string_view rest = line.substr(2);
    switch (line[0]) {
      case 'F':
      case 'U':
      case 'P':
        return numbered(static_cast<FuncmapEntryKind>(line[0]), rest);
      case 'K':
        return named(FuncmapEntryKind::Kernel, 0, rest);
      case 'W':
        if (rest != "32" && rest != "64") return "no wave size of 32 or 64";
        map_.wave_size = rest == "32" ? 32 : 64;
        return nullptr;
      case 'R':
        return payload(rest);
      case 'M':
        map_.marker_encoding = MarkerEncoding{};
        return layout(rest);
      default:
        return "unknown row letter";
    }
  }

  const char *numbered(FuncmapEntryKind kind, std::string_view rest) {
    const auto [digits, name] = split_once(rest, ':');
    const std::optional<std::uint32_t> id = number(digits);
    return id ? named(kind, *id, name) : "no decimal id";
  }

  // Only the first `@` separates the location. A scope has none: an `@` in its name is part of it.
  const char *named(FuncmapEntryKind kind, std::uint32_t id, std::string_view rest) {
    const auto [name, location] =
        kind == FuncmapEntryKind::User ? std::pair(rest, std::string_view()) : split_once(rest, '@');
    if (name.empty()) return "no name";
    auto entry = std::make_shared<FuncmapEntry>();
    entry->kind = kind;
    entry->id = id;
    entry->name = percent_decode(name);
    entry->source_loc = percent_decode(location);
    map_.entries.push_back(entry);
    if (kind == FuncmapEntryKind::Kernel) return nullptr;
    const auto [place, is_new] = map_.by_id.insert_or_assign(id, std::move(entry));
    const std::size_t earlier = std::exchange(lines_[place->first], line_);
    if (!is_new) warn("id " + std::to_string(id) + " was named by line " + std::to_string(earlier) + " already");
    return nullptr;
  }

  const char *payload(std::string_view rest) {
    const auto [digits, count] = split_once(rest, ':');
    const std::optional<std::uint32_t> id = number(digits);
    if (!id) return "no decimal id";
    std::array<std::optional<std::uint32_t>, 1> values;
    if (!fields<1>(count, {"extra_payload_count"}, values)) return "no `extra_payload_count=N`";
    map_.payload_counts[*id] = *values[0];
    return nullptr;
  }

  const char *layout(std::string_view rest) {
    constexpr const char *wrong = "no `shader_clock_bits=N;shader_clock_shift=S`";
    std::array<std::optional<std::uint32_t>, 2> values;
    if (!fields<2>(rest, {"shader_clock_bits", "shader_clock_shift"}, values) || !values[0]) return wrong;
    // Without a clock there is nothing to shift.
    if (*values[0] == 0) return nullptr;
    if (!values[1]) return wrong;
    const MarkerEncoding encoding{*values[0], *values[1]};
    if (!encoding.is_valid()) return "impossible clock layout";
    map_.marker_encoding = encoding;
    return nullptr;
  }

  Funcmap &map_;
  std::size_t line_ = 0;
  // Where each id was named last.
  std::unordered_map<std::uint32_t, std::size_t> lines_;
};

}  // namespace detail

inline Funcmap parse_funcmap(std::string_view section) {
  Funcmap map;
  detail::FuncmapParser parser(map);
  map.terminated = !section.empty() && section.back() == '\0';
  while (!section.empty()) {
    const std::size_t end = std::min(section.find('\0'), section.size());
    if (end > 0) parser.text(section.substr(0, end));
    section.remove_prefix(std::min(end + 1, section.size()));
  }
  parser.finish();
  return map;
}

}  // namespace codeobj
}  // namespace rocprof_trace_decoder

#endif
