//! The bar that shows how far reading is, when somebody looks and it takes long.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is done by then shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error.
pub(super) struct Bar {
    bar: ProgressBar,
    start: Instant,
    is_terminal: bool,
}

impl Bar {
    /// Never shows anything unless standard error is a terminal.
    pub(super) fn new(is_terminal: bool) -> Bar {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("reading {bar:40} {bytes} of {total_bytes}, {eta} left") {
            bar.set_style(style);
        }
        Bar { bar, start: Instant::now(), is_terminal }
    }

    /// `done` bytes of `all` are read.
    pub(super) fn show(&mut self, done: u64, all: u64) {
        if !self.is_terminal || self.start.elapsed() < PATIENCE {
            return;
        }
        if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_length(all);
        self.bar.set_position(done);
    }

    /// Takes it away again.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
