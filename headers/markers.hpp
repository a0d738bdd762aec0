// Device-side markers of SQTT, the trace that an AMD GPU writes while a kernel runs.
//
//   sqtt_marker_enter("load");              opens a scope for the wave
//   sqtt_marker_point("half way");          an event; opens and closes nothing
//   sqtt_marker_data("rows", count);        an event followed by one 32-bit payload
//   sqtt_marker_exit("load");               closes the scope on top, whatever its name
//   SQTT_SCOPE("store");                    a scope from here to the end of the block, whichever way that is left
//
// enter, exit, point and SQTT_SCOPE also take a number instead of a name.
//
// Markers exist only where SQTT_ENABLED is defined to a non-zero number (`sqtt-hipcc` defines it to 1). Anywhere else
// a call compiles to nothing at every optimisation level, and then, as with assert(), its arguments are type-checked
// but NOT evaluated: leave no side effect in them. While markers are on, arguments are evaluated as for any function.
//
// Names need the pass plugin: it turns the call with its string literal into an instruction and records the name in
// the code object. Without the plugin the device link fails and names `__sqtt_named_marker_enter` (or exit, point,
// data), so that no marker is lost in silence.
//
// Numbers need no plugin. Whatever converts to a 32-bit unsigned number is taken: any integer, an enumerator, a
// `threadIdx.x`. The word in the trace is the low 30 bits of the number, shifted left by two, plus the flags; a value
// that differs between lanes is read from the first active one. A scope or point given by number has no name in the
// code object.
//
// The id 0 is reserved: readers ignore such a marker, and the exit behind it closes the scope around it. Where markers
// are emitted, clang refuses a constant whose low 30 bits are 0; a value of run time is traced as it is. The number of
// an exit is not traced, so it may be 0.
//
// Host code may make the same calls, so that `__host__ __device__` functions compile; they do nothing there.
//
// Needs C++11, no other header, and either HIP or any plain C++ compiler (which sees host code only).

#ifndef SQTT_MARKERS_HPP
#define SQTT_MARKERS_HPP

#ifndef __cplusplus
#error "markers.hpp needs C++: compile this file as C++ or HIP, or do not include it"
#endif

// Helper macros of this file; all but the include guard and what SQTT_SCOPE is made of are undefined again at its end.

#if defined(SQTT_ENABLED) && (SQTT_ENABLED + 0)
#define SQTT_MARKERS_ON 1
#else
#define SQTT_MARKERS_ON 0
#endif

// The pass of the compiler that makes GPU code. HIP defines __AMDGCN__ in its host pass as well.
#if SQTT_MARKERS_ON && (defined(__HIP__) ? defined(__HIP_DEVICE_COMPILE__) : defined(__AMDGCN__))
#define SQTT_MARKERS_EMIT 1
#else
#define SQTT_MARKERS_EMIT 0
#endif

// HIP's own __device__ and __host__ are macros of a header that may not have been included.
#if defined(__HIP__)
#define SQTT_MARKERS_DEVICE __attribute__((device))
#define SQTT_MARKERS_HOST_DEVICE __attribute__((host, device))
#else
#define SQTT_MARKERS_DEVICE
#define SQTT_MARKERS_HOST_DEVICE
#endif

// nodebug: the marker instruction belongs to the line of the call, not to a line of this file.
#if defined(__clang__)
#define SQTT_MARKERS_NODEBUG __attribute__((nodebug))
#else
#define SQTT_MARKERS_NODEBUG
#endif
#define SQTT_MARKERS_METHOD inline __attribute__((always_inline)) SQTT_MARKERS_NODEBUG SQTT_MARKERS_HOST_DEVICE
#define SQTT_MARKERS_INLINE static SQTT_MARKERS_METHOD

#define SQTT_MARKERS_U32 __UINT32_TYPE__

// The result type of a function that takes a number: void where a `Number` converts to one. For anything else (a
// pointer, a std::string) the overload does not exist, so a literal finds the one with a name, and 0 the one with a
// number. It does not trail, because no attribute can stand behind a result type that does.
template <class Number> SQTT_MARKERS_HOST_DEVICE Number &sqtt_marker_number();
#define SQTT_MARKERS_NUMBER static_cast<void>(static_cast<SQTT_MARKERS_U32>(sqtt_marker_number<Number>()))
#define SQTT_MARKERS_IF_NUMBER decltype(SQTT_MARKERS_NUMBER)

