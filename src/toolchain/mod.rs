//! Finds the real compiler; finds, builds and caches the plugin for its LLVM.
//!
//! ```text
//! find_compiler -> Compiler -> probe -> Llvm -> ensure_plugin -> Plugin
//!                                              ensure_headers -> directory of markers.hpp
//! ```
//!
//! | file | its job |
//! |---|---|
//! | [`find`] | which compiler is the real one, never ourselves |
//! | [`mod@probe`] | which LLVM that compiler is, asked once and remembered |
//! | [`host`] | how LLVM is in that compiler |
//! | [`llvm`] | a version of LLVM and the prefix with its headers |
//! | [`plugin`] | the plugin of an LLVM: from the cache, or built into it once |
//! | [`cargo`] | one cargo run in a scrubbed environment |
//! | [`crates`] | the crates that the plugin is built from, for builds without a network |
//! | [`installed`] | what an installation has beside its programs |
//! | `ask` | what a compiler says, beside the compile proper |
//! | `device_libraries` | where a compiler finds the device libraries |
//! | [`sources`] | the embedded sources of plugin and headers, and how they get to disk |
//! | [`objdump`] | the compiler's disassembler, on one code object |
//! | [`cache`] | where all of that is kept |
//! | [`inventory`] | what is in the cache, and what no one needs any more |
//! | [`identity`] | what makes a file the same file; digests of keys |

mod ask;
pub mod cache;
pub mod cargo;
pub mod crates;
mod device_libraries;
pub mod error;
pub mod find;
pub mod host;
pub mod identity;
pub mod installed;
pub mod inventory;
pub mod llvm;
pub mod objdump;
mod ourselves;
pub mod plugin;
pub mod probe;
pub mod sources;

pub use ask::ask;
pub use cache::Cache;
pub use cargo::check_build_tools;
pub use device_libraries::device_libraries;
pub use error::ToolchainError;
pub use find::{Compiler, CompilerKind, FindRequest, find_clang, find_compiler};
pub use identity::FileIdentity;
pub use installed::Installed;
pub use llvm::Llvm;
pub use objdump::Objdump;
pub use plugin::{Plugin, cached_plugin, ensure_plugin};
pub use probe::probe;
pub use sources::{ensure_headers, own_headers};
