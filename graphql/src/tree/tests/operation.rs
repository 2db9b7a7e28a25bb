//! Random operations of the fields that the fast path writes.

use std::collections::BTreeMap;

use kurso_core::testing::Dice;

use super::{Fields, planned_fields};

/// A random operation of planned fields.
pub struct Operation {
    fields: BTreeMap<&'static str, Fields>,
    fragments: Vec<String>,
}

impl Operation {
    fn new() -> Self {
        Operation {
            fields: planned_fields(),
            fragments: vec![],
        }
    }

    /// A query of a course.
    pub fn text(dice: &mut Dice) -> String {
        let mut operation = Operation::new();
        let mut course = operation.selection(dice, "Course", 0);
        while !course.contains("modules") {
            operation = Operation::new();
            course = operation.selection(dice, "Course", 0);
        }
        let (alias, name) = (["", "the_course: "][dice.roll(2)], ["", "Tree"][dice.roll(2)]);
        let inner = format!("{alias}course(id: $id) {{ {course} }}");
        let inner = if dice.roll(4) == 0 {
            format!("... on Query {{ {inner} }}")
        } else {
            inner
        };
        format!("query {name}($id: ID!) {{ {inner} }} {}", operation.fragments.join(" "))
    }

    /// A visit, with the id in any of its places.
    pub fn visit_text(dice: &mut Dice) -> String {
        let mut operation = Operation::new();
        let payload = operation.selection(dice, "MarkPageVisitedPayload", 0);
        let (definition, argument) = [
            ("$input: MarkPageVisitedInput!", "$input"),
            ("$page: ID!", "{pageId: $page}"),
        ][dice.roll(2)];
        let (alias, name) = (["", "read: "][dice.roll(2)], ["", "Visit"][dice.roll(2)]);
        let fragments = operation.fragments.join(" ");
        format!(
            "mutation {name}({definition}) {{ {alias}markPageVisited(input: {argument}) {{ {payload} }} }} {fragments}"
        )
    }

    fn selection(&mut self, dice: &mut Dice, of: &str, depth: usize) -> String {
        let fields = self.fields[of].clone();
        let mut text = String::new();
        for _ in 0..1 + dice.roll(5) {
            match dice.roll(12) {
                0 => text.push_str(" __typename "),
                1 if depth < 6 => {
                    let inner = self.selection(dice, of, depth + 1);
                    text.push_str(&format!(" ... on {of} {{ {inner} }} "));
                }
                2 if depth < 6 => {
                    let inner = self.selection(dice, of, depth + 1);
                    text.push_str(&format!(" ... {{ {inner} }} "));
                }
                3 if depth < 6 => {
                    let inner = self.selection(dice, of, depth + 1);
                    let name = format!("F{}", self.fragments.len());
                    self.fragments.push(format!("fragment {name} on {of} {{ {inner} }}"));
                    text.push_str(&format!(" ...{name} "));
                }
                _ => {
                    let mut picked = &fields[dice.roll(fields.len())];
                    // Half of the scalars are picked again: the objects below them would be selected too seldom.
                    if picked.1.is_none() && dice.roll(2) == 0 {
                        picked = &fields[dice.roll(fields.len())];
                    }
                    let (field, object) = picked;
                    // One alias per field: two fields with the same key would conflict.
                    let alias = if dice.roll(5) == 0 {
                        format!("a_{field}: ")
                    } else {
                        String::new()
                    };
                    let below = match object {
                        None => String::new(),
                        Some(_) if depth >= 7 => "{ __typename }".to_owned(),
                        Some(of) => format!("{{ {} }}", self.selection(dice, of, depth + 1)),
                    };
                    text.push_str(&format!(" {alias}{field} {below} "));
                }
            }
        }
        text
    }
}