// Behind a declaration: refuses calls with the reserved id where the compiler knows it. The question whether it does
// lets types pass that never convert in a constant expression, such as that of HIP's `threadIdx.x`.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat" // diagnose_if is clang's own
#endif
#if SQTT_MARKERS_EMIT && defined(__has_attribute)
#if __has_attribute(diagnose_if)
#define SQTT_MARKERS_TRACED(id) (static_cast<SQTT_MARKERS_U32>(id) << 2)
#define SQTT_MARKERS_NOT_ZERO(id)                                                                                      \
  __attribute__((diagnose_if(__builtin_constant_p(SQTT_MARKERS_TRACED(id)) && SQTT_MARKERS_TRACED(id) == 0u,           \
                             "the marker id 0 is reserved, and readers ignore it: use 1 to 0x3fffffff", "error")))
#endif
#endif
#ifndef SQTT_MARKERS_NOT_ZERO
#define SQTT_MARKERS_NOT_ZERO(id)
#endif

#if SQTT_MARKERS_EMIT

// Defined nowhere: the pass replaces the calls. convergent and nomerge keep two calls apart whose labels differ.
#define SQTT_MARKERS_SENTINEL extern "C" SQTT_MARKERS_DEVICE __attribute__((convergent, nomerge)) void
SQTT_MARKERS_SENTINEL __sqtt_named_marker_enter(const char *name);
SQTT_MARKERS_SENTINEL __sqtt_named_marker_exit(const char *name);
SQTT_MARKERS_SENTINEL __sqtt_named_marker_point(const char *name);
SQTT_MARKERS_SENTINEL __sqtt_named_marker_data(const char *name, SQTT_MARKERS_U32 value);
#undef SQTT_MARKERS_SENTINEL

#define SQTT_MARKERS_NAMED(kind, ...) __sqtt_named_marker_##kind(__VA_ARGS__)
#define SQTT_MARKERS_CLOSE_NAMED() __sqtt_named_marker_exit("scope")

// The scheduling barrier keeps the instructions on either side where they are. The empty assembly costs nothing: it
// keeps the branch around a block that no lane enters, which the backend drops from a cheap block, and LLVM 19
// crashes at -g when the values of variables begin right behind a scheduling barrier.
#define SQTT_MARKERS_HOLD()                                                                                            \
  __builtin_amdgcn_sched_barrier(0);                                                                                   \
  __asm__ volatile("")

// Bit 0 of the word pops the top scope, bit 1 pushes the id in bits 31:2.
#define SQTT_MARKERS_WORD(id, flags)                                                                                   \
  SQTT_MARKERS_HOLD();                                                                                                 \
  __builtin_amdgcn_s_ttracedata(static_cast<int>((static_cast<SQTT_MARKERS_U32>(id) << 2) | (flags)));                 \
  SQTT_MARKERS_HOLD()

#else

#define SQTT_MARKERS_NAMED(kind, ...) static_cast<void>(name)
#define SQTT_MARKERS_CLOSE_NAMED() static_cast<void>(0)
#define SQTT_MARKERS_WORD(id, flags) static_cast<void>(id)

#endif

// Opens the scope `name`. The name is one string literal; equal names are one scope.
SQTT_MARKERS_INLINE void sqtt_marker_enter(const char *name) { SQTT_MARKERS_NAMED(enter, name); }

// Opens the scope with the number `id`.
template <class Number>
SQTT_MARKERS_INLINE SQTT_MARKERS_IF_NUMBER sqtt_marker_enter(Number id) SQTT_MARKERS_NOT_ZERO(id);
template <class Number>
SQTT_MARKERS_INLINE SQTT_MARKERS_IF_NUMBER sqtt_marker_enter(Number id) {
  SQTT_MARKERS_WORD(id, 2u);
}

// Closes the scope on top. The name says to a reader of the source which one that is; nothing checks it.
SQTT_MARKERS_INLINE void sqtt_marker_exit(const char *name) { SQTT_MARKERS_NAMED(exit, name); }

// Closes the scope on top; `id` is for the reader of the source.
template <class Number>
SQTT_MARKERS_INLINE SQTT_MARKERS_IF_NUMBER sqtt_marker_exit(Number id) {
  static_cast<void>(id);
  SQTT_MARKERS_WORD(0u, 1u);
}

// Records the event `name`.
SQTT_MARKERS_INLINE void sqtt_marker_point(const char *name) { SQTT_MARKERS_NAMED(point, name); }

// Records the event with the number `id`.
template <class Number>
SQTT_MARKERS_INLINE SQTT_MARKERS_IF_NUMBER sqtt_marker_point(Number id) SQTT_MARKERS_NOT_ZERO(id);
template <class Number>
SQTT_MARKERS_INLINE SQTT_MARKERS_IF_NUMBER sqtt_marker_point(Number id) {
  SQTT_MARKERS_WORD(id, 0u);
}

