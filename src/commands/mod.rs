//! The subcommands of `sqtt`, one a file.

pub mod plugin;
