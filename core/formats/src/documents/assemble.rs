//! Builds the course of a plan from the texts that were read.

use std::collections::HashMap;

use super::names::{Plan, PlannedModule};
use super::{Reader, Text, attachments, outline};
use crate::course::{CourseDraft, LessonDraft, ModuleDraft, PageDraft};

impl Plan {
    pub(super) fn into_course(self, read: &mut HashMap<String, Text>, reader: &mut Reader<'_>) -> CourseDraft {
        if reader.headings.is_some()
            && let Some(text) = read.drain().map(|(_, text)| text).next()
        {
            let modules = outline::modules(&text.title, text.pages, text.starts);
            return CourseDraft::new(text.title, modules);
        }
        let mut modules = Vec::new();
        for PlannedModule {
            title,
            lessons,
            documents,
        } in self.modules
        {
            let mut made = Vec::new();
            for (title, files) in lessons {
                let texts = files.iter().filter_map(|file| read.remove(file));
                let texts: Vec<Text> = texts.filter(|text| !text.pages.is_empty()).collect();
                // A lesson of one file takes the title of the file.
                let Some(title) = title.or_else(|| Some(texts.first()?.title.clone())) else {
                    continue;
                };
                let pages: Vec<PageDraft> = texts.into_iter().flat_map(|text| text.pages).collect();
                if !pages.is_empty() {
                    made.push(LessonDraft::new(title, pages));
                }
            }
            made.extend(attachments::lesson(documents, title.as_deref(), &made, reader));
            if !made.is_empty() {
                let title = title.or_else(|| Some(made.first()?.title.clone())).unwrap_or_default();
                modules.push(ModuleDraft::new(title, made));
            }
        }
        let first = modules.first().map(|module| module.title.clone());
        CourseDraft::new(self.title.or(first).unwrap_or_default(), modules)
    }
}
