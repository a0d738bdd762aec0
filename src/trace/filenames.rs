//! `filenames.json`: which files hold the records of which shader engine.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::json::Malformed;

/// The part that says where the records are; `None` where a file does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filenames {
    /// Names of files by shader engine, in the order in which they were written.
    pub(super) shaderdata: Option<BTreeMap<u32, Vec<String>>>,
}

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    shaderdata_filenames: Option<serde_json::Value>,
}

/// Reads a file of `bytes`.
///
/// A map of no file, which some versions write as null, is one that says nothing: the directory is searched then. Errors:
/// it is no JSON object.
pub(super) fn read(bytes: &[u8]) -> Result<Filenames, Malformed> {
    let document: Document = serde_json::from_slice(bytes).map_err(|error| Malformed::new(bytes, &error))?;
    let engines = document.shaderdata_filenames.as_ref().and_then(serde_json::Value::as_object);
    let entry = |(engine, files): (&String, &serde_json::Value)| Some((engine.parse().ok()?, names(files)));
    let listed: BTreeMap<u32, Vec<String>> = engines.into_iter().flatten().filter_map(entry).collect();
    Ok(Filenames { shaderdata: listed.values().any(|files| !files.is_empty()).then_some(listed) })
}

/// The names in `[[name, begin, end], ...]`.
fn names(files: &serde_json::Value) -> Vec<String> {
    let name = |file: &serde_json::Value| file.get(0).and_then(|name| name.as_str()).map(str::to_owned);
    files.as_array().into_iter().flatten().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_listed_by_engine() {
        let found = read(br#"{"gfxip": 12, "shaderdata_filenames": {"1": [["b.json",1,2],["a.json",2,3]], "x": 1}}"#);
        let expected = BTreeMap::from([(1, vec!["b.json".to_owned(), "a.json".to_owned()])]);
        assert_eq!(found.unwrap().shaderdata, Some(expected));
    }

    #[test]
    fn an_empty_map_in_any_spelling_says_nothing() {
        for map in ["null", "{}", r#"{"0": []}"#, r#"{"0": ["a.json"]}"#, r#"{"x": [["a.json", 1, 2]]}"#, "[1]"] {
            let text = format!("{{\"shaderdata_filenames\": {map}}}");
            assert_eq!(read(text.as_bytes()).unwrap().shaderdata, None, "{text}");
        }
        assert_eq!(read(b"{}").unwrap().shaderdata, None);
        assert_eq!(read(b"[").unwrap_err().offset, 1);
    }
}
