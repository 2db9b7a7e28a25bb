//! What packages have, read without the readers of courses.

use super::*;

/// An mdBook: its pages in the summary, and other pages as files.
pub fn book(folder: &Path) -> Things {
    let mut things = Things::default();
    let src = folder.join("src");
    let summary = std::fs::read_to_string(src.join("SUMMARY.md")).unwrap();
    let in_summary: BTreeSet<String> = regex(r"\]\(([^)]+\.md)\)")
        .captures_iter(&summary)
        .map(|target| target[1].trim_start_matches("./").to_owned())
        .collect();
    for file in std::fs::read_dir(&src).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".md") && name != "SUMMARY.md" {
            things.add(Thing::File, format!("src/{name}"));
        }
    }
    things.words(&regex(r"\]\([^)]*\)").replace_all(&summary, "]"));
    for name in &in_summary {
        let text = std::fs::read_to_string(src.join(name)).unwrap();
        page(&src, name, &in_summary, &text, &mut things);
    }
    things
}

/// A page of Markdown.
fn page(src: &Path, name: &str, pages: &BTreeSet<String>, text: &str, things: &mut Things) {
    let text = regex(r"(?s)<!--.*?-->").replace_all(text, " ");
    let fence = regex(r"^[ >]*(`{3,}|~{3,})");
    let mut open: Option<String> = None;
    let mut is_quoted = false;
    let mut prose = String::new();
    for line in text.lines() {
        let mark = fence.captures(line).map(|found| found[1].to_owned());
        match (&open, mark) {
            (None, Some(mark)) => {
                is_quoted = line.trim_start().starts_with('>');
                open = Some(mark);
            }
            (Some(own), Some(mark)) if mark.starts_with(own.as_str()) => open = None,
            (Some(_), _) => {
                let line = line.trim_start();
                code_line(
                    src,
                    line.strip_prefix('>').filter(|_| is_quoted).unwrap_or(line),
                    things,
                );
            }
            (None, _) => {
                prose.push_str(line);
                prose.push('\n');
            }
        }
    }
    let table = regex(r"^\s*\|?[ :|-]*-{3}[ :|-]*\|[ :|-]*$");
    let rows: Vec<&str> = prose.lines().collect();
    for (at, line) in rows.iter().enumerate().filter(|(_, line)| table.is_match(line)) {
        let columns = cells(line).len();
        let body = rows[at + 1..].iter().take_while(|row| row.contains('|'));
        for row in at
            .checked_sub(1)
            .and_then(|head| rows.get(head))
            .into_iter()
            .chain(body)
        {
            let mut words: Vec<String> = cells(row).into_iter().map(|cell| plain(&words_of(&cell))).collect();
            words.resize(columns, String::new());
            things.add(Thing::Row, words.join(" | "));
        }
    }
    for picture in regex(r#"<img[^>]*?src="([^"]+)"|!\[[^\]]*\]\(([^) ]+)"#).captures_iter(&prose) {
        let address = picture.get(1).or(picture.get(2)).unwrap().as_str();
        things.add(Thing::Picture, address.rsplit('/').next().unwrap());
    }
    let used = regex(r"(?m)^ {0,3}\[([^\]]+)\]: *<?([^\s>]+)|\]\(([^)\s]+)[^)]*\)");
    let mut defined = BTreeSet::new();
    for link in used.captures_iter(&prose.replace("![", "[")) {
        let address = link.get(2).or(link.get(3)).unwrap().as_str();
        let (path, _) = address.split_once('#').unwrap_or((address, ""));
        let target = path.trim_start_matches("./").replace(".html", ".md");
        if regex(r"\.(png|svg|jpe?g|gif)$").is_match(path) || path.is_empty() {
            continue;
        }
        // A definition that nothing uses is no link.
        let is_used = |label: &str| {
            let label = spaced(label).to_lowercase();
            spaced(&prose)
                .to_lowercase()
                .replace("\\`", "`")
                .matches(&format!("[{label}]"))
                .count()
                > 1
        };
        // Of two definitions, the first holds.
        let is_link =
            |label: regex::Match<'_>| defined.insert(label.as_str().to_lowercase()) && is_used(label.as_str());
        if !link.get(1).is_none_or(is_link) {
            continue;
        }
        if pages.contains(&target) {
            things.add(Thing::Link, format!("src/{name} -> src/{target}"));
        } else {
            things.add(Thing::Link, address);
        }
    }
    for paragraph in regex(r"\n\s*\n|\n\|").split(&prose) {
        // Backquotes in the attributes of an image are not Markdown.
        let text = regex(r"<img\b[^>]*>").replace_all(paragraph, " ");
        spans(&regex(r"\n[ >]*").replace_all(&text, " "), things);
    }
    things.words(&words_of(&prose));
}

