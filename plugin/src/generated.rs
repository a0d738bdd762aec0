//! Functions that a front end made: bodies of kernels, of parallel regions, and helpers of its run time library.

use crate::llvm::Function;

/// OpenCL, clang 21 and later: the body of a kernel, shared by the kernel and the kernels that call it.
const OPENCL_BODY: &[u8] = b"__clang_ocl_kern_imp_";

/// OpenMP: target regions, reductions, and the device run time library, by how their names begin.
const OPENMP_BEGINNINGS: [&[u8]; 5] = [b"__omp_offloading_", b"_omp_reduction_", b"__kmpc_", b"__omp_", b"_ZN4ompx"];

/// OpenMP: what was outlined from a function of the user bears that function's name first. The last one is what
/// LLVM's own outliner writes, which flang uses.
const OPENMP_PARTS: [&[u8]; 5] =
    [b"_omp_outlined", b".omp_outlined", b"_omp$reduction$", b".omp.reduction.", b"..omp_par"];

/// Whether a function is no function of the user's, told by its name: where clang 19 to 22 take the names from is in
/// no metadata. Its barriers and memory operations are the user's all the same; only a scope of its own would speak of
/// a function that no source has.
pub(crate) fn is_generated(function: Function) -> bool {
    is_generated_name(&function.name())
}

fn is_generated_name(name: &[u8]) -> bool {
    let contains = |part: &[u8]| name.windows(part.len()).any(|window| window == part);
    name.starts_with(OPENCL_BODY)
        || OPENMP_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || OPENMP_PARTS.iter().any(|part| contains(part))
}

#[cfg(test)]
mod tests {
    use super::is_generated_name;

    #[test]
    fn bodies_and_helpers_are_generated() {
        for name in [
            "__clang_ocl_kern_imp_add",
            "__omp_offloading_fe00_99000e_run_l5_debug__",
            "_Z4sumsPf_omp_outlined_debug__",
            "helper.omp_outlined",
            "__omp_offloading_1_2_f_l3_omp$reduction$reduction_func",
            "_omp_reduction_inter_warp_copy_func",
            "__kmpc_parallel_51",
            "_ZN4ompx5state8getStateEv",
            "_QQmain..omp_par",
        ] {
            assert!(is_generated_name(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn functions_of_the_user_are_not() {
        for name in ["", "add", "_Z10omp_reducerPf", "omp_outline", "_ZN3omp5twiceEf", "clang_ocl_kern_imp_add"] {
            assert!(!is_generated_name(name.as_bytes()), "{name}");
        }
    }
}
