use std::collections::BTreeSet;

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use super::*;
use crate::quiz::alias::QuizKey;
use crate::quiz::{read, require_complete};

/// The cases with which the formula reader of the web app is tested too.
#[derive(Deserialize)]
struct Cases {
    results: Vec<Case>,
    failures: Vec<Case>,
    unreadable: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    expression: String,
    #[serde(default)]
    values: Values,
    result: Option<Number>,
    #[serde(default)]
    error: String,
    #[serde(default)]
    at: usize,
}

fn cases() -> Cases {
    serde_json::from_str(include_str!("cases.json")).unwrap()
}

fn parameter(name: &str, min: Value, max: Value, decimals: u8) -> Parameter {
    let number = |value: &Value| value.as_number().cloned();
    Parameter {
        name: name.to_owned(),
        min: number(&min),
        max: number(&max),
        decimals,
    }
}

fn of(values: &Values) -> Vec<Parameter> {
    let names = values.keys();
    names.map(|name| parameter(name, json!(0), json!(1), 0)).collect()
}

#[test]
fn formulas_have_the_results_of_the_shared_cases() {
    for case in cases().results {
        let found = result(&of(&case.values), &case.expression, &case.values);
        assert_eq!(found, Ok(case.result.unwrap()), "{}", case.expression);
    }
}

#[test]
fn formulas_without_a_result_say_why() {
    for case in cases().failures {
        let error = match case.error.as_str() {
            "division" => ValueError::DivisionByZero,
            "number" => ValueError::NotANumber,
            _ => ValueError::TooLarge,
        };
        let found = result(&of(&case.values), &case.expression, &case.values);
        assert_eq!(found, Err(ResultError::NoResult(error)), "{}", case.expression);
    }
}

#[test]
fn unreadable_formulas_say_where() {
    for case in cases().unreadable {
        let what = match case.error.as_str() {
            "unexpected" => Unreadable::Unexpected,
            "name" => Unreadable::UnknownName,
            _ => Unreadable::Arguments,
        };
        let found = Expression::parse(&case.expression, &["a", "b"]);
        assert_eq!(found, Err(FormulaError { what, at: case.at }), "{}", case.expression);
    }
}

#[test]
fn the_size_and_the_depth_of_a_formula_are_bounded() {
    let what = |text: &str| Expression::parse(text, &["a"]).map_err(|error| error.what);
    assert_eq!(what(&"1".repeat(MAX_EXPRESSION + 1)), Err(Unreadable::TooLong));
    for deep in ["(".repeat(400), "-".repeat(400), "2^".repeat(400), "abs(".repeat(200)] {
        assert_eq!(what(&deep), Err(Unreadable::TooDeep), "{deep}");
    }
    let long = format!("a{}", "+a".repeat(499));
    assert!(what(&long).is_ok());
    let values = Values::from([("a".to_owned(), "2".to_owned())]);
    assert_eq!(result(&of(&values), &long, &values), Ok(Number::from(1000)));
    // Powers whose exact values would have millions of digits.
    let huge = format!("{}1", "9^9^9*".repeat(100));
    assert!(result(&[], &huge, &Values::new()).is_err());
    let tiny = format!("1{}", "/9^300".repeat(150));
    assert!(result(&[], &tiny, &Values::new()).is_ok_and(|number| number.as_f64() == Some(0.0)));
}

#[test]
fn values_are_spread_evenly_over_the_grid() {
    let key = QuizKey::new(b"0123456789abcdef0123456789abcdef").unwrap();
    let kind = Kind::Formula {
        parameters: vec![parameter("a", json!(-0.25), json!(0.29), 1)],
        expression: "a".to_owned(),
        tolerance: Number::from(0),
        tolerance_percent: None,
        units: vec![],
    };
    let question = Question::new(crate::quiz::paragraph("{a}"), kind);
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for learner in 0..1000 {
        let aliases = key.aliases(Uuid::from_u128(learner));
        let values = question.values(&aliases, 1).unwrap();
        assert_eq!(Some(&values), question.values(&aliases, 1).as_ref(), "stable");
        *times.entry(values["a"].clone()).or_default() += 1;
    }
    let expected = ["-0.1", "-0.2", "0.0", "0.1", "0.2"];
    assert_eq!(times.keys().collect::<Vec<_>>(), expected);
    assert!(times.values().all(|times| (150..250).contains(times)), "{times:?}");
    let aliases = key.aliases(Uuid::nil());
    let of_attempts: BTreeSet<Values> = (1..20).map(|no| question.values(&aliases, no).unwrap()).collect();
    assert!(of_attempts.len() > 2, "they change with the attempt");
}

