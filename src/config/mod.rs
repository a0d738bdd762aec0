//! What is wanted: file < environment < flag, each value with its origin.