/// The code between backquotes of a paragraph.
fn spans(text: &str, things: &mut Things) {
    let marks: Vec<_> = regex("`+").find_iter(text).collect();
    let mut at = 0;
    while let Some(open) = marks.get(at) {
        at += 1;
        if let Some(after) = marks.iter().skip(at).position(|mark| mark.len() == open.len()) {
            let close = marks[at + after];
            things.add(
                Thing::Code,
                spaced(&text[open.end()..close.start()].replace("\\|", "|")),
            );
            at += after + 1;
        }
    }
}

/// The cells of a row of a table.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row.strip_suffix('|').unwrap_or(row);
    let row = row.replace("\\|", "\u{1}");
    row.split('|').map(|cell| cell.replace('\u{1}', "|")).collect()
}

/// The words of Markdown outside of addresses and tags.
fn words_of(markdown: &str) -> String {
    let text = regex(r"(?m)^ {0,3}\[[^\]]+\]: .*$|\{\{#[^}]*\}\}|<https?:[^>]*>").replace_all(markdown, " ");
    // Words between backquotes may look like tags.
    let text = regex(r"`([^`]*)`").replace_all(&text, |code: &regex::Captures<'_>| {
        code[1].replace(['<', '>', '&'], " ")
    });
    let text = regex(r"\]\([^)]*\)|\]\[[^\]]*\]").replace_all(&text, "]");
    untagged(&text.replace("**", ""))
}

/// A line of a listing, or the lines of the file that it includes.
fn code_line(src: &Path, line: &str, things: &mut Things) {
    let include = regex(r"^\s*\{\{#(rustdoc_include|include) ([^}:\s]+)(?::([^}\s]+))?\s*\}\}");
    let Some(found) = include.captures(line) else {
        shown(line, things);
        return;
    };
    let text = std::fs::read_to_string(src.join(&found[2])).unwrap();
    let part = found.get(3).map(|part| part.as_str());
    let anchor = |word: &str| part.map(|part| format!("{word}: {part}"));
    let (begin, end) = (anchor("ANCHOR"), anchor("ANCHOR_END"));
    let is_range = part.is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit() || c == ':'));
    let mut is_inside = part.is_none();
    for line in text.lines() {
        let ends_with = |mark: &Option<String>| {
            mark.as_ref()
                .is_some_and(|mark| line.trim_end().ends_with(mark.as_str()))
        };
        if ends_with(&begin) || ends_with(&end) {
            is_inside = ends_with(&begin);
        } else if is_inside && !is_range && !line.contains("ANCHOR") {
            shown(line, things);
        }
    }
}

/// A line of a listing, unless it begins with # and is hidden from readers, as mdBook and its quizzes do it.
fn shown(line: &str, things: &mut Things) {
    if !regex(r"^\s*#([^!\[]|$)").is_match(line) {
        things.code(line);
    }
}

