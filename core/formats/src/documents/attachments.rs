//! Offers documents that no reader takes for download, on pages of their own.

use std::path::PathBuf;

use serde_json::Value;

use super::Reader;
use crate::blocks::doc;
use crate::course::{LessonDraft, PageDraft, numbered};
use crate::html_host;
use crate::language;
use crate::note::document::Note;
use kurso_base::messages::Lang;

/// Documents per page.
const FILES_A_PAGE: usize = 50;

/// The lesson with those documents of a module to which no text links; None if there are none. `module` is the title of
/// the module, `lessons` are its lessons.
pub(super) fn lesson(
    documents: Vec<String>,
    module: Option<&str>,
    lessons: &[LessonDraft],
    reader: &mut Reader<'_>,
) -> Option<LessonDraft> {
    let titles: Vec<&str> = module
        .into_iter()
        .chain(lessons.iter().map(|lesson| lesson.title.as_str()))
        .collect();
    let title = match language::guess(&titles.join(" ")) {
        Lang::Ru => "Файлы",
        Lang::En => "Files",
    };
    let mut blocks: Vec<(String, Value)> = Vec::new();
    for path in documents {
        let file = PathBuf::from(&path);
        if reader.files.contains(reader.folder, &file) {
            continue;
        }
        match html_host::take(reader.folder, &mut reader.files, &[file]) {
            Ok(media) => {
                reader.note(&path, Note::Attached(path.clone()));
                blocks.extend(html_host::attachment(&reader.files, &media).map(|block| (path, block)));
            }
            Err(trouble) => reader.note(
                &path,
                Note::File {
                    path: path.clone(),
                    trouble,
                },
            ),
        }
    }
    let pages: Vec<PageDraft> = (1..)
        .zip(blocks.chunks(FILES_A_PAGE))
        .map(|(number, some)| {
            let title = if number == 1 {
                title.to_owned()
            } else {
                numbered(title, number)
            };
            let source = some.first().map(|(path, _)| path.clone()).unwrap_or_default();
            let blocks = some.iter().map(|(_, block)| block.clone()).collect();
            PageDraft::new(Some(title), doc(blocks), source)
        })
        .collect();
    (!pages.is_empty()).then(|| LessonDraft::new(title, pages))
}
