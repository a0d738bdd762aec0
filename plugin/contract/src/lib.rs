//! What the pass plugin, the driver and the readers agree on.
//!
//! Three things and nothing else: the table of `SQTT_*` variables ([`variables`]) and their meaning
//! ([`settings`]), the 32-bit marker encoding ([`marker`]), and the `.sqtt_funcmap` grammar ([`funcmap`]).
//! It reads no environment and does no I/O.

pub mod filter;
pub mod funcmap;
pub mod marker;
pub mod settings;
mod spelling;
pub mod variables;
