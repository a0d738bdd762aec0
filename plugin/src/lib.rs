//! LLVM pass plugin.
