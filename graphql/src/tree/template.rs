//! The modules of one version of a course as one selection shows them, written once for all its learners: text with gaps for
//! what is the learner's own.

use std::sync::Arc;

use kurso_core::ids::CourseId;
use kurso_core::learning::view::CourseView;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::json::Text;
use super::plan::{ModuleField, Plan};
use super::write::{self, Mark, Out};

/// Bytes of text and gaps kept.
const KEPT: u64 = 24 << 20;

#[derive(Debug, Default)]
pub struct Template {
    text: String,
    /// After how many bytes of the text, in order.
    gaps: Vec<(usize, Mark)>,
}

impl Text for Template {
    fn text(&mut self) -> &mut String {
        &mut self.text
    }
}

impl Out for Template {
    fn mark(&mut self, _: &CourseView, mark: Mark) {
        self.gaps.push((self.text.len(), mark));
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

    /// Writes the modules with this learner's marks.
    pub fn fill(&self, json: &mut String, view: &CourseView) {
        json.reserve(self.text.len() + 6 * self.gaps.len());
        let mut written = 0;
        for (at, mark) in &self.gaps {
            json.push_str(self.text.get(written..*at).unwrap_or_default());
            written = *at;
            write::fill(json, view, mark);
        }
        json.push_str(self.text.get(written..).unwrap_or_default());
    }

    fn size(&self) -> usize {
        self.text.len() + self.gaps.len() * size_of::<(usize, Mark)>()
    }
}

/// Which selection, of which version of which course, and whether unpublished pages are shown. The version is read in every
/// request, so what was changed is seen by the next one.
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

/// The templates used lately.
pub struct Templates(Cache<Key, Arc<Template>, BySize>);

impl Default for Templates {
    fn default() -> Self {
        Templates(Cache::with_weighter(100, KEPT, BySize))
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
