//! The reader's command line.

fn main() {}
