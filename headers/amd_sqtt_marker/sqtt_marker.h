// The device API in AMD's newer spelling, for HIP, C++, C and OpenCL.
//
//   sqtt_marker_enter("load");              opens a scope for the wave
//   sqtt_marker_point("half way");          an event; opens and closes nothing
//   sqtt_marker_data("rows", count);        an event followed by one 32-bit payload
//   sqtt_marker_exit("load");               closes the scope on top, whatever its name
//
//   sqtt_marker_enter_id(7);                the same by number; these need no pass plugin
//   sqtt_marker_point_id(8);
//   sqtt_marker_exit_id(7);
//
// Markers exist where AMD_SQTT_MARKER_ENABLE or SQTT_ENABLED is defined to a non-zero number on the command line
// (`sqtt-hipcc` defines SQTT_ENABLED). Anywhere else, and for the host, a call compiles to nothing; where they are off its
// arguments are type-checked and not evaluated.
//
// In C++ this is markers.hpp under another name, and both may be included. C and OpenCL have the functions above and no
// SQTT_SCOPE. A number is taken modulo 2^30, and of lanes that differ the first active one's. The id 0 is reserved, and
// readers ignore it: where markers are emitted, clang refuses it as a constant, except in an exit, which traces no id.

#ifndef AMD_SQTT_MARKER_SQTT_MARKER_H
#define AMD_SQTT_MARKER_SQTT_MARKER_H

#if !defined(SQTT_ENABLED) && defined(AMD_SQTT_MARKER_ENABLE)
#define SQTT_ENABLED AMD_SQTT_MARKER_ENABLE
#endif

#ifdef __cplusplus

#include "../markers.hpp"

#define sqtt_marker_enter_id(id) sqtt_marker_enter(static_cast<__UINT32_TYPE__>(id))
#define sqtt_marker_exit_id(id) sqtt_marker_exit(static_cast<__UINT32_TYPE__>(id))
#define sqtt_marker_point_id(id) sqtt_marker_point(static_cast<__UINT32_TYPE__>(id))

#else

/* Helper macros of this file; they are undefined again at its end. */

#if defined(SQTT_ENABLED) && (SQTT_ENABLED + 0)
#define SQTT_MARKER_ON 1
#else
#define SQTT_MARKER_ON 0
#endif

/* The text of a string literal. */
#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__)
#define SQTT_MARKER_NAME const __constant char *
#else
#define SQTT_MARKER_NAME const char *
#endif

#ifdef __clang__
#define SQTT_MARKER_INLINE static inline __attribute__((always_inline, nodebug)) void
#else
#define SQTT_MARKER_INLINE static inline __attribute__((always_inline)) void
#endif

#if SQTT_MARKER_ON && defined(__AMDGCN__)

/* Defined nowhere: the pass replaces the calls. */
#define SQTT_MARKER_SENTINEL __attribute__((convergent, nomerge)) void
SQTT_MARKER_SENTINEL sqtt_marker_enter(SQTT_MARKER_NAME name);
SQTT_MARKER_SENTINEL sqtt_marker_exit(SQTT_MARKER_NAME name);
SQTT_MARKER_SENTINEL sqtt_marker_point(SQTT_MARKER_NAME name);
SQTT_MARKER_SENTINEL sqtt_marker_data(SQTT_MARKER_NAME name, __UINT32_TYPE__ value);
#undef SQTT_MARKER_SENTINEL

/* As in markers.hpp: bit 0 pops the top scope, bit 1 pushes the id in bits 31:2, and the code around it stays there. */
SQTT_MARKER_INLINE sqtt_marker_word(__UINT32_TYPE__ word) {
  __builtin_amdgcn_sched_barrier(0);
  __asm__ volatile("");
  __builtin_amdgcn_s_ttracedata((int)word);
  __builtin_amdgcn_sched_barrier(0);
  __asm__ volatile("");
}

/* As in markers.hpp: refuses a constant that is the reserved id. -Wgcc-compat: diagnose_if is clang's own. */
#ifdef __has_attribute
#if __has_attribute(diagnose_if)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
#define SQTT_MARKER_NOT_ZERO(id)                                                                                       \
  __attribute__((diagnose_if((id) << 2 == 0u,                                                                          \
                             "the marker id 0 is reserved, and readers ignore it: use 1 to 0x3fffffff", "error")))
SQTT_MARKER_INLINE sqtt_marker_enter_id(__UINT32_TYPE__ id) SQTT_MARKER_NOT_ZERO(id);
SQTT_MARKER_INLINE sqtt_marker_point_id(__UINT32_TYPE__ id) SQTT_MARKER_NOT_ZERO(id);
#undef SQTT_MARKER_NOT_ZERO
#pragma clang diagnostic pop
#endif
#endif

SQTT_MARKER_INLINE sqtt_marker_enter_id(__UINT32_TYPE__ id) { sqtt_marker_word(id << 2 | 2u); }
SQTT_MARKER_INLINE sqtt_marker_exit_id(__UINT32_TYPE__ id) {
  (void)id;
  sqtt_marker_word(1u);
}
SQTT_MARKER_INLINE sqtt_marker_point_id(__UINT32_TYPE__ id) { sqtt_marker_word(id << 2); }

#else

SQTT_MARKER_INLINE sqtt_marker_enter(SQTT_MARKER_NAME name) { (void)name; }
SQTT_MARKER_INLINE sqtt_marker_exit(SQTT_MARKER_NAME name) { (void)name; }
SQTT_MARKER_INLINE sqtt_marker_point(SQTT_MARKER_NAME name) { (void)name; }
SQTT_MARKER_INLINE sqtt_marker_data(SQTT_MARKER_NAME name, __UINT32_TYPE__ value) {
  (void)name;
  (void)value;
}
SQTT_MARKER_INLINE sqtt_marker_enter_id(__UINT32_TYPE__ id) { (void)id; }
SQTT_MARKER_INLINE sqtt_marker_exit_id(__UINT32_TYPE__ id) { (void)id; }
SQTT_MARKER_INLINE sqtt_marker_point_id(__UINT32_TYPE__ id) { (void)id; }

/* Off: the arm that is not taken is type-checked and not evaluated. A macro does not expand in itself. */
#if !SQTT_MARKER_ON
#define sqtt_marker_enter(name) ((void)(1 ? (void)0 : sqtt_marker_enter(name)))
#define sqtt_marker_exit(name) ((void)(1 ? (void)0 : sqtt_marker_exit(name)))
#define sqtt_marker_point(name) ((void)(1 ? (void)0 : sqtt_marker_point(name)))
#define sqtt_marker_data(name, value) ((void)(1 ? (void)0 : sqtt_marker_data(name, value)))
#define sqtt_marker_enter_id(id) ((void)(1 ? (void)0 : sqtt_marker_enter_id(id)))
#define sqtt_marker_exit_id(id) ((void)(1 ? (void)0 : sqtt_marker_exit_id(id)))
#define sqtt_marker_point_id(id) ((void)(1 ? (void)0 : sqtt_marker_point_id(id)))
#endif

#endif

#undef SQTT_MARKER_ON
#undef SQTT_MARKER_NAME
#undef SQTT_MARKER_INLINE

#endif

#endif
