//! Rules over funcmap and code object -> Report.
