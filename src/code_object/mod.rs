//! A file -> the AMDGPU code objects in it.