#[test]
fn values_without_a_result_are_drawn_again() {
    let key = QuizKey::new(b"0123456789abcdef0123456789abcdef").unwrap();
    let kind = Kind::Formula {
        parameters: vec![parameter("a", json!(0), json!(1), 0)],
        expression: "1 / a".to_owned(),
        tolerance: Number::from(0),
        tolerance_percent: None,
        units: vec![],
    };
    let question = Question::new(crate::quiz::paragraph("{a}"), kind);
    for learner in 0..100 {
        let values = question.values(&key.aliases(Uuid::from_u128(learner)), 1).unwrap();
        assert_eq!(values["a"], "1");
    }
}

#[test]
fn an_attempt_asks_with_its_values() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let code = json!({"type": "text", "text": "x = {a}", "marks": [{"type": "code"}]});
    let math = json!({"type": "inlineMath", "attrs": {"latex": "\\frac{a}{b} + {{a}} + x^{n}"}});
    let doc = |first: &str| {
        json!({"type": "doc", "content": [
            {"type": "paragraph", "content": [text(first), code, math]},
        ]})
    };
    let kind = Kind::Formula {
        parameters: vec![
            parameter("a", json!(-1), json!(1), 2),
            parameter("b", json!(1), json!(9), 0),
        ],
        expression: "a * b".to_owned(),
        tolerance: Number::from(0),
        tolerance_percent: Some(Number::from(5)),
        units: vec![],
    };
    let question = Question {
        explanation: Some(doc("{a}·{b}")),
        ..Question::new(doc("Дано {a} и {b}, {{a}} и {{{b}}}, но {c} и { a } и {{c}}."), kind)
    };
    let values = Values::from([("a".into(), "-0.50".into()), ("b".into(), "3".into())]);
    let asked = question.with_values(&values);
    let parts = asked.prompt["content"][0]["content"].as_array().unwrap();
    assert_eq!(parts[0]["text"], "Дано −0,50 и 3, {a} и {{b}}, но {c} и { a } и {{c}}.");
    assert_eq!(parts[1]["text"], "x = -0.50");
    assert_eq!(parts[2]["attrs"]["latex"], "\\frac{-0{,}50}{3} + {a} + x^{n}");
    let explained = asked.explanation.unwrap();
    // A text without Russian letters has a decimal point.
    assert_eq!(explained["content"][0]["content"][0]["text"], "−0.50·3");
    let Kind::Numeric {
        value,
        tolerance_percent,
        ..
    } = asked.kind
    else {
        panic!("{:?}", asked.kind)
    };
    assert_eq!(
        (value, tolerance_percent),
        (Some(Number::from_f64(-1.5).unwrap()), Some(5.into()))
    );
}

