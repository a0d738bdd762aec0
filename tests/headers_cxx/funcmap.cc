// Reading maps: every kind of row, what is tolerated, and what is said of the rest.

#include <rocprof_trace_decoder/cxx/funcmap.hpp>

#include "check.hpp"

using namespace rocprof_trace_decoder::codeobj;
using namespace std::string_view_literals;

namespace {

// The map of a text without problems.
Funcmap clean(std::string_view section) {
  Funcmap map = parse_funcmap(section);
  for (const FuncmapDiagnostic &diagnostic : map.diagnostics) CHECK_EQUAL(diagnostic.message, "");
  return map;
}

// The only thing that is said of a text.
std::string complaint(std::string_view section) {
  const Funcmap map = parse_funcmap(section);
  CHECK_EQUAL(map.diagnostics.size(), std::size_t{1});
  if (map.diagnostics.empty()) return "";
  CHECK(map.diagnostics[0].severity == FuncmapDiagnostic::Severity::Warning);
  CHECK_EQUAL(map.diagnostics[0].message.find("line " + std::to_string(map.diagnostics[0].line) + ": "), 0u);
  return map.diagnostics[0].message;
}

}  // namespace

TEST(every_kind_of_row_is_read) {
  const Funcmap map = clean(
      "M:shader_clock_bits=12;shader_clock_shift=4\nF:1:_Z1fv@a.hip:3\nK:_Z1kv@a.hip:9\nU:2:load\nP:3:half\n"
      "P:4:addr_trace_load@b.h:5 -> a.hip:9\nR:4:extra_payload_count=130\nW:64\n\0"sv);
  CHECK_EQUAL(map.entries.size(), 5u);
  CHECK(map.terminated);
  const Funcmap::EntryPtr function = map.find(1);
  CHECK(function->kind == FuncmapEntryKind::Function && function->is_scope());
  CHECK_EQUAL(function->name, "_Z1fv");
  CHECK_EQUAL(function->source_loc, "a.hip:3");
  CHECK(map.entries[1]->kind == FuncmapEntryKind::Kernel && map.entries[1]->id == 0 && map.find(0) == nullptr);
  CHECK_EQUAL(map.entries[1]->source_loc, "a.hip:9");
  CHECK(map.find(2)->kind == FuncmapEntryKind::User && map.find(2)->is_scope());
  CHECK(map.find(3)->kind == FuncmapEntryKind::Point && !map.find(3)->is_scope());
  CHECK_EQUAL(map.find(3)->source_loc, "");
  CHECK_EQUAL(map.find(4)->source_loc, "b.h:5 -> a.hip:9");
  CHECK_EQUAL(map.find(4)->extra_payload_count, 130u);
  CHECK_EQUAL(map.find(3)->extra_payload_count, 0u);
  CHECK_EQUAL(map.wave_size.value_or(0), 64u);
  CHECK((map.marker_encoding == MarkerEncoding{12, 4}));
}

TEST(rows_stand_in_any_order_and_blanks_around_them_are_no_matter) {
  const Funcmap map = clean("\r\n  R:7:extra_payload_count=1\r\n\n\tP:7:data \x0C\r\n\0\0\n \0W:32\nR:9:extra_payload_count=2"sv);
  CHECK_EQUAL(map.find(7)->name, "data");
  CHECK_EQUAL(map.find(7)->extra_payload_count, 1u);
  CHECK_EQUAL(map.payload_count(9), 2u);
  CHECK_EQUAL(map.payload_count(1), 0u);
  CHECK_EQUAL(map.wave_size.value_or(0), 32u);
  CHECK(!map.terminated);
}

TEST(nothing_at_all_is_an_empty_map) {
  for (const std::string_view section : {""sv, "\0"sv, "\n"sv, "\0\0\n\r\n\0"sv}) {
    const Funcmap map = clean(section);
    CHECK(map.entries.empty() && map.by_id.empty() && !map.wave_size && !map.marker_encoding.has_shader_clock());
  }
}

TEST(names_and_locations_are_decoded) {
  CHECK_EQUAL(clean("U:1:a%0Ab%40c%25").find(1)->name, "a\nb@c%");
  CHECK_EQUAL(clean("F:1:f@a%0a:1").find(1)->source_loc, "a\n:1");
  CHECK(clean("U:1:%00%fF").find(1)->name == "\0\xFF"sv);
  CHECK_EQUAL(percent_decode("100%, %4 %zz %%41"), "100%, %4 %zz %A");
  CHECK_EQUAL(percent_decode("%"), "%");
  CHECK_EQUAL(percent_decode("%4"), "%4");
  CHECK(percent_decode("%\xFF" "1") == "%\xFF" "1");
}

TEST(the_first_at_begins_the_location_but_in_a_scope) {
  const Funcmap map = clean("P:1:a:b@c@d\nU:2:e@f\nF:3:g@");
  CHECK_EQUAL(map.find(1)->name, "a:b");
  CHECK_EQUAL(map.find(1)->source_loc, "c@d");
  CHECK_EQUAL(map.find(2)->name, "e@f");
  CHECK_EQUAL(map.find(3)->source_loc, "");
}

