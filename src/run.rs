//! Starts the real compiler, waits for it, forwards its status and signals.
