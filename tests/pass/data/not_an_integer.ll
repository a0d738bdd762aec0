; Data that is no integer is a clean error, not a crash of the backend.
; RUN: not %ir -mcpu=gfx1100 -O2 -fpass-plugin=%plugin %s -o %t.co 2>&1 | %FileCheck %s
; RUN: not %ir -mcpu=gfx1100 -O0 -fpass-plugin=%plugin %s -o %t.co 2>&1 | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"
@s = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"

; CHECK: error: {{.*}}sqtt: the data of a marker is not an integer
; CHECK-NOT: backend
define void @f(float %v) #0 {
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @s to ptr), float %v)
  ret void
}
declare void @__sqtt_named_marker_data(ptr, float)
attributes #0 = { "target-cpu"="gfx1100" }
