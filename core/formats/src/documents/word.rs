//! Reads Word documents among the texts.

use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::{Reader, docx};
use crate::error::ImportError;
use crate::html::Converted;
use crate::note::Reason;
use crate::note::document::Note;
use crate::report::Entry;
use crate::{Progress, Watcher, language, recognize};
use kurso_base::messages::Lang;

/// The error that a note about a part of a single file stands for.
pub(super) fn trouble_of(entry: &Entry) -> Option<ImportError> {
    match &entry.note {
        crate::note::Note::Packed(why) => Some(ImportError::Archive {
            path: entry.place.clone(),
            why: why.clone(),
        }),
        crate::note::Note::Document(Note::File { path, trouble }) => Some(ImportError::File {
            path: path.clone(),
            trouble: *trouble,
        }),
        crate::note::Note::Document(Note::Damaged(path) | Note::Part { path, .. }) => Some(ImportError::Archive {
            path: path.clone(),
            why: Reason::Damaged,
        }),
        _ => None,
    }
}

impl Reader<'_> {
    /// Unpacks and reads a DOCX file.
    pub(super) fn docx(
        &mut self,
        path: &str,
        progress: &mut Watcher<'_>,
    ) -> Result<Option<(Converted, Option<String>, Lang)>, ImportError> {
        let real = match self.folder.find(Path::new(path)) {
            Ok(real) => real,
            Err(trouble) => {
                let file = path.to_owned();
                self.note(path, Note::File { path: file, trouble });
                return Ok(None);
            }
        };
        if let Some(what) = recognize::unsupported_file(&real) {
            self.note(path, Note::Unsupported(what));
            return Ok(None);
        }
        let target = self.scratch.folder.join(format!("docx-{}", Uuid::now_v7().simple()));
        let Some(mut package) = docx::Package::unpack(&real, &target, self.scratch.budget, progress)? else {
            self.note(path, Note::Damaged(path.to_owned()));
            return Ok(None);
        };
        for (name, note) in std::mem::take(&mut package.skipped) {
            self.report.add(format!("{path}: {name}"), note);
        }
        let words = package
            .folder
            .read_long_text(Path::new(&package.main))
            .unwrap_or_default();
        let lang = language::guess(&words);
        drop(words);
        let mut cancelled = Ok(());
        let document = docx::read(&package, lang, &mut || {
            let now = Progress {
                done: 0,
                total: 0,
                file: path,
            };
            cancelled.is_err() || {
                cancelled = now.tell(progress);
                cancelled.is_err()
            }
        });
        cancelled?;
        let inside = package.folder;
        let Some(document) = document else {
            let _ = std::fs::remove_dir_all(&target);
            self.note(path, Note::NoDocx);
            return Ok(None);
        };
        // Without its main part there is no page; the notes say why.
        let unread = document.html.is_empty() && document.title.is_none() && !document.notes.is_empty();
        for note in document.notes {
            self.note(path, note);
        }
        if unread {
            let _ = std::fs::remove_dir_all(&target);
            return Ok(None);
        }
        if document.footnotes > 0 {
            self.report.add(path, crate::note::Note::Footnotes(document.footnotes));
        }
        let base = PathBuf::from(&document.base);
        let converted = self.convert(&document.html, path, lang, Some(&inside), &base);
        Ok(Some((converted, document.title, lang)))
    }
}
