//! The compiler's own disassembler: llvm-objdump, found and run on one code object.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::error::ToolchainError;
use super::find::in_path;
use super::llvm::{Llvm, SUPPORTED};
use crate::environment::Environment;

/// A disassembler that exists.
#[derive(Clone, Debug)]
pub struct Objdump {
    path: PathBuf,
    environment: Environment,
}

impl Objdump {
    /// The llvm-objdump of an LLVM: the one in its `bin`, else the one in PATH of its version, else any in PATH.
    ///
    /// An objdump of another LLVM may not know the GPU of a code object, so the compiler's own comes first.
    ///
    /// Errors: there is none.
    pub fn of(llvm: &Llvm, environment: &Environment) -> Result<Objdump, ToolchainError> {
        let bin = llvm.prefix.join("bin");
        let versioned = OsString::from(format!("llvm-objdump-{}", llvm.major));
        let plain = OsStr::new("llvm-objdump");
        let beside = [bin.join(plain), bin.join(&versioned)].into_iter().filter(|path| path.is_file());
        let in_path = [&versioned, plain].into_iter().flat_map(|name| in_path(environment, name));
        let path = beside.chain(in_path).next().ok_or(ToolchainError::NoObjdump { bin, major: llvm.major })?;
        Ok(Objdump { path, environment: environment.clone() })
    }

    /// Every llvm-objdump in PATH: those of a version that the plugin can be built for, newest first, then the plain name.
    pub fn in_path(environment: &Environment) -> Vec<Objdump> {
        let versioned = SUPPORTED.rev().map(|major| format!("llvm-objdump-{major}"));
        let names = versioned.chain(["llvm-objdump".to_owned()]);
        let paths = names.filter_map(|name| in_path(environment, OsStr::new(&name)).next());
        paths.map(|path| Objdump { path, environment: environment.clone() }).collect()
    }

    /// The program at `path`, which is not looked at before it runs; it runs in an empty environment.
    pub fn at(path: &Path) -> Objdump {
        Objdump { path: path.to_owned(), environment: Environment::default() }
    }

    /// Where the program is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The machine code of `code_object`, the bytes of one AMDGPU ELF file, as the text that
    /// [`Program::parse`](crate::machine::Program::parse) reads: every executable section, with addresses and encodings.
    ///
    /// Errors: the program does not start, or says that the bytes are no object file.
    pub fn disassemble(&self, code_object: &[u8]) -> Result<String, ToolchainError> {
        let failed = |said: String| ToolchainError::Objdump { objdump: self.path.clone(), said };
        let write = || {
            let mut file = tempfile::Builder::new().prefix("sqtt").suffix(".co").tempfile()?;
            file.write_all(code_object)?;
            file.flush()?;
            Ok(file)
        };
        let file = write().map_err(|error: std::io::Error| failed(error.to_string()))?;
        let arguments = [OsStr::new("--disassemble"), OsStr::new("--disassemble-zeroes"), file.path().as_os_str()];
        let output = duct::cmd(&self.path, arguments)
            .full_env(self.environment.iter())
            .stdin_null()
            .stdout_capture()
            .stderr_capture()
            .unchecked()
            .run()
            .map_err(|error| failed(error.to_string()))?;
        if !output.status.success() {
            return Err(failed(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}
