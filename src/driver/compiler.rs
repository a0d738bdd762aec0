//! Which compiler a call is for: the one that it launches, else the one that is set or found; never one that is waiting
//! for us.

use std::ffi::OsString;
use std::path::Path;

use sqtt_contract::variables::{self, DRIVER_ACTIVE};

use super::{Call, DriverError};
use crate::config::Config;
use crate::environment::Environment;
use crate::invocation::launch::{FLAG, Launch};
use crate::invocation::{Invocation, Rules};
use crate::plan::is_loop;
use crate::toolchain::{Compiler, CompilerKind, FindRequest, find_clang, find_compiler};

/// The compiler and how it is started.
#[derive(Debug)]
pub(super) struct Target {
    /// The real compiler.
    pub(super) compiler: Compiler,
    /// What it is started through, the program absolute; usually nothing.
    pub(super) through: Vec<OsString>,
    /// Who looks at the file extensions, and how.
    pub(super) rules: Rules,
}

impl Target {
    /// The compiler of a call.
    pub(super) fn of(call: &Call, config: &Config, invocation: &Invocation) -> Result<Target, DriverError> {
        let request =
            |explicit| FindRequest { explicit, environment: &call.environment, own_executable: &call.own_executable };
        let launched = |word: &OsString| find_compiler(&request(Some((word.into(), FLAG.to_owned()))));
        let mut through = Vec::new();
        let compiler = match &invocation.launch {
            None if is_clang(&call.program) => find_clang(&request(config.path(variables::HIPCC)))?,
            None => find_compiler(&request(config.path(variables::HIPCC)))?,
            Some(Launch { compiler, .. }) if compiler.is_empty() => return Err(DriverError::NothingToLaunch),
            Some(launch) => {
                through.clone_from(&launch.through);
                if let Some(program) = through.first_mut() {
                    *program = launched(program)?.path.into();
                }
                launched(&launch.compiler)?
            }
        };
        if is_loop(call.environment.get(DRIVER_ACTIVE), &compiler.path) {
            return Err(DriverError::Loop { compiler: compiler.path });
        }
        let rules = rules(&compiler, &call.environment, invocation.launch.is_some());
        Ok(Target { compiler, through, rules })
    }
}

/// Whether the driver was called by a name that stands for clang: `sqtt-clang++`.
fn is_clang(program: &OsString) -> bool {
    Path::new(program).file_name().is_some_and(|name| name.to_string_lossy().contains("clang"))
}

/// A launched compiler of an unknown name is the host's (`CMAKE_CXX_COMPILER_LAUNCHER`); else it stands where hipcc would.
fn rules(compiler: &Compiler, environment: &Environment, launched: bool) -> Rules {
    let name = compiler.path.file_name().unwrap_or_default().to_string_lossy();
    match compiler.kind {
        CompilerKind::Hipcc if !launched || name.contains("hipcc") => {
            Rules::Hipcc { cxx_is_hip: environment.get("HIP_COMPILE_CXX_AS_HIP").is_none_or(|value| value != "0") }
        }
        _ => Rules::Clang,
    }
}
