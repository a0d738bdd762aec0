//! (Invocation, Config, Toolchain) -> Plan; pure, no I/O.
