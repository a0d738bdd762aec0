//! Trace directories of `rocprofv3 --att` -> what happened in each wave, told to a [`Sink`].
//!
//! Knows nothing of command lines, of the driver, or of what is made from a trace (`crate::export`).
//!
//! [`discover`] finds directories, [`read()`] reads them. The files of records are read as a stream; no file is ever held
//! as a tree. No input makes it panic or loop, and what is malformed is told in [`Diagnostics`] while the rest is read.

mod clock;
mod code_json;
mod codebook;
mod context;
mod diagnostics;
mod directory;
mod domain;
mod engine;
mod filenames;
mod json;
mod live;
mod load;
mod marker;
mod names;
mod occupancy;
mod read;
mod realtime;
mod record;
mod repair;
mod select;
pub mod shaderdata;
mod sink;
mod totals;
mod wave;

pub use diagnostics::{Diagnostics, Kind};
pub use directory::{CodeObjectFile, Directory, discover};
pub use domain::Domain;
pub use json::Malformed;
pub use marker::{CodeObjectIndex, CodeObjectInfo, CodeObjectKey, Marker, MarkerIndex, MarkerKind, Markers};
pub use read::{Options, Progress, read, read_path};
pub use record::Record;
pub use repair::{Placed, Repair, Repairs};
pub use select::{Numbers, Selection};
pub use sink::{Close, Moment, Payload, Role, Sink};
pub use totals::{NO_MAP_HINT, Totals};
pub use wave::{Kernel, Slot, Wave};
