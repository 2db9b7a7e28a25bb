//! Courses of a few parts with random dates, overrides and prerequisites, and what a learner has done in them.

use kurso_base::schedule::{CourseDates, Dates, Late};
use kurso_base::values::Change;
use proptest::prelude::*;
use proptest::sample::Index;

use super::super::*;
use crate::access::Role;
use crate::courses::tree::PageKind;
use crate::courses::tree::samples::{SamplePage, WithDates};
use crate::schedule::overrides::Override;
use crate::schedule::samples::{self, at};

type Layer = Vec<(Place, Override)>;

fn instant() -> impl Strategy<Value = DateTime<Utc>> {
    (-40_i64..40).prop_map(at)
}

fn change() -> impl Strategy<Value = Change<DateTime<Utc>>> {
    prop_oneof![3 => Just(Change::Keep), 1 => Just(Change::Clear), 2 => instant().prop_map(Change::Set)]
}

#[derive(Clone, Debug)]
pub struct Case {
    pub course: CourseDates,
    pub modules: Vec<WithDates<WithDates<SamplePage>>>,
    pub needs: Vec<(Part, Part)>,
    pub group: Layer,
    pub learner: Layer,
    /// Of each page in reading order, whether the learner has done it.
    pub done: Vec<bool>,
    pub role: Role,
}

pub fn case() -> impl Strategy<Value = Case> {
    let kind = prop_oneof![
        Just(PageKind::Content),
        Just(PageKind::Quiz),
        Just(PageKind::Assignment)
    ];
    let dates = || samples::dates(|| prop::option::weighted(0.4, instant()));
    let late = samples::late(prop::option::of(instant()));
    let page = (kind, prop::bool::weighted(0.8), dates(), late);
    let lesson = (dates(), prop::collection::vec(page, 0..3));
    let module = (dates(), prop::collection::vec(lesson, 0..3));
    let part = || any::<Index>();
    let layer = || prop::collection::vec((part(), samples::over(change)), 0..6);
    let whole = (prop::option::of(instant()), prop::option::of(instant()), any::<bool>());
    let role = prop_oneof![4 => Just(Role::Learner), 1 => Just(Role::Teacher)];
    (
        whole,
        prop::collection::vec(module, 1..4),
        prop::collection::vec((part(), part()), 0..4),
        (layer(), layer()),
        prop::collection::vec(any::<bool>(), 18),
        role,
        prop::bool::weighted(0.2),
    )
        .prop_map(
            |((mut starts_at, mut ends_at, sequential), mut modules, needs, layers, done, role, is_bare)| {
                if is_bare {
                    // The course and its parts have no dates of their own; only overrides do.
                    (starts_at, ends_at) = (None, None);
                    for (dates, lessons) in &mut modules {
                        *dates = Dates::default();
                        for (dates, pages) in lessons {
                            *dates = Dates::default();
                            for (.., dates, late) in pages {
                                (*dates, *late) = (Dates::default(), Late::default());
                            }
                        }
                    }
                }
                let course = CourseDates {
                    starts_at,
                    ends_at,
                    sequential,
                    ..CourseDates::default()
                };
                let mut case = Case {
                    course,
                    modules,
                    needs: vec![],
                    group: vec![],
                    learner: vec![],
                    done,
                    role,
                };
                let parts: Vec<Part> = case.places().into_iter().filter_map(part_at).collect();
                let pick = |index: Index| parts[index.index(parts.len())];
                case.needs = needs.into_iter().map(|(part, need)| (pick(part), pick(need))).collect();
                let places = case.places();
                let layer = |drawn: Vec<(Index, Override)>| {
                    let mut layer: Layer = vec![];
                    for (index, over) in drawn {
                        let place = places[index.index(places.len())];
                        if layer.iter().all(|(taken, _)| *taken != place) {
                            layer.push((place, over));
                        }
                    }
                    layer
                };
                (case.group, case.learner) = (layer(layers.0), layer(layers.1));
                case
            },
        )
}

pub fn part_at(place: Place) -> Option<Part> {
    match place {
        Place::Module(module) => Some(Part::Module(module)),
        Place::Lesson(lesson) => Some(Part::Lesson(lesson)),
        Place::Course | Place::Page(_) => None,
    }
}

impl Case {
    /// Every part, each behind those above it: the modules, their lessons and their pages in reading order.
    pub fn paths(&self) -> Vec<Vec<(Place, Dates)>> {
        let course = Dates {
            available_from: self.course.starts_at,
            available_until: self.course.ends_at,
            due_at: None,
        };
        let mut paths = vec![vec![(Place::Course, course)]];
        let (mut lesson_no, mut page_no) = (0, 0);
        for (module_no, (dates, lessons)) in self.modules.iter().enumerate() {
            let module = vec![(Place::Course, course), (Place::Module(module_no), *dates)];
            paths.push(module.clone());
            for (dates, pages) in lessons {
                let lesson = [module.clone(), vec![(Place::Lesson(lesson_no), *dates)]].concat();
                paths.push(lesson.clone());
                for (.., dates, _) in pages {
                    paths.push([lesson.clone(), vec![(Place::Page(page_no), *dates)]].concat());
                    page_no += 1;
                }
                lesson_no += 1;
            }
        }
        paths
    }

    pub fn places(&self) -> Vec<Place> {
        self.paths().iter().map(|path| path.last().unwrap().0).collect()
    }
}
