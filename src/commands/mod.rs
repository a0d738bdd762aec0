//! The subcommands of `sqtt`, one a file.