TEST(malformed_rows_are_named_and_left_out) {
  struct {
    const char *row, *reason;
  } const rows[] = {
      {"nonsense", "no row letter"},         {"F", "no row letter"},
      {":", "no row letter"},                {"X:1:a", "unknown row letter"},
      {"f:1:a", "unknown row letter"},       {"F:", "no decimal id"},
      {"F:x:a", "no decimal id"},            {"F:-1:a", "no decimal id"},
      {"F:+1:a", "no decimal id"},           {"F: 1:a", "no decimal id"},
      {"F:0x1:a", "no decimal id"},          {"U:4294967296:a", "no decimal id"},
      {"P:99999999999999999999999:a", "no decimal id"},
      {"F:1", "no name"},                    {"F:1:", "no name"},
      {"P:1:@a.hip:1", "no name"},           {"K:", "no name"},
      {"W:", "no wave size of 32 or 64"},    {"W:16", "no wave size of 32 or 64"},
      {"W:032", "no wave size of 32 or 64"}, {"R:", "no decimal id"},
      {"R:1", "no `extra_payload_count=N`"}, {"R:1:extra_payload_count=", "no `extra_payload_count=N`"},
      {"R:1:extra_payload_count=1;extra_payload_count=1", "no `extra_payload_count=N`"},
      {"R:1:count=1", "no `extra_payload_count=N`"},
      {"R:1:extra_payload_count=4294967296", "no `extra_payload_count=N`"},
  };
  for (const auto &[row, reason] : rows) {
    CHECK_EQUAL(complaint(std::string("\n") + row + "\n"), std::string("line 2: ") + reason + " in `" + row + "`");
    const Funcmap map = parse_funcmap(std::string(row) + "\nP:4294967295:last");
    CHECK(map.entries.size() == 1 && map.find(4294967295u) != nullptr && map.payload_counts.empty() && !map.wave_size);
  }
}

TEST(a_malformed_layout_is_the_one_without_a_clock) {
  const char *const rows[] = {"M:",
                              "M:shader_clock_bits=12",
                              "M:shader_clock_shift=4",
                              "M:shader_clock_bits=12;shader_clock_shift=",
                              "M:shader_clock_bits=12;shader_clock_shift=4;",
                              "M:shader_clock_bits=12;shader_clock_shift=4;more=1",
                              "M:shader_clock_bits=12;shader_clock_bits=12;shader_clock_shift=4",
                              "M:shader_clock_bits=30;shader_clock_shift=0",
                              "M:shader_clock_bits=1;shader_clock_shift=32",
                              "M:shader_clock_bits=12;shader_clock_shift=21",
                              "M:shader_clock_bits=4294967295;shader_clock_shift=4294967295"};
  for (const char *row : rows) {
    const Funcmap map = parse_funcmap(std::string("M:shader_clock_bits=8;shader_clock_shift=4\n") + row);
    CHECK_EQUAL(map.diagnostics.size(), 1u);
    CHECK(map.marker_encoding == MarkerEncoding{});
  }
}

TEST(layouts_that_are_fine_may_look_odd) {
  CHECK(clean("M:shader_clock_bits=0").marker_encoding == MarkerEncoding{});
  CHECK(clean("M:shader_clock_bits=0;shader_clock_shift=99").marker_encoding == MarkerEncoding{});
  CHECK((clean("M:shader_clock_shift=4;shader_clock_bits=012").marker_encoding == MarkerEncoding{12, 4}));
  CHECK((clean("M:shader_clock_bits=29;shader_clock_shift=3").marker_encoding == MarkerEncoding{29, 3}));
}

TEST(of_several_rows_the_last_one_wins) {
  const Funcmap map = parse_funcmap(
      "F:1:old\nW:32\nR:1:extra_payload_count=1\nM:shader_clock_bits=8;shader_clock_shift=4\n\0"
      "P:1:new\nW:64\nR:1:extra_payload_count=2\nM:shader_clock_bits=12;shader_clock_shift=4\n\0"sv);
  CHECK_EQUAL(map.find(1)->name, "new");
  CHECK_EQUAL(map.entries.size(), 2u);
  CHECK_EQUAL(map.payload_count(1), 2u);
  CHECK_EQUAL(map.entries[0]->extra_payload_count, 2u);
  CHECK_EQUAL(map.wave_size.value_or(0), 64u);
  CHECK((map.marker_encoding == MarkerEncoding{12, 4}));
  CHECK_EQUAL(map.diagnostics.size(), 1u);
  CHECK_EQUAL(map.diagnostics.at(0).message, "line 5: id 1 was named by line 1 already");
}

TEST(messages_are_one_short_printable_line) {
  CHECK_EQUAL(complaint("F:\x01\x7F\xFF:a"), "line 1: no decimal id in `F:\\x01\\x7f\\xff:a`");
  CHECK_EQUAL(complaint(std::string(100000, 'x')), "line 1: no row letter in `" + std::string(120, 'x') + "...`");
}

TEST(a_copy_of_a_map_reads_like_the_map) {
  Funcmap copy;
  {
    const Funcmap map = parse_funcmap("U:1:scope");
    copy = map;
  }
  CHECK_EQUAL(copy.find(1)->name, "scope");
  CHECK(copy.find(2) == nullptr);
}