/// A folder of quizzes for mdbook-quiz.
pub fn quizzes(folder: &Path) -> Things {
    let mut things = Things::default();
    for file in std::fs::read_dir(folder.join("quizzes")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        things.add(Thing::File, format!("quizzes/{name}"));
        let quiz: toml::Value = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for question in quiz["questions"].as_array().unwrap() {
            let id = question["id"].as_str().unwrap();
            let texts = |value: Option<&toml::Value>| match value {
                Some(toml::Value::Array(texts)) => texts.iter().map(|text| text.as_str().unwrap().to_owned()).collect(),
                Some(value) => vec![value.as_str().map_or_else(|| value.to_string(), str::to_owned)],
                None => vec![],
            };
            let part = |part: &str, name: &str| texts(question.get(part).and_then(|part| part.get(name)));
            things.code(&part("prompt", "program").concat());
            for text in [part("prompt", "prompt"), texts(question.get("context"))].concat() {
                prose(&text, &mut things);
            }
            let mut answer = |text: &str| things.add(Thing::Answer, format!("{id}: {text}"));
            let kind = question["type"].as_str().unwrap();
            for name in ["answer", "alternatives", "stdout", "lineNumber"] {
                for text in part("answer", name) {
                    answer(&plain(&options_text(&text, kind)));
                }
            }
            for text in part("prompt", "distractors") {
                answer(&format!("not {}", plain(&options_text(&text, kind))));
            }
        }
    }
    things
}

/// An option is Markdown, a short answer is text.
fn options_text(text: &str, kind: &str) -> String {
    match kind {
        "MultipleChoice" => {
            let (words, code) = split(text);
            words_of(&words) + " " + &code
        }
        _ => text.to_owned(),
    }
}

/// Words and listings of Markdown, apart.
fn split(text: &str) -> (String, String) {
    let fences = regex(r"(?s)```[^\n]*\n(.*?)```");
    let code = fences.captures_iter(text).map(|code| code[1].to_owned()).collect();
    (fences.replace_all(text, " ").into_owned(), code)
}

fn prose(text: &str, things: &mut Things) {
    let (words, code) = split(text);
    code.lines().for_each(|line| shown(line, things));
    things.words(&words_of(&words));
    for link in regex(r"\]\((https?:[^)\s]+)\)").captures_iter(&words) {
        things.add(Thing::Link, &link[1]);
    }
}

/// A Common Cartridge as Canvas exports it.
pub fn cartridge(path: &Path) -> Things {
    let mut things = Things::default();
    let mut zip = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    for at in 0..zip.len() {
        let mut entry = zip.by_index(at).unwrap();
        let name = entry.name().unwrap().to_string();
        let file = name.rsplit('/').next().unwrap().to_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        match file.rsplit('.').next().unwrap() {
            "html" => html(&text, &mut things),
            "xml" | "qti" if !name.starts_with("course_settings/") => {
                let tree = roxmltree::Document::parse(&text).unwrap();
                for node in tree.descendants().filter(roxmltree::Node::is_element) {
                    let said = node.text().unwrap_or_default();
                    match node.tag_name().name() {
                        "mattext" | "text" | "description" if !is_menu_name(node, said) => {
                            html(&regex(r"\[\w+\d\]").replace_all(said, " "), &mut things);
                        }
                        "title" | "string" => things.words(said),
                        "url" => things.add(Thing::Link, node.attribute("href").unwrap_or(said)),
                        "item" => answers(node, &mut things),
                        "formula" => things.add(Thing::Formula, spaced(said)),
                        _ => {}
                    }
                }
            }
            "xml" | "txt" => {}
            _ => things.add(Thing::Picture, file),
        }
    }
    things
}

