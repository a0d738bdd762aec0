//! What was typed: the verbatim argument vector and a classified view of it.
