//! The drop-in driver.

fn main() {}
