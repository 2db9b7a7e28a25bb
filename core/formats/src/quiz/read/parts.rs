//! The parts of questions: options, pairs, items, blanks and parameters.

use serde_json::Value;
use uuid::Uuid;

use super::values::{Bound, Factor, PartId, RichText, UnitName};
use crate::content;
use crate::quiz::choice::{Choice, ChoiceDraft};
use crate::quiz::formula::{MAX_DECIMALS, MAX_PARAMETER_NAME, Parameter};
use crate::quiz::json::{Expected, Given, List, Text, Whole, object, one_of};
use crate::quiz::limits::{MAX_ACCEPTED, MAX_PARTS};
use crate::quiz::model::{Blank, Filling, Item, Pair};
use crate::quiz::problem::Problem;
use crate::quiz::units::Unit;
use crate::quiz::weight::Weight;

object! {
    OptionWrite -> ChoiceDraft {
        id: Given<PartId>,
        content: RichText,
        correct: Given<bool> = false,
        /// Shown with the explanation to learners who chose the option.
        feedback: Option<RichText>,
        /// What the option earns or costs, in percent; at most five decimal places. If an option has one, others without one have 0; the
        /// correct option of a single choice has 100.
        weight: Option<Weight>,
    } => |_reader, _at| Some(ChoiceDraft {
        id,
        content: content.unwrap_or_else(content::empty),
        correct,
        feedback,
        weight,
    });

    /// An option of a blank.
    BlankOptionWrite -> ChoiceDraft {
        id: Given<PartId>,
        content: RichText,
        correct: Given<bool> = false,
    } => |_reader, _at| Some(ChoiceDraft {
        id,
        ..ChoiceDraft::new(content.unwrap_or_else(content::empty), correct)
    });

    /// Two sides that belong together.
    PairWrite -> Pair {
        id: Given<PartId>,
        left: RichText,
        right: RichText,
    } => |_reader, _at| Some(Pair {
        id: id.unwrap_or_else(Uuid::now_v7),
        left: left.unwrap_or_else(content::empty),
        right: right.unwrap_or_else(content::empty),
    });

    /// A parameter of a formula question. Its values are the multiples of 10^-`decimals` from `min` to `max`, each equally likely.
    ParameterWrite -> Parameter {
        /// A Latin letter, then Latin letters, digits and `_`; not the name of a constant or a function.
        name: Text<MAX_PARAMETER_NAME>,
        min: Option<Bound>,
        max: Option<Bound>,
        decimals: Given<Whole<u8, 0, { MAX_DECIMALS as i64 }>> = 0,
    } => |_reader, _at| Some(Parameter { name: name.unwrap_or_default(), min, max, decimals });

    /// A unit of the answers to a numeric question. The right answer and its tolerance are in the first unit.
    UnitWrite -> Unit {
        name: UnitName,
        /// How many of the first unit make one of this: 0.01 for centimetres beside metres.
        factor: Factor,
    } => |_reader, _at| Some(Unit { name: name?, factor: factor? });

    ItemWrite -> Item {
        id: Given<PartId>,
        content: RichText,
    } => |_reader, _at| Some(Item {
        id: id.unwrap_or_else(Uuid::now_v7),
        content: content.unwrap_or_else(content::empty),
    });
}

one_of! {
    BlankWrite -> Blank {
        /// The `blank_id` of a `blank` node.
        id: Expected<PartId>,
    }
    /// A blank that takes free text.
    TextBlankWrite { accepted: List<Text<MAX_ACCEPTED>, MAX_PARTS> }
    /// A blank with options to choose from.
    ChoiceBlankWrite { options: List<BlankOptionWrite, MAX_PARTS> }
    => |reader, at| {
        let filling = match (accepted, options) {
            (accepted, None) => Filling::Accepted(accepted.unwrap_or_default()),
            (None, Some(options)) => Filling::Options(Choice::list(options)),
            (Some(accepted), Some(_)) => {
                let message = Problem::TwoFillings.message();
                reader.problems.refuse(&at.name("options"), "value_error", message, &Value::Null);
                Filling::Accepted(accepted)
            }
        };
        Some(Blank { id: id.unwrap_or_else(Uuid::now_v7), filling })
    };
}
