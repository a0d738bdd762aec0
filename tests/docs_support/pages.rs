//! Documents: their links, headings and code blocks. Not a test itself.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// One document.
pub(crate) struct Page {
    /// Its path from the root of the repository.
    pub(crate) name: String,
    text: String,
}

/// The documents at the root, in `docs/`, and the ones that describe a directory.
pub(crate) fn all() -> Vec<Page> {
    let mut names = Vec::new();
    for directory in ["", "docs/", "tests/", "examples/"] {
        for entry in fs::read_dir(Path::new(ROOT).join(directory)).expect("the directory is there") {
            let name = entry.expect("the directory can be read").file_name().into_string().expect("names are UTF-8");
            if name.ends_with(".md") {
                names.push(format!("{directory}{name}"));
            }
        }
    }
    names.sort();
    names.iter().map(|name| Page::read(name)).collect()
}

impl Page {
    /// The document at the path `name`.
    pub(crate) fn read(name: &str) -> Page {
        Page::of(name, &fs::read_to_string(Path::new(ROOT).join(name)).expect("the document is there"))
    }

    /// A document that is not in a file.
    pub(crate) fn of(name: &str, text: &str) -> Page {
        Page { name: name.to_owned(), text: text.to_owned() }
    }

    fn events(&self) -> Parser<'_> {
        Parser::new_ext(&self.text, Options::ENABLE_TABLES)
    }

    /// The destinations of its links and pictures, in order.
    pub(crate) fn links(&self) -> Vec<String> {
        self.events()
            .filter_map(|event| match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
                _ => None,
            })
            .collect()
    }

    /// The code blocks in the language `language`.
    pub(crate) fn blocks(&self, language: &str) -> Vec<String> {
        let mut blocks = Vec::new();
        let mut inside = false;
        for event in self.events() {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if &*info == language => {
                    inside = true;
                    blocks.push(String::new());
                }
                Event::End(TagEnd::CodeBlock) => inside = false,
                Event::Text(text) if inside => {
                    if let Some(block) = blocks.last_mut() {
                        block.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        blocks
    }

    /// The code in the first column of the tables below the heading `heading`, up to the next heading; heads of tables do
    /// not count.
    pub(crate) fn first_column(&self, heading: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let (mut title, mut is_in_title, mut is_head, mut column) = (String::new(), false, false, 0);
        for event in self.events() {
            match event {
                Event::Start(Tag::Heading { .. }) => (title, is_in_title) = (String::new(), true),
                Event::End(TagEnd::Heading(_)) => is_in_title = false,
                Event::Text(text) | Event::Code(text) if is_in_title => title.push_str(&text),
                Event::Start(Tag::TableHead) => is_head = true,
                Event::End(TagEnd::TableHead) => is_head = false,
                Event::Start(Tag::TableRow) => column = 0,
                Event::End(TagEnd::TableCell) => column += 1,
                Event::Code(text) if title == heading && !is_head && column == 0 => {
                    found.insert(text.into_string());
                }
                _ => {}
            }
        }
        found
    }

    /// What links to its headings say behind the `#`: as mdBook and code forges derive it from the heading's text.
    fn anchors(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        let mut heading: Option<String> = None;
        for event in self.events() {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => anchors.extend(heading.take().map(|text| slug(&text))),
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        anchors
    }
}

fn slug(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter(|character| character.is_alphanumeric() || " -_".contains(*character))
        .map(|character| if character == ' ' { '-' } else { character })
        .collect()
}

/// Whether `link` of `page` leads somewhere. Links into the web are not followed.
pub(crate) fn follow(page: &Page, link: &str) -> Result<(), String> {
    if link.starts_with("https://") || link.starts_with("http://") {
        return Ok(());
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() {
        page.name.clone()
    } else {
        let directory = Path::new(&page.name).parent().unwrap_or(Path::new(""));
        plain(&directory.join(path)).to_string_lossy().into_owned()
    };
    if !Path::new(ROOT).join(&target).exists() {
        return Err(format!("there is no `{target}`"));
    }
    if anchor.is_empty() || Page::read(&target).anchors().iter().any(|heading| heading == anchor) {
        return Ok(());
    }
    Err(format!("`{target}` has no heading `{anchor}`"))
}

/// `path` without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        if component == Component::ParentDir {
            plain.pop();
        } else {
            plain.push(component);
        }
    }
    plain
}
