//! Templates: the modules of one version of a course as one plan writes them, with gaps for the learner's own values. All
//! learners share a template.

use std::sync::Arc;

use kurso_base::ids::CourseId;
use kurso_core::learning::view::CourseView;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::json::Buffer;
use super::plan::{ModuleField, Plan};
use super::write::{self, LearnerValue, Target};

/// Bytes of all templates in the cache.
const CAPACITY: u64 = 24 << 20;

#[derive(Debug, Default)]
pub struct Template {
    text: String,
    /// By their offset in the text, in order.
    gaps: Vec<(usize, LearnerValue)>,
}

impl Buffer for Template {
    fn buffer(&mut self) -> &mut String {
        &mut self.text
    }
}

impl Target for Template {
    fn learner_value(&mut self, _: &CourseView, value: LearnerValue) {
        self.gaps.push((self.text.len(), value));
    }
}

impl Template {
    fn of(view: &CourseView, plan: &Plan<ModuleField>) -> Self {
        let mut template = Template::default();
        write::modules(&mut template, view, plan);
        template.text.shrink_to_fit();
        template.gaps.shrink_to_fit();
        template
    }

    /// Writes the modules with this learner's values.
    pub fn fill(&self, json: &mut String, view: &CourseView) {
        json.reserve(self.text.len() + 6 * self.gaps.len());
        let mut written = 0;
        for (at, value) in &self.gaps {
            json.push_str(self.text.get(written..*at).unwrap_or_default());
            written = *at;
            write::fill(json, view, value);
        }
        json.push_str(self.text.get(written..).unwrap_or_default());
    }

    fn size(&self) -> usize {
        self.text.len() + self.gaps.len() * size_of::<(usize, LearnerValue)>()
    }
}

/// The version of the course is read in every request, so the next request sees a change. Staff see unpublished pages.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    plan: u64,
    course: CourseId,
    structure_version: i64,
    staff: bool,
}

#[derive(Clone)]
struct BySize;

impl Weighter<Key, Arc<Template>> for BySize {
    fn weight(&self, _: &Key, template: &Arc<Template>) -> u64 {
        u64::try_from(template.size()).unwrap_or(u64::MAX).saturating_add(200)
    }
}

/// A cache of templates.
pub struct Templates(Cache<Key, Arc<Template>, BySize>);

impl Default for Templates {
    fn default() -> Self {
        Templates(Cache::with_weighter(100, CAPACITY, BySize))
    }
}

impl Templates {
    pub fn get(&self, plan: u64, view: &CourseView, modules: &Plan<ModuleField>) -> Arc<Template> {
        let key = Key {
            plan,
            course: view.course.id,
            structure_version: view.course.structure_version,
            staff: view.course.role.is_staff(),
        };
        if let Some(template) = self.0.get(&key) {
            return template;
        }
        let template = Arc::new(Template::of(view, modules));
        self.0.insert(key, template.clone());
        template
    }
}
