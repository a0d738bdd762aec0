// The 32-bit word that a marker writes into the trace: its layouts, and how a word is taken apart.
//
//    31                            2     1      0        packed   31        20 19        2     1      0
//   +-------------------------------+-------+------+             +------------+-----------+-------+------+
//   |          id (30 bits)         | enter | exit |             | clock bits |    id     | enter | exit |
//   +-------------------------------+-------+------+             +------------+-----------+-------+------+
//
// Whether an id stands for a function, a scope or a point is not in the word: funcmap.hpp reads the map that says so, and
// has the decode_marker_value() to use for words of unknown origin.
//
// Needs C++17 and nothing beyond the standard library.

#ifndef ROCPROF_TRACE_DECODER_CXX_MARKER_ENCODING_HPP
#define ROCPROF_TRACE_DECODER_CXX_MARKER_ENCODING_HPP

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "the decoder headers need C++17: compile this file with -std=c++17 or later"
#endif

#include <cstdint>

namespace rocprof_trace_decoder {
namespace codeobj {

// What a marker does to the stack of scopes of its wave, and the id it carries.
struct MarkerValue {
  // 1 to 2^30-1; 0 in a bare exit.
  std::uint32_t id = 0;
  // Opens scope `id`; after the exit, when both are set.
  bool is_enter = false;
  // Closes the scope on top.
  bool exit_prev = false;

  // Closes the scope on top and does nothing else.
  constexpr bool is_bare_exit() const noexcept { return id == 0 && exit_prev && !is_enter; }

  // Id 0 is reserved and means nothing but in a bare exit.
  constexpr bool is_no_op() const noexcept { return id == 0 && !is_bare_exit(); }
};

constexpr bool operator==(const MarkerValue &a, const MarkerValue &b) noexcept {
  return a.id == b.id && a.is_enter == b.is_enter && a.exit_prev == b.exit_prev;
}

constexpr bool operator!=(const MarkerValue &a, const MarkerValue &b) noexcept { return !(a == b); }

namespace detail {

// The `count` lowest bits, of 0 to 32.
constexpr std::uint32_t low_bits(std::uint32_t count) noexcept {
  return count >= 32 ? 0xFFFFFFFFu : (std::uint32_t{1} << count) - 1;
}

}  // namespace detail

// The layout of marker headers in one code object. Without a packed clock (the default) the id has 30 bits.
//
// A layout that cannot be (is_valid() is false) is decoded as one without a clock.
struct MarkerEncoding {
  // How many high bits of the word hold the shader clock: 0 (none) to 29.
  std::uint32_t shader_clock_bits = 0;
  // The bit of the shader clock that the sampled window starts at.
  std::uint32_t shader_clock_shift = 0;

  // Whether the layout asks for a clock; whether it can be one says is_valid().
  constexpr bool has_shader_clock() const noexcept { return shader_clock_bits != 0; }

  // Whether an id bit is left and the window lies within bits 31:0 of the clock. Without a clock the shift is no matter.
  constexpr bool is_valid() const noexcept {
    return shader_clock_bits == 0 ||
           (shader_clock_bits <= 29 && shader_clock_shift < 32 && shader_clock_bits + shader_clock_shift <= 32);
  }

  // The bits of a word that hold the id.
  constexpr std::uint32_t marker_id_mask() const noexcept { return detail::low_bits(30 - clock_bits()) << 2; }

  // The bits of a word that hold the clock.
  constexpr std::uint32_t packed_shader_clock_mask() const noexcept { return ~(marker_id_mask() | 3u); }

  // The bits of the shader clock's low word that are sampled.
  constexpr std::uint32_t shader_clock_source_mask() const noexcept {
    return clock_bits() == 0 ? 0 : detail::low_bits(clock_bits()) << shader_clock_shift;
  }

  // The sampled clock in a word that is known to be a header, right-aligned, in units of 2^shader_clock_shift cycles;
  // 0 without a clock.
  constexpr std::uint32_t decode_shader_clock(std::uint32_t word) const noexcept {
    return clock_bits() == 0 ? 0 : word >> (32 - clock_bits());
  }

 private:
  constexpr std::uint32_t clock_bits() const noexcept { return is_valid() ? shader_clock_bits : 0; }
};

constexpr bool operator==(const MarkerEncoding &a, const MarkerEncoding &b) noexcept {
  return a.shader_clock_bits == b.shader_clock_bits && a.shader_clock_shift == b.shader_clock_shift;
}

constexpr bool operator!=(const MarkerEncoding &a, const MarkerEncoding &b) noexcept { return !(a == b); }

// Takes a word apart that is known to be a header of that layout.
constexpr MarkerValue decode_marker_value(std::uint32_t word, const MarkerEncoding &encoding) noexcept {
  return MarkerValue{(word & encoding.marker_id_mask()) >> 2, (word & 2u) != 0, (word & 1u) != 0};
}

// Takes a word apart that has no packed clock: a marker given by number, or any of a code object without an `M:` row.
constexpr MarkerValue decode_marker_value(std::uint32_t word) noexcept {
  return decode_marker_value(word, MarkerEncoding{});
}

}  // namespace codeobj
}  // namespace rocprof_trace_decoder

#endif
