//! Points of correctness that a test build can leave out, one at a time, to show that the tests notice.
//!
//! Without the cargo feature `faults`, which no build for users has, nothing is ever left out and nothing is read.

/// What can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    /// Records are inline assembly, which keeps the branch around a divergent block.
    PhantomMarkers,
    /// The fence's tag limits it to LDS.
    FenceTag,
    /// Marks are `convergent`.
    ConvergentMarkers,
    /// A function has one return.
    OneExit,
    /// Exits in several arms become one.
    JoinedExits,
    /// Code of the pass goes behind static allocas.
    StaticAllocas,
    /// A value that may differ between lanes is read from the first one.
    UniformValues,
    /// A payload follows its header directly.
    AdjacentPayload,
    /// A label is found through local variables.
    NamesThroughMemory,
    /// An exit needs no name.
    ExitWithoutName,
    /// A marker whose name is not known is traced all the same.
    UnknownNames,
    /// The wave size is the function's.
    WaveSize,
    /// Names are percent-encoded.
    EncodedNames,
    /// The marker API's functions are none of the program's.
    ApiIsNoFunction,
    /// Attributes that are no longer true are taken back.
    UntrueAttributes,
    /// Naked functions are left alone.
    NakedFunctions,
    /// What is not a wrapper is not inlined.
    OnlyWrappersInlined,
    /// Scalar loads are no memory operations.
    MemorySpaces,
    /// The pass's own instructions are no gap.
    OwnCodeIsNoGap,
    /// A row has a marker.
    NoDeadRows,
    /// A finished module is left alone.
    Idempotence,
    /// The map's section is retained.
    Retention,
    /// A failure is an error of the compiler.
    Diagnostics,
    /// A function that traces nothing is left alone.
    OffIsOff,
    /// A link numbers all units together.
    LinkedUnits,
    /// A wave that does not close its scopes is warned about.
    Balance,
    /// No instruction is guessed for an unknown target.
    UnknownTargets,
    /// M0 is an output of the record.
    M0Output,
    /// Each guard compares a value of its own.
    ScalarGuards,
}

/// Whether this build leaves `point` out in this process.
#[cfg(not(feature = "faults"))]
pub(crate) const fn lacks(_: Point) -> bool {
    false
}

/// Whether this build leaves `point` out in this process: the environment names it as its variant is called.
#[cfg(feature = "faults")]
pub(crate) fn lacks(point: Point) -> bool {
    use std::sync::OnceLock;
    static NAME: OnceLock<Option<String>> = OnceLock::new();
    let name = NAME.get_or_init(crate::config::fault);
    name.as_deref() == Some(format!("{point:?}").as_str())
}
