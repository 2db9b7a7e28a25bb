//! Compares answers with the questions that they answer.

use std::collections::{HashMap, HashSet};

use serde_json::{Number, Value};
use uuid::Uuid;

use super::open::OpenChecks;
use super::{AnswerDraft, FilledBlankDraft, MAX_TEXT, MatchDraft, PlaceDraft};
use crate::quiz::alias::{Aliases, Side};
use crate::quiz::answers::{Answer, FilledBlank, FilledWith, Given, Match, Quantity};
use crate::quiz::check::{check_count, check_text};
use crate::quiz::choice::Choice;
use crate::quiz::fields::At;
use crate::quiz::limits::MAX_PARTS;
use crate::quiz::model::{Blank, Filling, Kind, Question};
use crate::quiz::number;
use crate::quiz::problem::Problem;
use crate::quiz::seconds::Seconds;
use crate::quiz::units::Unit;
use crate::quiz::zones::{Coordinate, MarkedPlace};

/// Compares answers with their questions.
pub(super) struct Comparison<'a> {
    pub(super) open: OpenChecks<'a>,
    pub(super) aliases: &'a Aliases<'a>,
}

impl Comparison<'_> {
    pub(super) fn answer(
        &mut self,
        at: &At<'_>,
        draft: &AnswerDraft,
        questions: &HashMap<Uuid, &Question>,
        seen: &mut HashSet<Uuid>,
    ) -> Option<Answer> {
        let id_at = at.name("question_id");
        let question_id = self.open.problems.uuid_text(&id_at, &draft.question_id)?;
        let Some(question) = questions.get(&question_id) else {
            self.open
                .refuse(&id_at, "unknown_question", Problem::UnknownQuestion, &draft.question_id);
            return None;
        };
        if !seen.insert(question_id) {
            self.open
                .refuse(&id_at, "answered_twice", Problem::AnsweredTwice, &draft.question_id);
            return None;
        }
        if let Some(seconds) = &draft.seconds {
            let rule = Seconds::new(seconds)
                .map(|_| ())
                .ok_or_else(|| Problem::BadSeconds.value_error());
            self.open
                .problems
                .holds(&at.name("seconds"), rule, &Value::Number(seconds.clone()));
        }
        let given = self.given(at, draft, question)?;
        Some(Answer { question_id, given })
    }

    /// None when nothing was answered, or the answer does not fit.
    fn given(&mut self, at: &At<'_>, draft: &AnswerDraft, question: &Question) -> Option<Given> {
        let unit = self.unit(&at.name("unit"), draft.unit.as_deref(), question.kind.units());
        let field = match question.kind {
            Kind::SingleChoice { .. } | Kind::MultipleChoice { .. } => "option_ids",
            Kind::ShortText { .. } => "text",
            Kind::Numeric { .. } | Kind::Formula { .. } => "number",
            Kind::Matching { .. } => "pairs",
            Kind::Ordering { .. } => "order",
            Kind::FillBlank { .. } => "blanks",
            Kind::Hotspot { .. } => "places",
            Kind::Essay { .. } => "content",
            Kind::FileUpload { .. } => "file_ids",
            Kind::HandIn { .. } => return self.open.hand_in(at, draft, &question.kind),
            Kind::Draw { .. } => return None, // attempts have the drawn questions instead
        };
        let given = draft.fields().into_iter().filter(|(_, is_given)| *is_given);
        let given: Vec<&str> = given.map(|(name, _)| name).collect();
        if let (false, Some(other)) = (given.contains(&field), given.first()) {
            return self.open.refuse_type(&at.name(other), field);
        }
        let at = at.name(field);
        match &question.kind {
            Kind::HandIn { .. } | Kind::Draw { .. } => None, // has several fields, or none
            Kind::SingleChoice { options } => {
                let chosen = self.chosen(&at, draft.option_ids.as_deref()?, &ids_of(options));
                if chosen.len() > 1 {
                    let message = Problem::OnlyOneChoice.message();
                    self.open.problems.refuse(&at, "too_long", message, &Value::Null);
                }
                Some(Given::Options(chosen))
            }
            Kind::MultipleChoice { options, .. } => {
                let chosen = self.chosen(&at, draft.option_ids.as_deref()?, &ids_of(options));
                Some(Given::Options(chosen))
            }
            Kind::ShortText { .. } => self.text(&at, draft.text.as_deref()?).map(Given::Text),
            Kind::Numeric { .. } | Kind::Formula { .. } => self.number(&at, draft.number.as_deref()?, unit),
            Kind::Matching { pairs } => {
                let ids: Vec<Uuid> = pairs.iter().map(|pair| pair.id).collect();
                let matches = self.matches(&at, draft.pairs.as_deref()?, question.id, &ids);
                Some(Given::Pairs(matches))
            }
            Kind::Ordering { items } => {
                let aliases = self.aliases(question.id, items.iter().map(|item| item.id), Side::Item);
                Some(Given::Order(self.chosen(&at, draft.order.as_deref()?, &aliases)))
            }
            Kind::FillBlank { blanks, .. } => {
                let filled = self.blanks(&at, draft.blanks.as_deref()?, blanks);
                Some(Given::Blanks(filled))
            }
            Kind::Hotspot { .. } => {
                let places = self.places(&at, draft.places.as_deref()?, question.kind.max_places());
                (!places.is_empty()).then_some(Given::Places(places))
            }
            Kind::Essay {
                min_words, max_words, ..
            } => self
                .open
                .essay(&at, draft.content.as_ref()?, *min_words, *max_words)
                .map(Given::Essay),
            Kind::FileUpload {
                max_files, extensions, ..
            } => {
                let files = self
                    .open
                    .uploaded(&at, draft.file_ids.as_deref()?, *max_files, extensions);
                (!files.is_empty()).then_some(Given::Files(files))
            }
        }
    }

    fn text(&mut self, at: &At<'_>, text: &str) -> Option<String> {
        let rule = check_text(text, MAX_TEXT);
        self.open
            .problems
            .holds(at, rule, &text.into())
            .then(|| text.to_owned())
    }

    /// The unit of a number. None without one, or if the question has no such unit.
    fn unit(&mut self, at: &At<'_>, text: Option<&str>, units: &[Unit]) -> Option<String> {
        let name = text?.trim();
        let is_known = units.iter().any(|unit| unit.name == name);
        if !is_known && !name.is_empty() {
            let problem = match units {
                [] => Problem::NoUnits,
                _ => Problem::UnknownUnit,
            };
            self.open.refuse(at, "unknown_unit", problem, name);
        }
        is_known.then(|| name.to_owned())
    }

    fn number(&mut self, at: &At<'_>, text: &str, unit: Option<String>) -> Option<Given> {
        let written = self.text(at, text)?.trim().to_owned();
        if written.is_empty() {
            return None;
        }
        if number::decimal(&written).is_none() {
            self.open.refuse(at, "float_parsing", Problem::UnreadableNumber, text);
        }
        Some(Given::Number(Quantity { number: written, unit }))
    }

    fn places(&mut self, at: &At<'_>, drafts: &[PlaceDraft], max: usize) -> Vec<MarkedPlace> {
        if drafts.len() > max {
            let message = Problem::ManyPlaces(max).message();
            self.open.problems.refuse(at, "too_long", message, &Value::Null);
            return vec![];
        }
        let mut coordinate = |at: &At<'_>, sent: &Number| {
            let coordinate = Coordinate::new(sent);
            if coordinate.is_none() {
                let problem = Problem::BadCoordinate.value_error();
                self.open.problems.add(at, problem, &Value::Number(sent.clone()));
            }
            coordinate
        };
        let mut place = |(i, draft): (usize, &PlaceDraft)| {
            let at = at.index(i);
            let (x, y) = (coordinate(&at.name("x"), &draft.x), coordinate(&at.name("y"), &draft.y));
            Some(MarkedPlace { x: x?, y: y? })
        };
        drafts.iter().enumerate().filter_map(&mut place).collect()
    }

    fn matches(&mut self, at: &At<'_>, drafts: &[MatchDraft], question: Uuid, ids: &[Uuid]) -> Vec<Match> {
        let left = self.aliases(question, ids.iter().copied(), Side::Left);
        let right = self.aliases(question, ids.iter().copied(), Side::Right);
        let mut seen = HashSet::new();
        let mut matches = Vec::new();
        for (i, draft) in self.entries(at, drafts) {
            let at = at.index(i);
            let left_id = self.known_id(&at.name("left_id"), &draft.left_id, &left);
            let right_id = self.known_id(&at.name("right_id"), &draft.right_id, &right);
            let (Some(left_id), Some(right_id)) = (left_id, right_id) else {
                continue;
            };
            self.open
                .refuse_repeated(&at.name("left_id"), seen.insert(left_id), &Value::Null);
            matches.push(Match { left_id, right_id });
        }
        matches
    }

    fn blanks(&mut self, at: &At<'_>, drafts: &[FilledBlankDraft], blanks: &[Blank]) -> Vec<FilledBlank> {
        let ids: Known = blanks.iter().map(|blank| (blank.id, blank.id)).collect();
        let mut seen = HashSet::new();
        let mut filled = Vec::new();
        for (i, draft) in self.entries(at, drafts) {
            let at = at.index(i);
            let Some(blank_id) = self.known_id(&at.name("blank_id"), &draft.blank_id, &ids) else {
                continue;
            };
            self.open
                .refuse_repeated(&at.name("blank_id"), seen.insert(blank_id), &Value::Null);
            let blank = blanks.iter().find(|blank| blank.id == blank_id);
            let with = blank.and_then(|blank| self.filled(&at, draft, &blank.filling));
            filled.extend(with.map(|with| FilledBlank { blank_id, with }));
        }
        filled
    }

    fn filled(&mut self, at: &At<'_>, draft: &FilledBlankDraft, filling: &Filling) -> Option<FilledWith> {
        match (filling, &draft.text, &draft.option_id) {
            (Filling::Accepted(_), Some(text), _) => self.text(&at.name("text"), text).map(FilledWith::Text),
            (Filling::Options(options), _, Some(id)) => self
                .known_id(&at.name("option_id"), id, &ids_of(options))
                .map(FilledWith::OptionId),
            (_, None, None) => None,
            (Filling::Accepted(_), ..) => self.open.refuse_type(&at.name("option_id"), "text"),
            (Filling::Options(_), ..) => self.open.refuse_type(&at.name("text"), "option_id"),
        }
    }

    /// A list of ids, none of them twice.
    fn chosen(&mut self, at: &At<'_>, ids: &[String], known: &Known) -> Vec<Uuid> {
        let mut chosen = Vec::new();
        for (i, text) in self.entries(at, ids) {
            let at = at.index(i);
            if let Some(id) = self.known_id(&at, text, known) {
                self.open
                    .refuse_repeated(&at, !chosen.contains(&id), &text.as_str().into());
                chosen.push(id);
            }
        }
        chosen
    }

    /// The entries of a list with their indexes; none when there are too many.
    fn entries<'d, T>(&mut self, at: &At<'_>, list: &'d [T]) -> impl Iterator<Item = (usize, &'d T)> + use<'d, T> {
        let rule = check_count(list.len(), MAX_PARTS);
        let fits = self.open.problems.holds(at, rule, &Value::Null);
        list.iter().filter(move |_| fits).enumerate()
    }

    /// The id in the quiz for one that the learner knows.
    fn known_id(&mut self, at: &At<'_>, text: &str, known: &Known) -> Option<Uuid> {
        let id = self.open.problems.uuid_text(at, text)?;
        let own = known.get(&id).copied();
        if own.is_none() {
            self.open.refuse(at, "unknown_id", Problem::UnknownChoice, text);
        }
        own
    }

    fn aliases(&self, question: Uuid, ids: impl Iterator<Item = Uuid>, side: Side) -> Known {
        ids.map(|id| (self.aliases.alias(question, id, side), id)).collect()
    }
}

/// The ids that a learner may name, and the ids of the quiz that they stand for.
type Known = HashMap<Uuid, Uuid>;

fn ids_of(options: &[Choice]) -> Known {
    options.iter().map(|option| (option.id, option.id)).collect()
}
