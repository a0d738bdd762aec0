//! One run of `sqtt-hipcc`, top to bottom, one call per stage.
