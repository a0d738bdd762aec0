//! `realtime.json`: pairs of shader clock and real-time clock, from which the rate of the shader clock follows.

use serde_json::Value;

use super::json::Malformed;

/// No GPU's shader clock is faster, in GHz.
const LIMIT_GHZ: f64 = 10.0;

/// The rate of the shader clock in GHz, cycles per nanosecond, from a file of `bytes`: the median over the shader engines.
///
/// `None` when no engine has two samples that differ, or the rate is none that a GPU has. Errors: it is no JSON.
pub(super) fn read(bytes: &[u8]) -> Result<Option<f64>, Malformed> {
    let document: Value = serde_json::from_slice(bytes).map_err(|error| Malformed::new(bytes, &error))?;
    let frequency_hz = document.get("metadata").and_then(|metadata| metadata.get("frequency")).and_then(Value::as_f64);
    let frequency_hz = frequency_hz.filter(|frequency| *frequency > 0.0);
    let (Some(frequency_hz), Some(members)) = (frequency_hz, document.as_object()) else { return Ok(None) };
    let engines = members.iter().filter(|(name, _)| name.starts_with("SE"));
    let mut rates: Vec<f64> = engines
        .filter_map(|(_, samples)| slope(samples.as_array()?))
        .map(|cycles_per_tick| frequency_hz * cycles_per_tick / 1e9)
        .filter(|ghz| *ghz > 0.0 && *ghz < LIMIT_GHZ)
        .collect();
    rates.sort_by(f64::total_cmp);
    Ok(rates.get(rates.len() / 2).copied())
}

/// Cycles per tick of the real-time clock between the first and the last of `[[cycles, ticks], ...]`.
fn slope(samples: &[Value]) -> Option<f64> {
    let number = |sample: &Value, at| sample.get(at).and_then(Value::as_f64);
    let (first, last) = (samples.first()?, samples.last()?);
    let cycles = number(last, 0)? - number(first, 0)?;
    let ticks = number(last, 1)? - number(first, 1)?;
    (ticks != 0.0).then_some(cycles / ticks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_follows_from_the_first_and_the_last_sample() {
        let text = br#"{"metadata": {"frequency": 100000000}, "SE0": [[0, 1000], [5, 1001], [2100, 1100]]}"#;
        assert_eq!(read(text).unwrap(), Some(2.1));
    }

    #[test]
    fn what_gives_no_rate_of_a_gpu_gives_none() {
        let samples =
            ["[[0, 1]]", "[]", "[[0, 1], [5, 1]]", "[[9, 1], [5, 2]]", "[[0, 0], [1000000, 1]]", "null", "[1]"];
        for samples in samples {
            let text = format!("{{\"metadata\": {{\"frequency\": 1e8}}, \"SE0\": {samples}}}");
            assert_eq!(read(text.as_bytes()).unwrap(), None, "{samples}");
        }
        assert_eq!(read(br#"{"SE0": [[0, 1], [5, 2]]}"#).unwrap(), None);
        // Two clocks that run backwards give no rate either.
        assert_eq!(read(br#"{"metadata": {"frequency": -1e8}, "SE0": [[210, 1], [0, 101]]}"#).unwrap(), None);
        assert!(read(b"{").is_err());
    }
}
