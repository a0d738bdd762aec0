//! What is wanted of the pass, as typed values.
