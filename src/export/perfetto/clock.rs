//! Cycles of the shader clock -> nanoseconds of a timeline.

use crate::trace::Domain;

/// What a cycle is in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Clock {
    /// Nobody knows: a cycle is drawn as a nanosecond.
    Nominal,
    /// So many cycles a nanosecond, as the user says.
    Given(f64),
    /// So many cycles a nanosecond, as the domain's `realtime.json` says.
    Measured(f64),
}

impl Clock {
    /// The clock of `domain`; what the user says goes before what was measured.
    pub(super) fn of(domain: &Domain, given_ghz: Option<f64>) -> Clock {
        match (given_ghz, domain.clock_rate_ghz) {
            (Some(ghz), _) => Clock::Given(ghz),
            (None, Some(ghz)) => Clock::Measured(ghz),
            (None, None) => Clock::Nominal,
        }
    }

    /// Cycles per nanosecond, if they are known.
    pub(super) fn ghz(self) -> Option<f64> {
        match self {
            Clock::Nominal => None,
            Clock::Given(ghz) | Clock::Measured(ghz) => Some(ghz),
        }
    }

    /// The nanoseconds from the start of the trace to `cycles`, rounded; 0 for what is before the start, as a timeline has
    /// no time before its start. Of two cycles the later one is never the earlier nanosecond.
    pub(super) fn ns(self, cycles: i64) -> u64 {
        let cycles = cycles.max(0).unsigned_abs();
        match self.ghz() {
            None => cycles,
            Some(ghz) => (cycles as f64 / ghz).round() as u64,
        }
    }

    /// What a reader of the timeline must know of its times.
    pub(super) fn words(self) -> String {
        match self {
            Clock::Nominal => "1 ns is 1 cycle of the shader clock, whose rate is not known".to_owned(),
            Clock::Given(ghz) => format!("{ghz} GHz, given by the user"),
            Clock::Measured(ghz) => format!("{ghz} GHz, measured in realtime.json"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_divided_by_the_rate() {
        assert_eq!(Clock::Nominal.ns(2100), 2100);
        assert_eq!(Clock::Given(2.1).ns(2100), 1000);
        assert_eq!(Clock::Measured(0.1).ns(7), 70);
    }

    #[test]
    fn extreme_times_stay_in_order() {
        for clock in [Clock::Nominal, Clock::Given(0.001), Clock::Given(9.99)] {
            let ns: Vec<u64> =
                [i64::MIN, -1, 0, 1, 1 << 53, i64::MAX - 1, i64::MAX].map(|cycles| clock.ns(cycles)).into();
            assert!(ns.is_sorted() && ns[1] == 0, "{clock:?}: {ns:?}");
        }
    }
}
