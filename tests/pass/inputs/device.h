// Device environment of the pass tests: no HIP headers, no header of ours, only the calls that the plugin knows.
#pragma once
typedef unsigned u32;
#define DEVICE __attribute__((device))
#define KERNEL __attribute__((global))
#define SHARED __attribute__((shared))
#define NOINLINE DEVICE __attribute__((noinline))
#define WRAPPER static DEVICE inline __attribute__((always_inline))
extern "C" DEVICE void __sqtt_named_marker_enter(const char *);
extern "C" DEVICE void __sqtt_named_marker_exit(const char *);
extern "C" DEVICE void __sqtt_named_marker_point(const char *);
extern "C" DEVICE void __sqtt_named_marker_data(const char *, u32);
WRAPPER void enter(const char *name) { __sqtt_named_marker_enter(name); }
WRAPPER void leave(const char *name) { __sqtt_named_marker_exit(name); }
WRAPPER void point(const char *name) { __sqtt_named_marker_point(name); }
WRAPPER void number(u32 value) { __builtin_amdgcn_s_ttracedata((int)value); }
WRAPPER u32 lane() { return __builtin_amdgcn_workitem_id_x(); }
