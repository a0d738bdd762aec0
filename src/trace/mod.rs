//! Trace directories of `rocprofv3 --att` -> what happened in each wave, told to a [`Sink`].
//!
//! Knows nothing of command lines, of the driver, or of what is made from a trace (`crate::export`).

mod diagnostics;
mod domain;
mod marker;
mod sink;
mod wave;

pub use diagnostics::{Diagnostics, Kind};
pub use domain::Domain;
pub use marker::{CodeObjectIndex, CodeObjectInfo, CodeObjectKey, Marker, MarkerIndex, MarkerKind, Markers};
pub use sink::{Close, Moment, Payload, Sink};
pub use wave::{Kernel, Slot, Wave};
