//! What the test of the documents reads them with. Not a test itself.
pub(crate) mod console;
pub(crate) mod members;
pub(crate) mod pages;
