
# __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx942
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.globl k
.type k,@function
k: s_endpgm
.end: .size k, .end-k
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 1
  .amdhsa_accum_offset 4
.end_amdhsa_kernel
.section .sqtt_funcmap,"aR",@progbits
.ascii "W:64\nK:k@k.hip:1\nF:1:_Z1fv@k.hip:2\nU:2:load%20it\nP:3:p\nR:3:extra_payload_count=1\n\0"

# __CLANG_OFFLOAD_BUNDLE____END__ hip-amdgcn-amd-amdhsa--gfx942
