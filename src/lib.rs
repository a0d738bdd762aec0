//! `sqtt-hipcc` takes hipcc's command line, adds the instrumentation that `sqtt.toml`, the environment and
//! `--sqtt-*` flags ask for, lets the real compiler run with the pass plugin, and proves that what came out is
//! decodable; `sqtt` reads what the compiler and the profiler left behind.

pub mod beside;
pub mod check;
pub mod code_object;
pub mod commands;
pub mod config;
pub mod cost;
pub mod demangle;
pub mod diff;
pub mod driver;
pub mod environment;
pub mod export;
pub mod invocation;
pub mod machine;
pub mod plan;
pub mod run;
pub mod terminal;
pub mod toolchain;
pub mod trace;
pub mod validate;
