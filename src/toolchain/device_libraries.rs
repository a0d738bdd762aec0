//! Where a compiler finds the device libraries, without which no HIP program compiles.

use std::path::{Path, PathBuf};

use sqtt_contract::variables;

use super::error::ToolchainError;
use super::find::Compiler;
use crate::environment::Environment;

/// What clang's inner command line has in front of each device library.
const LINKED: &str = "-mlink-builtin-bitcode";

/// The directory of the device libraries that `compiler` would link for a target of its own choice; asked for what it
/// would run, it runs nothing but itself.
///
/// Fails when it does not run, and when it finds none.
pub fn device_libraries(compiler: &Compiler, environment: &Environment) -> Result<PathBuf, ToolchainError> {
    let words = ["-###", "--offload-arch=gfx90a", "-x", "hip", "-c", "/dev/null", "-o", "/dev/null"];
    let output = duct::cmd(&compiler.path, words)
        // A compiler that is this driver in disguise then tells the loop.
        .env(variables::DRIVER_ACTIVE, &compiler.path)
        .full_env(environment.iter())
        .stdin_null()
        .stderr_to_stdout()
        .stdout_capture()
        .unchecked()
        .run()
        .map_err(|cause| ToolchainError::CannotRun { compiler: compiler.path.clone(), cause })?;
    let said = String::from_utf8_lossy(&output.stdout);
    linked(&said).ok_or_else(|| {
        let errors = said.lines().filter(|line| line.contains("error: "));
        let errors = errors.map(|line| format!("  {line}\n")).collect();
        ToolchainError::NoDeviceLibraries { compiler: compiler.path.clone(), errors }
    })
}

/// The directory of the first library in a command line of quoted words.
fn linked(said: &str) -> Option<PathBuf> {
    let words =
        said.lines().filter(|line| line.contains(LINKED)).flat_map(|line| shlex::split(line).unwrap_or_default());
    let library = words.skip_while(|word| word != LINKED).nth(1)?;
    Some(Path::new(&library).parent()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_library_is_found_among_quoted_words() {
        let said = "Debian clang version 22.1.8\n \"/c/clang\" \"-cc1\" \"-mlink-builtin-bitcode\" \"/a b/ocml.bc\" \"-o\" \"x\"\n";
        assert_eq!(linked(said), Some(PathBuf::from("/a b")));
        assert_eq!(linked("clang: error: cannot find ROCm device library"), None);
    }
}
