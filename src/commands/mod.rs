//! The subcommands of `sqtt`, one a file.
//!
//! Each has its arguments (clap) and a `run` that is given where to write and returns how it ended; only the main turns
//! that into a process status.

pub mod funcmap;
pub mod plugin;
