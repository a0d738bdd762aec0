// OpenCL kernels are instrumented like those of HIP; the body that clang 22 outlines of each is no function of the user's.
// RUN: for level in -O0 -O1 -O2 -O3 -Os; do \
// RUN:   SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 %clang -x cl -cl-std=CL2.0 -nogpulib -g $level \
// RUN:     -Xclang -finclude-default-header --target=amdgcn-amd-amdhsa -mcpu=gfx1100 -fpass-plugin=%plugin %s -o %t.co; \
// RUN:   %rows %t.co | %FileCheck %s --implicit-check-not=__clang_ocl --implicit-check-not=F:; \
// RUN:   %disassemble %t.co | %FileCheck %s --check-prefix=CODE; \
// RUN: done
// RUN: SQTT_INSTRUMENT_FUNCTIONS=1 %clang -x cl -cl-std=CL2.0 -nogpulib -O2 -Xclang -finclude-default-header \
// RUN:   --target=amdgcn-amd-amdhsa -mcpu=gfx1100 -DCALLED -fpass-plugin=%plugin %s -o %t.co
// RUN: %rows %t.co | %FileCheck %s --check-prefix=CALLED --implicit-check-not=__clang_ocl
void __sqtt_named_marker_enter(constant char *);
void __sqtt_named_marker_exit(constant char *);

__attribute__((noinline)) float grow(float x) {
  for (int i = 0; i < 7; ++i)
    x = x * 1.5f + (float)i;
  return x;
}

kernel void add(global float *a, global const float *b, local float *shared) {
  uint i = __builtin_amdgcn_workitem_id_x();
  __sqtt_named_marker_enter("load");
  shared[i] = b[i];
  __sqtt_named_marker_exit("load");
  __builtin_amdgcn_s_barrier();
  a[i] = grow(shared[i ^ 1]) + a[i];
}

#ifdef CALLED
kernel void both(global float *a, global const float *b, local float *shared) {
  add(a, b, shared);
  a[0] = 1.0f;
}
#endif

// CHECK: F:[[#]]:grow@{{.*}}opencl.cl:[[#@LINE-22]]
// CHECK-NEXT: K:add@{{.*}}opencl.cl:[[#@LINE-17]]
// CHECK-NEXT: U:[[#]]:load
// CHECK-NEXT: P:[[#]]:barrier_signal
// CHECK-NEXT: P:[[#]]:barrier_wait
// CHECK-NEXT: P:[[#]]:barrier
// CHECK-NEXT: <NUL>

// CODE: <{{add|__clang_ocl_kern_imp_add}}>:
// CODE: s_ttracedata_imm
// CODE: s_ttracedata_imm
// CODE: s_ttracedata_imm
// CODE: s_barrier

// CALLED: F:[[#]]:grow
// CALLED-NEXT: K:add
// CALLED-NEXT: K:both
// CALLED-NEXT: U:[[#]]:load