// Records the event `name` and the 32 bits of `value`: a number is converted, so pass the bits of a float as an
// integer. Of values that differ between lanes the first active one is recorded.
template <class Number>
SQTT_MARKERS_INLINE SQTT_MARKERS_IF_NUMBER sqtt_marker_data(const char *name, Number value) {
  static_cast<void>(value);
  SQTT_MARKERS_NAMED(data, name, static_cast<SQTT_MARKERS_U32>(value));
}

// The objects of SQTT_SCOPE: they open a scope and close the one on top when their block is left. Where only some lanes
// leave it, by a `return` in a branch, the scope of the wave closes where the ways out meet.
class sqtt_marker_named_scope {
public:
  SQTT_MARKERS_METHOD explicit sqtt_marker_named_scope(const char *name) { SQTT_MARKERS_NAMED(enter, name); }
  SQTT_MARKERS_METHOD ~sqtt_marker_named_scope() { SQTT_MARKERS_CLOSE_NAMED(); }
  sqtt_marker_named_scope(const sqtt_marker_named_scope &) = delete;
  sqtt_marker_named_scope &operator=(const sqtt_marker_named_scope &) = delete;
};

class sqtt_marker_numbered_scope {
public:
  template <class Number> SQTT_MARKERS_METHOD explicit sqtt_marker_numbered_scope(Number id) SQTT_MARKERS_NOT_ZERO(id);
  SQTT_MARKERS_METHOD ~sqtt_marker_numbered_scope() { SQTT_MARKERS_WORD(0u, 1u); }
  sqtt_marker_numbered_scope(const sqtt_marker_numbered_scope &) = delete;
  sqtt_marker_numbered_scope &operator=(const sqtt_marker_numbered_scope &) = delete;
};
template <class Number>
SQTT_MARKERS_METHOD sqtt_marker_numbered_scope::sqtt_marker_numbered_scope(Number id) {
  SQTT_MARKERS_WORD(id, 2u);
}

// Which of the two: these are declared for their types and never called.
SQTT_MARKERS_HOST_DEVICE sqtt_marker_named_scope sqtt_marker_scope_of(const char *name);
template <class Number>
SQTT_MARKERS_HOST_DEVICE decltype(SQTT_MARKERS_NUMBER, static_cast<sqtt_marker_numbered_scope (*)()>(nullptr)())
sqtt_marker_scope_of(Number id);

// On: an object with a name of its own line. It is a declaration, so as the whole of an `if` or a loop it opens and closes
// around nothing.
// Off: the arm that is not taken keeps the call type-checked and its arguments used, without evaluating them.
// A functional cast, so that `::sqtt_marker_enter("x")` stays one expression.
#if SQTT_MARKERS_ON
#define SQTT_SCOPE_JOIN_(name, line) name##line
#define SQTT_SCOPE_NAME_(line) SQTT_SCOPE_JOIN_(sqtt_scope_of_line_, line)
#define SQTT_SCOPE(...) const decltype(::sqtt_marker_scope_of(__VA_ARGS__)) SQTT_SCOPE_NAME_(__LINE__)((__VA_ARGS__))
#else
typedef void sqtt_marker_nothing SQTT_MARKERS_NODEBUG;
#define sqtt_marker_enter(...) sqtt_marker_nothing(true ? void() : (sqtt_marker_enter)(__VA_ARGS__))
#define sqtt_marker_exit(...) sqtt_marker_nothing(true ? void() : (sqtt_marker_exit)(__VA_ARGS__))
#define sqtt_marker_point(...) sqtt_marker_nothing(true ? void() : (sqtt_marker_point)(__VA_ARGS__))
#define sqtt_marker_data(...) sqtt_marker_nothing(true ? void() : (sqtt_marker_data)(__VA_ARGS__))
#define SQTT_SCOPE(...) sqtt_marker_enter(__VA_ARGS__)
#endif

#ifdef __clang__
#pragma clang diagnostic pop
#endif

#undef SQTT_MARKERS_ON
#undef SQTT_MARKERS_EMIT
#undef SQTT_MARKERS_DEVICE
#undef SQTT_MARKERS_HOST_DEVICE
#undef SQTT_MARKERS_NODEBUG
#undef SQTT_MARKERS_METHOD
#undef SQTT_MARKERS_INLINE
#undef SQTT_MARKERS_U32
#undef SQTT_MARKERS_NUMBER
#undef SQTT_MARKERS_IF_NUMBER
#undef SQTT_MARKERS_TRACED
#undef SQTT_MARKERS_NOT_ZERO
#undef SQTT_MARKERS_NAMED
#undef SQTT_MARKERS_CLOSE_NAMED
#undef SQTT_MARKERS_HOLD
#undef SQTT_MARKERS_WORD

#endif