fn html(text: &str, things: &mut Things) {
    let text = regex(r"(?s)<head\b.*?</head>").replace_all(text, |head: &regex::Captures<'_>| {
        let title = regex(r"(?s)<title>(.*?)</title>")
            .captures(&head[0])
            .map(|title| title[1].to_owned());
        title.unwrap_or_default()
    });
    things.words(&untagged(&text));
    for picture in regex(r#"<img[^>]*?src="([^"]+)""#).captures_iter(&text) {
        things.add(Thing::Picture, picture[1].replace("&amp;", "&"));
    }
    for formula in regex(r#"data-equation-content="([^"]+)"|\\\((.+?)\\\)"#).captures_iter(&text) {
        things.add(
            Thing::Formula,
            spaced(formula.get(1).or(formula.get(2)).unwrap().as_str()),
        );
    }
    for link in regex(r#"<a [^>]*?href="([^"]+)""#).captures_iter(&text) {
        things.add(Thing::Link, link[1].replace("&amp;", "&"));
    }
    for row in regex(r"(?s)<tr\b.*?</tr>").find_iter(&text) {
        let cells = regex(r"(?s)<t[hd]\b.*?</t[hd]>");
        let cells: Vec<String> = cells
            .find_iter(row.as_str())
            .map(|cell| plain(&untagged(cell.as_str())))
            .collect();
        things.add(Thing::Row, cells.join(" | "));
    }
    for code in regex(r"(?s)<(?:pre|code)\b[^>]*>(.*?)</(?:pre|code)>").captures_iter(&text) {
        things.code(&untagged(&code[1]));
    }
}

/// Whether a text is the name of a menu, which stands for a blank.
fn is_menu_name(node: roxmltree::Node<'_, '_>, text: &str) -> bool {
    let menu = node.ancestors().find(|node| node.has_tag_name_local("response_lid"));
    menu.and_then(|menu| menu.attribute("ident")) == Some(&format!("response_{text}"))
}

/// The correct answers of an item: those for which the score is set.
fn answers(item: roxmltree::Node<'_, '_>, things: &mut Things) {
    let named = |name: &'static str| item.descendants().filter(move |node| node.has_tag_name_local(name));
    let text = |node: roxmltree::Node<'_, '_>| {
        let material = node.descendants().find(|node| node.has_tag_name_local("mattext"));
        plain(&untagged(material.and_then(|node| node.text()).unwrap_or_default()))
    };
    let Some(prompt) = named("presentation").next().map(text) else {
        return;
    };
    // A blank has the name of its menu.
    let menus: Vec<&str> = named("response_lid")
        .filter_map(|menu| menu.attribute("ident")?.strip_prefix("response_"))
        .collect();
    let words: Vec<&str> = prompt.split(' ').filter(|word| !menus.contains(word)).collect();
    let is_with_blanks = words.len() < prompt.split(' ').count();
    let prompt = words.join(" ");
    let labels: BTreeMap<&str, String> = named("response_label")
        .map(|label| (label.attribute("ident").unwrap_or_default(), text(label)))
        .collect();
    for condition in
        named("respcondition").filter(|node| node.descendants().any(|node| node.has_tag_name_local("setvar")))
    {
        for right in condition
            .descendants()
            .filter(|node| node.has_tag_name_local("varequal"))
        {
            let value = right.text().unwrap_or_default().trim();
            let is_not = right.parent().is_some_and(|parent| parent.has_tag_name_local("not"));
            let respident = right.attribute("respident").unwrap_or_default();
            let group = named("response_lid").find(|lid| lid.attribute("ident") == Some(respident));
            let left = group
                .map(text)
                .filter(|left| named("response_lid").count() > 1 && !left.is_empty());
            let answer = labels.get(value).cloned().unwrap_or_else(|| value.to_owned());
            let answer = match (left, is_not) {
                (Some(left), _) if !is_with_blanks => format!("{left} = {answer}"),
                (_, true) => format!("not {answer}"),
                _ => answer,
            };
            things.add(Thing::Answer, format!("{prompt}: {answer}"));
        }
    }
}

trait Local {
    fn has_tag_name_local(&self, name: &str) -> bool;
}

impl Local for roxmltree::Node<'_, '_> {
    fn has_tag_name_local(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}
