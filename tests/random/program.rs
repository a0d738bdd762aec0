//! A generated program: one kernel and the helpers that it calls, as a tree that can be mutated, judged and printed.

/// A kernel and its helpers. A function calls only helpers with a higher index than its own, so nothing recurses.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Program {
    pub(crate) kernel: Vec<Stmt>,
    pub(crate) helpers: Vec<Helper>,
}

/// A device function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Helper {
    pub(crate) inlining: Inlining,
    /// It returns a number; otherwise nothing.
    pub(crate) returns: bool,
    pub(crate) body: Vec<Stmt>,
}

/// What the source says about inlining.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inlining {
    Never,
    Always,
    Compiler,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stmt {
    Work(Work),
    Point(Label),
    Data(u8, Payload),
    Barrier,
    /// Of a helper; which one is taken modulo those that may be called.
    Call(u8),
    /// `enter; body; exit`.
    Scope(Label, Vec<Stmt>),
    /// The same by an object whose destructor exits, so that every way out of the block closes the scope.
    Guarded(Label, Vec<Stmt>),
    /// `enter; body;` and a branch both of whose arms end in the exit.
    Split(Label, Vec<Stmt>, Condition, Vec<Stmt>, Vec<Stmt>),
    If(Condition, Vec<Stmt>, Vec<Stmt>),
    Loop(Trips, Vec<Stmt>),
    /// Leaves early. Stands at the end of an arm only.
    Leave(Leave),
    /// A lone enter.
    Enter(Label),
    /// A lone exit.
    Exit(Label),
}

/// Where an early way out goes, and whether it closes the scopes that it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leave {
    pub(crate) to: Target,
    pub(crate) closing: bool,
}

/// The destination of a [`Leave`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Return,
    Break,
    Continue,
}

/// Something that a kernel does beside markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Store,
    Volatile,
    GlobalAtomic,
    LdsAtomic,
    Load,
    LdsStore,
    LdsLoad,
    Private,
    Arithmetic,
}

impl Work {
    /// No optimisation removes it or moves it across a marker.
    pub(crate) fn is_solid(self) -> bool {
        matches!(self, Work::Store | Work::Volatile | Work::GlobalAtomic | Work::LdsAtomic)
    }
}

/// What a marker is called: a text of [`TEXTS`] or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    Text(u8),
    Number(u16),
}

/// Names of markers as C++ writes them: plain, odd, and empty.
pub(crate) const TEXTS: [&str; 8] = ["load", "tile", "sum", "store", "a b", "50%25", "x@y", ""];

/// Numbers that are given instead of names.
pub(crate) const NUMBERS: std::ops::Range<u16> = 1000..1010;

/// The value of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    /// A kernel argument.
    Argument,
    /// Something else in every lane.
    Lane,
    /// Both, in vector registers.
    Running,
}

/// What a branch depends on. Every branch of a program tests something of its own, so no condition follows from
/// another, and none can be known by the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// A bit of the thread's id.
    Lane,
    /// A number loaded by each lane.
    LaneLoad,
    /// A number that is moved to a scalar register: the compiler knows that all lanes agree, at every level.
    Proven,
    /// The workgroup's id: as `Proven`.
    Group,
    /// A bit of a kernel argument: all lanes agree, and the compiler knows it where it can follow the argument.
    Argument,
}

/// How often a loop runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trips {
    Constant(u8),
    /// As often in every lane, and the compiler knows it at every level.
    Proven,
    /// As often in every lane.
    Argument,
    /// More often in some lanes.
    Lane,
}

/// Whether the lanes of a wave part at a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Uniform,
    Divergent,
    /// Uniform, but the compiler may not know.
    Unproven,
}

impl Condition {
    /// Whether lanes part here. `followed`: the compiler sees where arguments come from.
    pub(crate) fn flow(self, followed: bool) -> Flow {
        match self {
            Condition::Lane | Condition::LaneLoad => Flow::Divergent,
            Condition::Proven | Condition::Group => Flow::Uniform,
            Condition::Argument if followed => Flow::Uniform,
            Condition::Argument => Flow::Unproven,
        }
    }
}

impl Trips {
    /// Whether lanes leave the loop at different times. `followed` as in [`Condition::flow`].
    pub(crate) fn flow(self, followed: bool) -> Flow {
        match self {
            Trips::Lane => Flow::Divergent,
            Trips::Proven => Flow::Uniform,
            Trips::Constant(_) | Trips::Argument if followed => Flow::Uniform,
            Trips::Constant(_) | Trips::Argument => Flow::Unproven,
        }
    }
}

impl Stmt {
    /// The statement lists directly inside.
    pub(crate) fn lists(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::Scope(_, body) | Stmt::Guarded(_, body) | Stmt::Loop(_, body) => vec![body],
            Stmt::If(_, then, other) => vec![then, other],
            Stmt::Split(_, body, _, then, other) => vec![body, then, other],
            _ => Vec::new(),
        }
    }

    /// The statement lists directly inside, to change them.
    pub(crate) fn lists_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::Scope(_, body) | Stmt::Guarded(_, body) | Stmt::Loop(_, body) => vec![body],
            Stmt::If(_, then, other) => vec![then, other],
            Stmt::Split(_, body, _, then, other) => vec![body, then, other],
            _ => Vec::new(),
        }
    }
}

/// Whether `wanted` holds for a statement of `list` at any depth.
pub(crate) fn any(list: &[Stmt], wanted: &dyn Fn(&Stmt) -> bool) -> bool {
    list.iter().any(|stmt| wanted(stmt) || stmt.lists().into_iter().any(|inner| any(inner, wanted)))
}
