//! The stamp: a header that makes a compiler cache see what it would not look at, our settings and the plugin.
//!
//! A cache in front of us (`ccache sqtt-hipcc`) compares the preprocessed text, a cache below us also the command line.
//! Both change when anything does that changes the object, because the name and the text of the stamp hold a digest of
//! it. ccache's direct mode finds an old object before we are run at all; the token `__TIME__` in a source, here in a
//! comment, switches it off for the unit (ccache manual, "Cache statistics"; seen with 4.7.5).

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::config::Config;
use crate::toolchain::cache::{self, Cache};
use crate::toolchain::identity::KeyDigest;
use crate::toolchain::{Compiler, ToolchainError};

/// What changes the object.
#[derive(Debug)]
pub(super) enum Cause<'a> {
    /// The call is instrumented by a plugin with this digest and with the headers in this directory.
    Instrumented {
        /// Changes when the plugin does.
        plugin: &'a str,
        /// Its name holds a digest of the headers.
        headers: &'a OsStr,
    },
    /// Instrumentation is switched off.
    Off,
}

/// A stamp that may not be written yet.
#[derive(Debug)]
pub(super) struct Stamp {
    /// Absolute.
    pub(super) path: PathBuf,
    text: String,
}

impl Stamp {
    /// The stamp for a call of `compiler` with the merged settings.
    pub(super) fn of(
        cause: &Cause<'_>,
        compiler: &Compiler,
        config: &Config,
        cache: &Cache,
    ) -> Result<Stamp, ToolchainError> {
        let mut key = KeyDigest::default();
        // Not device and inode, which are others in each run of a container.
        let file = &compiler.identity;
        key.part("stamp 1").part(&file.path);
        key.bytes(&file.bytes.to_le_bytes())
            .bytes(&file.modified_s.to_le_bytes())
            .bytes(&file.modified_ns.to_le_bytes());
        match cause {
            Cause::Off => _ = key.part("off"),
            Cause::Instrumented { plugin, headers } => {
                key.part("on").part(plugin).part(headers).part(format!("{:?}", config.validation()));
                for (variable, value) in config.plugin_variables() {
                    key.part(variable.name).part(if value.is_some() { "is" } else { "default" });
                    key.part(value.unwrap_or_default());
                }
            }
        }
        let digest = key.finish();
        // The declaration is there for HIP alone: a C file or an assembly file of the same call gets the header too.
        let text = format!(
            "// The settings of this compile, for compiler caches; `__TIME__` keeps ccache out of its direct mode.\n\
             #ifdef __HIP__\nstruct sqtt_settings_{digest};\n#endif\n"
        );
        Ok(Stamp { path: cache.root()?.join("stamp").join(format!("{digest}.h")), text })
    }

    /// Puts the file in its place, unless it is there.
    pub(super) fn write(&self) -> Result<(), ToolchainError> {
        if self.path.metadata().is_ok_and(|file| file.len() == self.text.len() as u64) {
            return Ok(());
        }
        cache::write_whole(&self.path, self.text.as_bytes()).map_err(|cause| ToolchainError::CacheNotWritable { cause })
    }
}
