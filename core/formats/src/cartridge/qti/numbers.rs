//! Converts QTI items with numeric answers.

use serde_json::Number;

use super::item::{Calculated, Condition, Item, Material, VariableRange};
use super::question::QuestionBuilder;
use crate::note::Note;
use crate::note::cartridge::Note as CartridgeNote;
use crate::numbers::{number, range, rounded};
use crate::quiz::{Kind, MAX_DECIMALS, Parameter, Question};

impl QuestionBuilder<'_> {
    pub(super) fn numeric(&mut self, item: &Item) -> Question {
        let scoring: Vec<&Condition> = item.conditions.iter().filter(|condition| condition.scores()).collect();
        let mut exact_number = Vec::new();
        let (mut low, mut high) = (None, None);
        for test in scoring
            .iter()
            .flat_map(|condition| &condition.tests)
            .filter(|test| !test.not)
        {
            let Some(value) = number(&test.value) else { continue };
            match test.op.as_str() {
                "varequal" => exact_number.push(value),
                "vargte" | "vargt" if low.is_none() => low = Some(value),
                "varlte" | "varlt" if high.is_none() => high = Some(value),
                _ => {}
            }
        }
        if exact_number.len() > 1 || scoring.len() > 1 {
            self.host.note(Note::Weights, 0);
        }
        let as_f64 = |number: &Option<Number>| number.as_ref().and_then(Number::as_f64);
        let exact_number = exact_number.into_iter().next();
        let (value, tolerance) = match (exact_number, as_f64(&low), as_f64(&high)) {
            (Some(value), Some(low), Some(high)) => {
                let middle = value.as_f64().unwrap_or_default();
                (Some(value), rounded((middle - low).abs().max((high - middle).abs())))
            }
            (Some(value), ..) => (Some(value), None),
            (None, Some(low), Some(high)) => range(low, high).unzip(),
            _ => (None, None),
        };
        self.number(&item.prompt, value, tolerance, None)
    }

    pub(super) fn calculated(&mut self, item: &Item) -> Question {
        let Some(calculated) = &item.calculated else {
            return self.numeric(item);
        };
        let off = |text: &str| number(text).filter(|number| number.as_f64().is_some_and(|number| number > 0.0));
        let (tolerance, percent) = match calculated.tolerance.strip_suffix('%') {
            Some(percent) => (None, off(percent)),
            None => (off(&calculated.tolerance), None),
        };
        if let Some((parameters, expression)) = formula(calculated) {
            let placeholder = |parameter: &Parameter| (parameter.name.clone(), format!("{{{}}}", parameter.name));
            let placeholders: Vec<(String, String)> = parameters.iter().map(placeholder).collect();
            let prompt = Material {
                text: substitute_variables(&item.prompt.text, &placeholders),
                html: item.prompt.html,
            };
            let kind = Kind::Formula {
                parameters,
                expression,
                tolerance: tolerance.clone().unwrap_or_else(|| Number::from(0)),
                tolerance_percent: percent.clone(),
                units: vec![],
            };
            let question = Question::new(self.document(&prompt), kind);
            if question.is_complete_formula() {
                return question;
            }
        }
        self.note(CartridgeNote::Calculated {
            formulas: calculated.formulas.join("; "),
            sets: calculated.sets,
        });
        let prompt = Material {
            text: substitute_variables(&item.prompt.text, &calculated.variables),
            html: item.prompt.html,
        };
        self.number(&prompt, number(&calculated.answer), tolerance, percent)
    }
}

/// The parameters and the expression, or None if a formula question cannot have them.
fn formula(calculated: &Calculated) -> Option<(Vec<Parameter>, String)> {
    let [expression] = calculated.formulas.as_slice() else {
        return None;
    };
    let parameter = |range: &VariableRange| {
        let parameter = Parameter {
            name: range.name.clone(),
            min: number(&range.min),
            max: number(&range.max),
            decimals: range.scale.trim().parse().ok()?,
        };
        (parameter.decimals <= MAX_DECIMALS).then_some(parameter)
    };
    let parameters = calculated.ranges.iter().map(parameter).collect::<Option<Vec<_>>>()?;
    Some((parameters, expression.trim().to_owned()))
}

/// Characters of a substituted number.
const MAX_NUMBER: usize = 40;

/// Replaces variable names in brackets by their values. Values are not scanned again: a few that name each other
/// would grow without bound.
fn substitute_variables(text: &str, variables: &[(String, String)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        filled.push_str(before);
        let known = after.split_once(']').and_then(|(name, after)| {
            let (_, value) = variables.iter().find(|(known, _)| known == name)?;
            Some((value, after))
        });
        match known {
            Some((value, after)) => {
                filled.extend(value.chars().take(MAX_NUMBER));
                rest = after;
            }
            None => {
                filled.push('[');
                rest = after;
            }
        }
    }
    filled + rest
}
