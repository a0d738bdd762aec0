//! Finds the real compiler; finds, builds and caches the plugin for its LLVM.
