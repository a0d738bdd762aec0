; Where raw and struct buffer operations with a pointer descriptor have it, the index and the offsets: load, store, atomic, compare-and-swap.
; RUN: SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=none SQTT_TRACE_ADDRESSES=memory %opt -load-pass-plugin=%plugin \
; RUN:   -passes=sqtt-early,sqtt-late,verify -S %s | %FileCheck %s --implicit-check-not=s_ttracedata
; RUN: SQTT_TRACE_ADDRESSES=memory %ir -mcpu=gfx90a -O2 -fpass-plugin=%plugin %s -o %t.co
; RUN: %rows %t.co | %FileCheck %s --check-prefix=ROWS --implicit-check-not=P:
; RUN: %disassemble %t.co | %FileCheck %s --check-prefix=ASM
target triple = "amdgcn-amd-amdhsa"

; ROWS: P:1:addr_trace_buffer_load{{$}}
; ROWS-NEXT: R:1:extra_payload_count=69
; ROWS: P:2:addr_trace_buffer_store{{$}}
; ROWS-NEXT: R:2:extra_payload_count=69
; ROWS: P:3:addr_trace_buffer_atomic{{$}}
; ROWS-NEXT: R:3:extra_payload_count=69
; ROWS: P:4:addr_trace_buffer_atomic{{$}}
; ROWS-NEXT: R:4:extra_payload_count=69
; ROWS: P:5:addr_trace_struct_buffer_load{{$}}
; ROWS-NEXT: R:5:extra_payload_count=133
; ROWS: P:6:addr_trace_struct_buffer_store{{$}}
; ROWS-NEXT: R:6:extra_payload_count=133
; ROWS: P:7:addr_trace_struct_buffer_atomic{{$}}
; ROWS-NEXT: R:7:extra_payload_count=133
; ROWS: P:8:addr_trace_struct_buffer_atomic{{$}}
; ROWS-NEXT: R:8:extra_payload_count=133
; CHECK-LABEL: define i32 @raw_ptr_buffer_load_i32(
; CHECK: s_ttracedata{{.*}}(i32 4)
; CHECK: exec_lo{{.*}}exec_hi{{.*}}s_ttracedata
; CHECK: %[[BITS:.*]] = ptrtoint ptr addrspace(8) %rsrc to i128
; CHECK: %[[LOW:.*]] = trunc i128 %[[BITS]] to i32
; CHECK: %[[SHIFTED:.*]] = lshr i128 %[[BITS]], 32
; CHECK: %[[HIGH:.*]] = trunc i128 %[[SHIFTED]] to i32
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[LOW]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[HIGH]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %soffset)
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %voffset)
; CHECK: call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: icmp eq i32 %{{.*}}, 64
; CHECK: @llvm.amdgcn.raw.ptr.buffer.load.i32(
; ASM-LABEL: <raw_ptr_buffer_load_i32>:
; ASM: exec_lo
; ASM: exec_hi
; ASM: v_readlane_b32
; ASM: buffer_load
define i32 @raw_ptr_buffer_load_i32(ptr addrspace(8) inreg %rsrc, i32 %index, i32 %voffset, i32 inreg %soffset, i32 %data, i32 %old) #0 {
  %r = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %rsrc, i32 %voffset, i32 %soffset, i32 0)
  ret i32 %r
}
; CHECK-LABEL: define i32 @raw_ptr_buffer_store_i32(
; CHECK: s_ttracedata{{.*}}(i32 8)
; CHECK: exec_lo{{.*}}exec_hi{{.*}}s_ttracedata
; CHECK: %[[BITS:.*]] = ptrtoint ptr addrspace(8) %rsrc to i128
; CHECK: %[[LOW:.*]] = trunc i128 %[[BITS]] to i32
; CHECK: %[[SHIFTED:.*]] = lshr i128 %[[BITS]], 32
; CHECK: %[[HIGH:.*]] = trunc i128 %[[SHIFTED]] to i32
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[LOW]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[HIGH]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %soffset)
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %voffset)
; CHECK: call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: icmp eq i32 %{{.*}}, 64
; CHECK: @llvm.amdgcn.raw.ptr.buffer.store.i32(
; ASM-LABEL: <raw_ptr_buffer_store_i32>:
; ASM: exec_lo
; ASM: exec_hi
; ASM: v_readlane_b32
; ASM: buffer_store
define i32 @raw_ptr_buffer_store_i32(ptr addrspace(8) inreg %rsrc, i32 %index, i32 %voffset, i32 inreg %soffset, i32 %data, i32 %old) #0 {
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %data, ptr addrspace(8) %rsrc, i32 %voffset, i32 %soffset, i32 0)
  ret i32 0
}
; CHECK-LABEL: define i32 @raw_ptr_buffer_atomic_add_i32(
; CHECK: s_ttracedata{{.*}}(i32 12)
; CHECK: exec_lo{{.*}}exec_hi{{.*}}s_ttracedata
; CHECK: %[[BITS:.*]] = ptrtoint ptr addrspace(8) %rsrc to i128
; CHECK: %[[LOW:.*]] = trunc i128 %[[BITS]] to i32
; CHECK: %[[SHIFTED:.*]] = lshr i128 %[[BITS]], 32
; CHECK: %[[HIGH:.*]] = trunc i128 %[[SHIFTED]] to i32
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[LOW]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[HIGH]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %soffset)
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %voffset)
; CHECK: call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: icmp eq i32 %{{.*}}, 64
; CHECK: @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(
; ASM-LABEL: <raw_ptr_buffer_atomic_add_i32>:
; ASM: exec_lo
; ASM: exec_hi
; ASM: v_readlane_b32
; ASM: buffer_atomic
define i32 @raw_ptr_buffer_atomic_add_i32(ptr addrspace(8) inreg %rsrc, i32 %index, i32 %voffset, i32 inreg %soffset, i32 %data, i32 %old) #0 {
  %r = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32 %data, ptr addrspace(8) %rsrc, i32 %voffset, i32 %soffset, i32 0)
  ret i32 %r
}
; CHECK-LABEL: define i32 @raw_ptr_buffer_atomic_cmpswap_i32(
; CHECK: s_ttracedata{{.*}}(i32 16)
; CHECK: exec_lo{{.*}}exec_hi{{.*}}s_ttracedata
; CHECK: %[[BITS:.*]] = ptrtoint ptr addrspace(8) %rsrc to i128
; CHECK: %[[LOW:.*]] = trunc i128 %[[BITS]] to i32
; CHECK: %[[SHIFTED:.*]] = lshr i128 %[[BITS]], 32
; CHECK: %[[HIGH:.*]] = trunc i128 %[[SHIFTED]] to i32
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[LOW]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[HIGH]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %soffset)
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %voffset)
; CHECK: call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: icmp eq i32 %{{.*}}, 64
; CHECK: @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32(
; ASM-LABEL: <raw_ptr_buffer_atomic_cmpswap_i32>:
; ASM: exec_lo
; ASM: exec_hi
; ASM: v_readlane_b32
; ASM: buffer_atomic
define i32 @raw_ptr_buffer_atomic_cmpswap_i32(ptr addrspace(8) inreg %rsrc, i32 %index, i32 %voffset, i32 inreg %soffset, i32 %data, i32 %old) #0 {
  %r = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32(i32 %data, i32 %old, ptr addrspace(8) %rsrc, i32 %voffset, i32 %soffset, i32 0)
  ret i32 %r
}
; CHECK-LABEL: define i32 @struct_ptr_buffer_load_i32(
; CHECK: s_ttracedata{{.*}}(i32 20)
; CHECK: exec_lo{{.*}}exec_hi{{.*}}s_ttracedata
; CHECK: %[[BITS:.*]] = ptrtoint ptr addrspace(8) %rsrc to i128
; CHECK: %[[LOW:.*]] = trunc i128 %[[BITS]] to i32
; CHECK: %[[SHIFTED:.*]] = lshr i128 %[[BITS]], 32
; CHECK: %[[HIGH:.*]] = trunc i128 %[[SHIFTED]] to i32
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[LOW]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[HIGH]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %soffset)
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %voffset)
; CHECK: call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: icmp eq i32 %{{.*}}, 64
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %index)
; CHECK: call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: icmp eq i32 %{{.*}}, 64
; CHECK: @llvm.amdgcn.struct.ptr.buffer.load.i32(
; ASM-LABEL: <struct_ptr_buffer_load_i32>:
; ASM: exec_lo
; ASM: exec_hi
; ASM: v_readlane_b32
; ASM: v_readlane_b32
; ASM: buffer_load
define i32 @struct_ptr_buffer_load_i32(ptr addrspace(8) inreg %rsrc, i32 %index, i32 %voffset, i32 inreg %soffset, i32 %data, i32 %old) #0 {
  %r = call i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8) %rsrc, i32 %index, i32 %voffset, i32 %soffset, i32 0)
  ret i32 %r
}
; CHECK-LABEL: define i32 @struct_ptr_buffer_store_i32(
; CHECK: s_ttracedata{{.*}}(i32 24)
; CHECK: exec_lo{{.*}}exec_hi{{.*}}s_ttracedata
; CHECK: %[[BITS:.*]] = ptrtoint ptr addrspace(8) %rsrc to i128
; CHECK: %[[LOW:.*]] = trunc i128 %[[BITS]] to i32
; CHECK: %[[SHIFTED:.*]] = lshr i128 %[[BITS]], 32
; CHECK: %[[HIGH:.*]] = trunc i128 %[[SHIFTED]] to i32
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[LOW]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[HIGH]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %soffset)
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %voffset)
; CHECK: call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: icmp eq i32 %{{.*}}, 64
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %index)
; CHECK: call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: icmp eq i32 %{{.*}}, 64
; CHECK: @llvm.amdgcn.struct.ptr.buffer.store.i32(
; ASM-LABEL: <struct_ptr_buffer_store_i32>:
; ASM: exec_lo
; ASM: exec_hi
; ASM: v_readlane_b32
; ASM: v_readlane_b32
; ASM: buffer_store
define i32 @struct_ptr_buffer_store_i32(ptr addrspace(8) inreg %rsrc, i32 %index, i32 %voffset, i32 inreg %soffset, i32 %data, i32 %old) #0 {
  call void @llvm.amdgcn.struct.ptr.buffer.store.i32(i32 %data, ptr addrspace(8) %rsrc, i32 %index, i32 %voffset, i32 %soffset, i32 0)
  ret i32 0
}
; CHECK-LABEL: define i32 @struct_ptr_buffer_atomic_add_i32(
; CHECK: s_ttracedata{{.*}}(i32 28)
; CHECK: exec_lo{{.*}}exec_hi{{.*}}s_ttracedata
; CHECK: %[[BITS:.*]] = ptrtoint ptr addrspace(8) %rsrc to i128
; CHECK: %[[LOW:.*]] = trunc i128 %[[BITS]] to i32
; CHECK: %[[SHIFTED:.*]] = lshr i128 %[[BITS]], 32
; CHECK: %[[HIGH:.*]] = trunc i128 %[[SHIFTED]] to i32
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[LOW]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[HIGH]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %soffset)
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %voffset)
; CHECK: call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: icmp eq i32 %{{.*}}, 64
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %index)
; CHECK: call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: icmp eq i32 %{{.*}}, 64
; CHECK: @llvm.amdgcn.struct.ptr.buffer.atomic.add.i32(
; ASM-LABEL: <struct_ptr_buffer_atomic_add_i32>:
; ASM: exec_lo
; ASM: exec_hi
; ASM: v_readlane_b32
; ASM: v_readlane_b32
; ASM: buffer_atomic
define i32 @struct_ptr_buffer_atomic_add_i32(ptr addrspace(8) inreg %rsrc, i32 %index, i32 %voffset, i32 inreg %soffset, i32 %data, i32 %old) #0 {
  %r = call i32 @llvm.amdgcn.struct.ptr.buffer.atomic.add.i32(i32 %data, ptr addrspace(8) %rsrc, i32 %index, i32 %voffset, i32 %soffset, i32 0)
  ret i32 %r
}
; CHECK-LABEL: define i32 @struct_ptr_buffer_atomic_cmpswap_i32(
; CHECK: s_ttracedata{{.*}}(i32 32)
; CHECK: exec_lo{{.*}}exec_hi{{.*}}s_ttracedata
; CHECK: %[[BITS:.*]] = ptrtoint ptr addrspace(8) %rsrc to i128
; CHECK: %[[LOW:.*]] = trunc i128 %[[BITS]] to i32
; CHECK: %[[SHIFTED:.*]] = lshr i128 %[[BITS]], 32
; CHECK: %[[HIGH:.*]] = trunc i128 %[[SHIFTED]] to i32
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[LOW]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %[[HIGH]])
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: call i32 @llvm.amdgcn.readfirstlane{{.*}}(i32 %soffset)
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %voffset)
; CHECK: call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: icmp eq i32 %{{.*}}, 64
; CHECK: %[[OPAQUE:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %index)
; CHECK: call i32 @llvm.amdgcn.readlane{{.*}}(i32 %[[OPAQUE]], i32 %
; CHECK-NEXT: {{.*}}s_ttracedata
; CHECK: icmp eq i32 %{{.*}}, 64
; CHECK: @llvm.amdgcn.struct.ptr.buffer.atomic.cmpswap.i32(
; ASM-LABEL: <struct_ptr_buffer_atomic_cmpswap_i32>:
; ASM: exec_lo
; ASM: exec_hi
; ASM: v_readlane_b32
; ASM: v_readlane_b32
; ASM: buffer_atomic
define i32 @struct_ptr_buffer_atomic_cmpswap_i32(ptr addrspace(8) inreg %rsrc, i32 %index, i32 %voffset, i32 inreg %soffset, i32 %data, i32 %old) #0 {
  %r = call i32 @llvm.amdgcn.struct.ptr.buffer.atomic.cmpswap.i32(i32 %data, i32 %old, ptr addrspace(8) %rsrc, i32 %index, i32 %voffset, i32 %soffset, i32 0)
  ret i32 %r
}
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32(i32, i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.atomic.add.i32(i32, ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.atomic.cmpswap.i32(i32, i32, ptr addrspace(8), i32, i32, i32, i32)
attributes #0 = { "target-cpu"="gfx90a" }