fn lacking(question: Value) -> Vec<String> {
    let mut question = question;
    question["type"] = json!("formula");
    match require_complete(&read(&json!({"questions": [question]})).unwrap()) {
        Ok(()) => vec![],
        Err(kurso_base::error::Error::Invalid(errors)) => errors
            .iter()
            .map(|error| {
                let loc = serde_json::to_string(&error.loc[4..]).unwrap().replace('"', "");
                format!("{loc} {}", error.message.text(kurso_base::messages::Lang::En))
            })
            .collect(),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn a_published_formula_question_always_has_an_answer() {
    let a = json!({"name": "a", "min": 1, "max": 9});
    let complete = json!({"prompt": "{a}", "parameters": [a], "expression": "1 / a"});
    let with = |name: &str, value: Value| {
        let mut question = complete.clone();
        question[name] = value;
        lacking(question)
    };
    let none: Vec<String> = vec![];
    assert_eq!(lacking(complete.clone()), none);
    let renamed = |name: &str| json!([a, {"name": name, "min": 1, "max": 2}]);
    for (name, value, expected) in [
        (
            "parameters",
            json!([]),
            "[parameters] Question 1: the formula has no parameters",
        ),
        (
            "expression",
            json!(" "),
            "[expression] Question 1: there is no expression for the answer",
        ),
        (
            "expression",
            json!("1 / (a + "),
            "[expression] Question 1: the expression cannot be read at character 10",
        ),
        (
            "expression",
            json!("a * x"),
            "[expression] Question 1: the expression has a name that is neither a parameter nor a function, at character 5",
        ),
        (
            "prompt",
            json!("a"),
            "[prompt] Question 1: a parameter of the expression is not in the text of the question",
        ),
        (
            "prompt",
            json!("{{a}}"),
            "[prompt] Question 1: a parameter of the expression is not in the text of the question",
        ),
        (
            "expression",
            json!("1 / (a - 9)"),
            "[expression] Question 1: for some values the expression divides by zero",
        ),
        (
            "expression",
            json!("1 / (a - 5)"),
            "[expression] Question 1: for some values the expression divides by zero",
        ),
        (
            "parameters",
            renamed("a"),
            "[parameters,1,name] Question 1: two parameters have the same name",
        ),
        (
            "parameters",
            json!([{"name": "a", "min": 2, "max": 1}]),
            "[parameters,0,min] Question 1: there is no value between the bounds of a parameter",
        ),
        (
            "parameters",
            json!([{"name": "a", "min": 0.1, "max": 0.9}]),
            "[parameters,0,min] Question 1: there is no value between the bounds of a parameter",
        ),
    ] {
        assert_eq!(with(name, value.clone()), [expected], "{name}: {value}");
    }
    for name in [
        "",
        "1a",
        "а",
        "a-b",
        "pi",
        "sqrt",
        &"a".repeat(33)[..32].replace("aa", "a "),
    ] {
        assert_eq!(with("parameters", renamed(name)).len(), 1, "{name}");
    }
    // Zero in the middle of a wide range is tried too.
    let wide = json!([{"name": "a", "min": -1_000_000, "max": 1_000_000, "decimals": 6}]);
    assert_eq!(with("parameters", wide).len(), 1);
}

#[test]
fn bounds_of_parameters_are_checked_when_they_are_read() {
    for parameter in [
        json!({"name": "a", "min": 2e9}),
        json!({"name": "a", "max": -1_000_000_001}),
        json!({"name": "a", "decimals": 7}),
        json!({"name": "a".repeat(33)}),
        json!({"min": 1}),
    ] {
        let quiz = json!({"questions": [{"type": "formula", "prompt": "?", "parameters": [parameter]}]});
        assert!(read(&quiz).is_err(), "{parameter}");
    }
    let two = json!({"type": "formula", "prompt": "?", "tolerance": 1, "tolerance_percent": 1});
    assert!(read(&json!({"questions": [two]})).is_err());
    let many = vec![json!({"type": "formula", "prompt": "?"}); crate::quiz::MAX_FORMULAS + 1];
    assert!(read(&json!({ "questions": many })).is_err());
}

/// A formula as a tree, which an independent implementation evaluates with floats only.
#[derive(Clone, Debug)]
enum Tree {
    Number(u32),
    Parameter,
    Negative(Box<Tree>),
    Binary(char, Box<Tree>, Box<Tree>),
    Call(&'static str, Box<Tree>),
}

impl Tree {
    fn text(&self) -> String {
        match self {
            Tree::Number(number) => format!("{}.{}", number / 10, number % 10),
            Tree::Parameter => "a".to_owned(),
            Tree::Negative(inner) => format!("(-{})", inner.text()),
            Tree::Binary(sign, left, right) => format!("({} {sign} {})", left.text(), right.text()),
            Tree::Call(name, inner) => format!("{name}({})", inner.text()),
        }
    }

    fn value(&self, a: f64) -> f64 {
        match self {
            Tree::Number(number) => f64::from(*number) / 10.0,
            Tree::Parameter => a,
            Tree::Negative(inner) => -inner.value(a),
            Tree::Binary(sign, left, right) => {
                let (left, right) = (left.value(a), right.value(a));
                match sign {
                    '+' => left + right,
                    '-' => left - right,
                    '*' => left * right,
                    '/' => left / right,
                    _ => left.powf(right),
                }
            }
            Tree::Call(name, inner) => {
                let inner = inner.value(a);
                match *name {
                    "sqrt" => inner.sqrt(),
                    "sin" => inner.sin(),
                    "exp" => inner.exp(),
                    "ln" => inner.ln(),
                    _ => inner.abs(),
                }
            }
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![(0u32..200).prop_map(Tree::Number), Just(Tree::Parameter)];
    leaf.prop_recursive(5, 40, 2, |inner| {
        let name = prop_oneof![Just("sqrt"), Just("sin"), Just("exp"), Just("ln"), Just("abs")];
        let sign = prop_oneof![Just('+'), Just('-'), Just('*'), Just('/'), Just('^')];
        prop_oneof![
            inner.clone().prop_map(|inner| Tree::Negative(Box::new(inner))),
            (sign, inner.clone(), inner.clone()).prop_map(|(sign, left, right)| Tree::Binary(
                sign,
                Box::new(left),
                Box::new(right)
            )),
            (name, inner).prop_map(|(name, inner)| Tree::Call(name, Box::new(inner))),
        ]
    })
}

proptest! {
    #[test]
    fn formulas_agree_with_an_independent_evaluation(tree in tree(), a in -50i32..50) {
        let values = Values::from([("a".to_owned(), a.to_string())]);
        let float = tree.value(a.into());
        match result(&of(&values), &tree.text(), &values) {
            // Very small and very large values are not compared, because cancellation makes the rounding errors of floats large.
            Ok(number) if float.is_finite() && float.abs() > 1e-6 && float.abs() < 1e6 => {
                let exact = number.as_f64().unwrap();
                let off = (exact - float).abs() / float.abs();
                // Floats are inexact for the sine of a large number and for the difference of nearly equal numbers.
                prop_assert!(off < 1e-3 || is_unstable(&tree, a.into()), "{} = {exact}, {float}", tree.text());
            }
            _ => {}
        }
    }

    #[test]
    fn any_text_is_parsed_and_evaluated(text in "([0-9a.,+*/^() −-]|sqrt\\(|max\\(|pi|e){0,60}", a in -9i32..9) {
        let values = Values::from([("a".to_owned(), a.to_string())]);
        let _ = result(&of(&values), &text, &values);
    }

    #[test]
    fn any_document_text_is_filled(text in "[{}ab ]{0,40}") {
        let values = Values::from([("a".to_owned(), "1".to_owned()), ("b".to_owned(), "2".to_owned())]);
        let filled = template::filled(&crate::quiz::paragraph(&text), &values);
        prop_assert!(crate::content::validate(&filled).is_ok());
    }
}

/// Whether a small change of the parameter changes the value much, or rounding errors are amplified.
fn is_unstable(tree: &Tree, a: f64) -> bool {
    let (value, near) = (tree.value(a), tree.value(a * (1.0 + 1e-12) + 1e-12));
    !near.is_finite() || (value - near).abs() / value.abs() > 1e-6 || cancels(tree, a)
}

/// Whether the tree has a sum that is far smaller than its terms, or a function of a large number.
fn cancels(tree: &Tree, a: f64) -> bool {
    match tree {
        Tree::Number(_) | Tree::Parameter => false,
        Tree::Negative(inner) => cancels(inner, a),
        Tree::Call(_, inner) => inner.value(a).abs() > 1e3 || cancels(inner, a),
        Tree::Binary(sign, left, right) => {
            let size = left.value(a).abs().max(right.value(a).abs());
            let is_small = matches!(sign, '+' | '-') && tree.value(a).abs() < size * 1e-9;
            is_small || cancels(left, a) || cancels(right, a)
        }
    }
}
