// The words of markers: masks and decoding, with and without a map.

#include <rocprof_trace_decoder/cxx/funcmap.hpp>
#include <rocprof_trace_decoder/cxx/marker_encoding.hpp>

#include "check.hpp"

using namespace rocprof_trace_decoder::codeobj;

namespace {

struct Masks {
  MarkerEncoding encoding;
  std::uint32_t id, clock, source;
};

void has_masks(const Masks &expected) {
  CHECK_EQUAL(expected.encoding.marker_id_mask(), expected.id);
  CHECK_EQUAL(expected.encoding.packed_shader_clock_mask(), expected.clock);
  CHECK_EQUAL(expected.encoding.shader_clock_source_mask(), expected.source);
}

}  // namespace

TEST(masks_are_the_known_answers) {
  has_masks({{0, 0}, 0xFFFFFFFC, 0, 0});
  has_masks({{0, 99}, 0xFFFFFFFC, 0, 0});
  has_masks({{12, 4}, 0x000FFFFC, 0xFFF00000, 0x0000FFF0});
  has_masks({{29, 3}, 0x00000004, 0xFFFFFFF8, 0xFFFFFFF8});
  has_masks({{1, 31}, 0x7FFFFFFC, 0x80000000, 0x80000000});
}

TEST(an_impossible_layout_is_decoded_as_one_without_a_clock) {
  const MarkerEncoding impossible[] = {{30, 0}, {0xFFFFFFFF, 0}, {12, 21}, {1, 32}, {1, 0xFFFFFFFF}, {29, 0xFFFFFFFC}};
  for (const MarkerEncoding &encoding : impossible) {
    CHECK(encoding.has_shader_clock() && !encoding.is_valid());
    has_masks({encoding, 0xFFFFFFFC, 0, 0});
    CHECK_EQUAL(encoding.decode_shader_clock(0xFFFFFFFF), 0u);
    CHECK_EQUAL(decode_marker_value(0xFFFFFFFE, encoding).id, 0x3FFFFFFFu);
  }
  const MarkerEncoding possible[] = {{0, 0}, {0, 0xFFFFFFFF}, {29, 3}, {1, 31}, {12, 20}};
  for (const MarkerEncoding &encoding : possible) CHECK(encoding.is_valid());
}

TEST(words_without_a_clock_have_all_id_bits) {
  CHECK((decode_marker_value(18) == MarkerValue{4, true, false}));
  CHECK((decode_marker_value(252) == MarkerValue{63, false, false}));
  CHECK((decode_marker_value(15) == MarkerValue{3, true, true}));
  CHECK((decode_marker_value(1) == MarkerValue{0, false, true}));
  CHECK((decode_marker_value(0xFFFFFFFF) == MarkerValue{0x3FFFFFFF, true, true}));
}

TEST(id_0_is_a_no_op_but_for_the_bare_exit) {
  CHECK(decode_marker_value(1).is_bare_exit() && !decode_marker_value(1).is_no_op());
  for (const std::uint32_t word : {0u, 2u, 3u}) CHECK(decode_marker_value(word).is_no_op());
  CHECK(!decode_marker_value(4).is_no_op() && !decode_marker_value(5).is_bare_exit());
}

TEST(packed_words_have_the_clock_right_aligned) {
  const MarkerEncoding encoding{12, 4};
  CHECK((decode_marker_value(0xABC000AA, encoding) == MarkerValue{42, true, false}));
  CHECK_EQUAL(encoding.decode_shader_clock(0xABC000AA), 0xABCu);
  CHECK_EQUAL(encoding.decode_shader_clock(0x000FFFFF), 0u);
  CHECK_EQUAL((MarkerEncoding{29, 0}.decode_shader_clock(0xFFFFFFFF)), 0x1FFFFFFFu);
}

TEST(only_known_ids_and_bare_exits_are_read_as_packed) {
  const Funcmap map = parse_funcmap("M:shader_clock_bits=12;shader_clock_shift=4\nF:3:f\n");
  CHECK((decode_marker_value(0x1000000C, map) == MarkerValue{3, false, false}));
  CHECK((decode_marker_value(0x1000000F, map) == MarkerValue{3, true, true}));
  CHECK((decode_marker_value(0x10000001, map) == MarkerValue{0, false, true}));
  CHECK((decode_marker_value(0x10000010, map) == MarkerValue{0x4000004, false, false}));
  CHECK((decode_marker_value(0x10000003, map) == MarkerValue{0x4000000, true, true}));
  // Whoever knows that it is a header says so.
  CHECK((decode_marker_value(0x10000010, map.marker_encoding) == MarkerValue{4, false, false}));
}

TEST(a_map_that_names_id_0_makes_no_clock_of_a_number) {
  const Funcmap map = parse_funcmap("M:shader_clock_bits=12;shader_clock_shift=4\nP:0:zero\n");
  CHECK_EQUAL(decode_marker_value(0x10000000, map).id, 0x4000000u);
}

TEST(everything_about_words_is_known_when_compiling) {
  constexpr MarkerEncoding encoding{12, 4};
  static_assert(encoding.is_valid() && encoding.has_shader_clock() && encoding.marker_id_mask() == 0xFFFFC, "");
  static_assert(decode_marker_value(0xABC000AA, encoding) != decode_marker_value(0xABC000AA), "");
  static_assert(encoding != MarkerEncoding{}, "");
  CHECK(encoding == (MarkerEncoding{12, 4}));
}
