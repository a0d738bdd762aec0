//! How long functions are, told from the layout that formatters give them: the closing brace stands under the first
//! letter of the function.

use crate::source::File;

/// `path:line` of the functions in `file` with more than `limit` lines, first and last included.
pub(crate) fn longer_than(limit: usize, file: &File) -> Vec<String> {
    let lines: Vec<String> = if file.is_rust() {
        file.rust_lines().into_iter().map(|line| line.code).collect()
    } else {
        file.text.lines().map(str::to_owned).collect()
    };
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate().filter(|(_, line)| opens(file, line)) {
        let body = lines[start..].iter().find(|line| line.ends_with(['{', '}', ';']));
        if !body.is_some_and(|line| line.ends_with('{')) {
            continue;
        }
        let closing = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
        let length = lines[start..].iter().position(|line| *line == closing).map_or(0, |end| end + 1);
        if length > limit {
            found.push(format!("{}:{}: {length} lines", file.path, start + 1));
        }
    }
    found
}

fn opens(file: &File, line: &str) -> bool {
    if file.is_rust() {
        let before = line.split_once("fn ").map(|(before, _)| before);
        before.is_some_and(|before| before.split_whitespace().all(is_qualifier))
    } else if file.is_shell() {
        line.ends_with("() {")
    } else {
        line.ends_with('{') && line.contains('(') && !line.starts_with([' ', '}'])
    }
}

fn is_qualifier(word: &str) -> bool {
    word.starts_with("pub") || ["const", "async", "unsafe", "extern", "\"\""].contains(&word)
}
