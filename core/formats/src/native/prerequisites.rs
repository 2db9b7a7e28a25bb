//! Prerequisites of modules and lessons, which name each other by their keys.

use std::collections::HashMap;

use kurso_base::values::FEW;
use uuid::Uuid;

use crate::course::CourseDraft;
use crate::note::Note;
use crate::report::Report;

/// By the id of a module or lesson: its file, and the keys of what it needs.
#[derive(Default)]
pub struct Needs(HashMap<Uuid, (String, Vec<String>)>);

impl Needs {
    pub fn add(&mut self, part: Uuid, file: &str, keys: Vec<String>) {
        if !keys.is_empty() {
            self.0.insert(part, (file.to_owned(), keys));
        }
    }

    /// Sets the prerequisites of a course whose keys are final. Reports keys that it does not have, and those beyond the limit.
    pub fn resolve(mut self, course: &mut CourseDraft, report: &mut Report) {
        let modules = course.modules.iter().map(|module| (module.key.clone(), module.id));
        let lessons = course.lessons().map(|lesson| (lesson.key.clone(), lesson.id));
        let known = modules.chain(lessons);
        let by_key: HashMap<String, Uuid> = known.filter_map(|(key, id)| Some((key?, id))).collect();
        for (part, needs) in course.prerequisites_mut() {
            let (file, keys) = self.0.remove(&part).unwrap_or_default();
            if keys.len() > FEW {
                let (count, most) = (keys.len() - FEW, FEW);
                report.add(&file, Note::Beyond { count, most });
            }
            for key in keys.into_iter().take(FEW) {
                match by_key.get(&key) {
                    Some(id) => needs.push(*id),
                    None => report.add(&file, Note::UnknownPrerequisite(key)),
                }
            }
        }
    }
}
