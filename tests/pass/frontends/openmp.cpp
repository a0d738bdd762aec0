// OpenMP target regions are instrumented: functions of the user, named scopes, barriers; what clang outlines of a region
// and its reduction helpers are no functions of the user's.
// RUN: for level in -O0 -O1 -O2 -O3 -Os; do \
// RUN:   SQTT_INSTRUMENT_FUNCTIONS=1 %clang -fopenmp --offload-arch=gfx942 -nogpulib -g $level \
// RUN:     --offload-device-only -fpass-plugin=%plugin -c %s -o %t.bc; \
// RUN:   %clang -target amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib $level -x ir -c %t.bc -o %t.o; \
// RUN:   %rows %t.o | %FileCheck %s --implicit-check-not=F:; \
// RUN:   %disassemble %t.o | %FileCheck %s --check-prefix=CODE; \
// RUN: done
#pragma omp declare target
extern "C" void __sqtt_named_marker_enter(const char *);
extern "C" void __sqtt_named_marker_exit(const char *);
__attribute__((noinline)) static float grow(float x) {
  for (int i = 0; i < 7; ++i)
    x = x * 1.5f + float(i);
  return x;
}
__attribute__((noinline)) static void scale(float *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    a[i] = grow(a[i]);
}
#pragma omp end declare target

void spread(float *a, const float *b, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n]) map(to : b[0 : n])
  for (int i = 0; i < n; ++i) {
    __sqtt_named_marker_enter("element");
    a[i] += grow(b[i]);
    __sqtt_named_marker_exit("element");
  }
}

float sum(float *a, const float *b, int n) {
  float total = 0;
#pragma omp target map(tofrom : a[0 : n], total) map(to : b[0 : n])
  {
    a[0] = 2;
    scale(a, n);
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; ++i)
      total += grow(b[i]) + a[i];
    a[1] = total;
  }
  return total;
}

// CHECK-DAG: F:[[#]]:_ZL4growf@{{.*}}openmp.cpp:13
// CHECK-DAG: F:[[#]]:_ZL5scalePfi@{{.*}}openmp.cpp:18
// CHECK-DAG: K:__omp_offloading_{{.*}}spread{{.*}}openmp.cpp:26
// CHECK-DAG: K:__omp_offloading_{{.*}}sum{{.*}}openmp.cpp:36
// CHECK-DAG: U:[[#]]:element

// CODE: s_ttracedata
