//! The processes that descend from us and are in our process group: the compiler, and what it started.
//!
//! Processes that left the group (a cache's server, a daemon) are not in it. Read from `/proc`; where there is none, the
//! family is empty.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use rustix::process::{Pid, Signal, getpgrp, getpid, kill_process};

/// One line of `/proc/PID/stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    parent: i32,
    group: i32,
    /// Has ended, but nobody has asked how.
    is_zombie: bool,
}

/// Sends `signal` to `member`, which may have ended meanwhile.
pub(super) fn send(member: Pid, signal: Signal) {
    if let Err(error) = kill_process(member, signal) {
        tracing::debug!(pid = member.as_raw_pid(), %error, "signal not passed on");
    }
}

/// The living members, in no particular order.
pub(super) fn members() -> Vec<Pid> {
    let (own, group) = (getpid().as_raw_pid(), getpgrp().as_raw_pid());
    let processes = processes();
    let family = descendants(&processes, own).into_iter();
    let living = |pid: &i32| processes.get(pid).is_some_and(|process| process.group == group && !process.is_zombie);
    family.filter(living).filter_map(Pid::from_raw).collect()
}

/// The descendants of `ancestor`, without it.
fn descendants(processes: &BTreeMap<i32, Process>, ancestor: i32) -> BTreeSet<i32> {
    let mut family = BTreeSet::from([ancestor]);
    // A child may have a lower number than its parent once numbers wrap: look until nothing is added.
    loop {
        let known = family.len();
        let children = processes.iter().filter(|(_, process)| family.contains(&process.parent));
        let children: Vec<i32> = children.map(|(pid, _)| *pid).collect();
        family.extend(children);
        if family.len() == known {
            break;
        }
    }
    family.remove(&ancestor);
    family
}

fn processes() -> BTreeMap<i32, Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbered = entries.filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())));
    numbered.filter_map(|(pid, path)| Some((pid, read(&path)?))).collect()
}

fn read(directory: &Path) -> Option<Process> {
    parse(&fs::read(directory.join("stat")).ok()?)
}

/// `pid (name) state ppid pgrp ...`; the name may hold anything, parentheses too.
fn parse(stat: &[u8]) -> Option<Process> {
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let mut fields = std::str::from_utf8(&stat[end + 1..]).ok()?.split_ascii_whitespace();
    let state = fields.next()?;
    let (parent, group) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(Process { parent, group, is_zombie: state == "Z" || state == "X" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_parentheses_and_blanks_are_passed_over() {
        let process = Process { parent: 7, group: 9, is_zombie: false };
        assert_eq!(parse(b"12 (a) Z 1 1 (b) S 7 9 9 0 -1"), Some(process));
        assert_eq!(parse(b"12 (\xff) Z 7 9"), Some(Process { is_zombie: true, ..process }));
        assert_eq!(parse(b"garbage"), None);
        assert_eq!(parse(b"1 (x) S 7"), None);
    }

    #[test]
    fn descendants_are_found_whatever_their_numbers() {
        let process = |parent| Process { parent, group: 1, is_zombie: false };
        let processes = BTreeMap::from([(10, process(1)), (3, process(20)), (20, process(10)), (30, process(2))]);
        assert_eq!(descendants(&processes, 10), BTreeSet::from([3, 20]));
    }

    #[test]
    fn a_child_is_of_the_family() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let pid = Pid::from_child(&child);
        assert!(members().contains(&pid));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!members().contains(&pid));
    }
}
