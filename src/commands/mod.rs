//! The subcommands of `sqtt`, one a file.
//!
//! Each has its arguments (clap) and a `run` that is given what it needs of the process and returns how it ended; only
//! the main turns that into a status.

pub mod annotate;
pub mod check;
pub mod config;
pub mod cost;
pub mod diff;
mod disassembler;
pub mod doctor;
pub mod extract;
pub mod flamegraph;
pub mod funcmap;
pub mod install;
mod lines;
pub mod memory;
mod metered;
mod pairing;
pub mod perfetto;
pub mod plugin;
pub mod records;
mod repairing;
pub mod summary;
mod told;
pub mod trace_args;
mod trace_progress;
pub mod verify;
