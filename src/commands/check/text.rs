//! What was found, for a person.
//!
//! ```text
//! kernel `_Z4tilePj`: 4 waves, 3 as the program traces, 1 not
//!   SE0 CU1 SIMD2 W3 #0, 11 headers: at least 1 fault
//!     lost `exit` in `_Z4tilePj` at 0x1634, before cycle 239
//!   most lost: 1 `exit` in `_Z4tilePj` at 0x1634
//! in all 4 waves, 1 not as its program traces: at least 1 fault; 1 record lost, 0 too many, 0 others
//! ```

use std::cmp::Reverse;
use std::io::{self, Write};

use crate::check::{Counts, KernelReport, Kind, Report, Told, WaveReport};
use crate::terminal::{counted, printable};

/// Waves of one kernel that are shown, and faults of one wave.
pub(super) const SHOWN: usize = 10;

pub(super) fn print(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for (name, kernel) in &report.kernels {
        print_kernel(name, kernel, out)?;
    }
    let total = report.total();
    let faulty = total.faulty();
    let state = if faulty == 0 { "none against its program".to_owned() } else { not_so(faulty) };
    writeln!(out, "in all {}, {state}{}", counted(total.waves, "wave"), faults(&total))?;
    hints(&total, out)
}

fn not_so(faulty: u64) -> String {
    format!("{faulty} not as {} traces", if faulty == 1 { "its program" } else { "their programs" })
        .replace("programs traces", "programs trace")
}

fn faults(counts: &Counts) -> String {
    if counts.at_least == 0 {
        return String::new();
    }
    let mut text = format!(
        ": at least {}; {} lost, {} too many, {} others",
        counted(counts.at_least, "fault"),
        counted(counts.lost, "record"),
        counts.extra,
        counts.changed
    );
    if counts.lost_exits > 0 {
        text += &format!("; {} without an end", counted(counts.lost_exits, "scope"));
    }
    if counts.short > 0 {
        text += &format!("; {} cut inside of a payload", counted(counts.short, "wave"));
    }
    text
}

fn print_kernel(name: &str, kernel: &KernelReport, out: &mut dyn Write) -> io::Result<()> {
    let counts = &kernel.counts;
    let mut parts = vec![counted(counts.waves, "wave"), format!("{} as the program traces", counts.conforming)];
    for (count, what) in [
        (counts.faulty(), "not"),
        (counts.unjudged, "not looked at"),
        (counts.partly, "only up to unknown code"),
        (counts.cut, "cut off by the end of the trace"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    let name = if name.is_empty() { "no known kernel".to_owned() } else { format!("kernel `{name}`") };
    writeln!(out, "{}: {}", printable(&name), parts.join(", "))?;
    if counts.early > 0 {
        writeln!(out, "  {} of waves that ran when the trace began", counted(counts.early, "record"))?;
    }
    for wave in kernel.faulty.iter().take(SHOWN) {
        print_wave(wave, out)?;
    }
    if let Some(more) = counts.faulty().checked_sub(SHOWN as u64).filter(|more| *more > 0) {
        writeln!(out, "  {more} more waves; `--json` has all")?;
    }
    let mut lost: Vec<(&String, &u64)> = kernel.lost_at.iter().collect();
    lost.sort_by_key(|(place, count)| (Reverse(**count), *place));
    for (place, count) in lost.into_iter().take(SHOWN).filter(|_| counts.faulty() > 1) {
        writeln!(out, "  lost {count} times: {}", printable(place))?;
    }
    Ok(())
}

fn print_wave(wave: &WaveReport, out: &mut dyn Write) -> io::Result<()> {
    let WaveReport { se, cu, simd, wave: slot, instance, headers, .. } = wave;
    writeln!(
        out,
        "  SE{se} CU{cu} SIMD{simd} W{slot} #{instance}, {}: at least {}",
        counted(*headers as u64, "header"),
        counted(wave.at_least as u64, "fault")
    )?;
    for told in wave.faults.iter().take(SHOWN) {
        writeln!(out, "    {}", printable(&sentence(told)))?;
    }
    if let Some(more) = wave.faults.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        writeln!(out, "    {more} more")?;
    }
    if wave.short {
        writeln!(out, "    the wave ended inside of a payload: a record of it is lost")?;
    }
    if !wave.explained {
        writeln!(out, "    what follows does not fit in any simple way")?;
    }
    Ok(())
}

fn sentence(told: &Told) -> String {
    let Told { marker, cycles, .. } = told;
    let place = match (&told.function, told.address) {
        (Some(function), Some(address)) => format!(" in `{function}` at {address:#x}"),
        _ => String::new(),
    };
    let foreign = if told.foreign { ", which no place of the kernel traces" } else { "" };
    match told.kind {
        Kind::Lost => format!("lost {marker}{place}, before cycle {cycles}"),
        Kind::Extra => format!("too many: {marker}{foreign} at cycle {cycles}"),
        Kind::Changed => {
            let found = told.found.as_deref().unwrap_or("another header");
            format!("{found}{foreign} at cycle {cycles} in the place of {marker}{place}")
        }
    }
}

fn hints(total: &Counts, out: &mut dyn Write) -> io::Result<()> {
    if total.foreign * 2 > total.extra + total.changed + total.lost {
        writeln!(out, "most of it is traced nowhere in these kernels: is the trace of another build?")?;
    } else if total.lost > 0 {
        writeln!(
            out,
            "records are lost where the trace buffer or its bandwidth is too small: trace fewer waves or markers"
        )?;
    }
    Ok(())
}
