//! Compares the statistics with published ones and with those of an independent implementation in Python.

use std::io::Write as _;
use std::process::{Command, Stdio};

use kurso_core::attempts::analysis::statistics::{ItemStatistics, Marks, QuizStatistics, median, statistics};
use kurso_core::testing::Dice;
use serde_json::{Value, json};

/// Marks of a class and the points of its quiz.
struct Class {
    worth: Vec<i64>,
    marks: Vec<Marks>,
    /// Tenths of seconds by item; the attempts without a time are missing.
    times: Vec<Vec<i64>>,
}

impl Class {
    /// Learners of different skill, with some marks missing. Few questions and few learners are frequent, because these define the least.
    fn random(dice: &mut Dice) -> Self {
        let items = 1 + dice.roll(12);
        let learners = [0, 1, 2, 3, 10, 60, 400][dice.roll(7)];
        let worth: Vec<i64> = (0..items)
            .map(|_| [10_000, 10_000, 25_000, 3, 10_000_000][dice.roll(5)])
            .collect();
        let steps: Vec<usize> = (0..items).map(|_| 1 + dice.roll(7)).collect();
        let loses_marks = dice.roll(3) == 0;
        let mut marks = vec![];
        for _ in 0..learners {
            let skill = dice.roll(100);
            let mark = |(worth, steps): (&i64, &usize)| {
                let right = (0..*steps).filter(|_| dice.roll(100) < skill).count();
                let is_lost = loses_marks && dice.roll(20) == 0;
                (!is_lost).then(|| worth * i64::try_from(right).unwrap() / i64::try_from(*steps).unwrap())
            };
            let row = worth.iter().zip(&steps).map(mark).collect();
            marks.push(Marks {
                learners: 1,
                marks: row,
            });
        }
        let times = (0..items).map(|_| {
            let count = dice.roll(learners + 1);
            (0..count).map(|_| i64::try_from(dice.roll(3000)).unwrap()).collect()
        });
        Class {
            worth,
            marks,
            times: times.collect(),
        }
    }

    /// The answers of 1000 people to the five items of section 6 of the Law School Admission Test (R. D. Bock and M. Lieberman, Fitting a
    /// response model for n dichotomously scored items, Psychometrika 35, 1970). The index of an entry is a bit pattern of correct answers,
    /// the first item in the highest bit; the entry is the number of people with that pattern.
    fn published() -> Self {
        let people = [
            3, 6, 2, 11, 1, 1, 3, 4, 1, 8, 0, 16, 0, 3, 2, 15, 10, 29, 14, 81, 3, 28, 15, 80, 16, 56, 21, 173, 11, 61,
            28, 298,
        ];
        let marks = people.into_iter().enumerate().map(|(pattern, learners)| Marks {
            learners,
            marks: (0..5)
                .rev()
                .map(|item| Some(i64::from(pattern >> item & 1 == 1) * 10_000))
                .collect(),
        });
        Class {
            worth: vec![10_000; 5],
            marks: marks.collect(),
            times: vec![vec![]; 5],
        }
    }

    fn to_json(&self) -> Value {
        let rows = self
            .marks
            .iter()
            .flat_map(|one| std::iter::repeat_n(&one.marks, usize::try_from(one.learners).unwrap()));
        json!({"worth": self.worth, "marks": rows.collect::<Vec<_>>(), "times": self.times})
    }
}

/// The statistics of the classes by `independent.py`.
fn of_python(classes: &[Class]) -> Vec<Value> {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/item_analysis/independent.py");
    let mut python = Command::new("python3")
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this test needs python3, 3.10 or newer");
    let cases = Value::from_iter(classes.iter().map(Class::to_json)).to_string();
    let mut to = python.stdin.take().unwrap();
    let writer = std::thread::spawn(move || to.write_all(cases.as_bytes()));
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "independent.py failed");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The data set is `LSAT` of the R package ltm (D. Rizopoulos, Journal of Statistical Software 17, 2006), whose functions `descript` and
/// `cronbach.alpha` return these proportions and this alpha.
#[test]
fn the_law_school_admission_test_has_its_published_statistics() {
    let Class { worth, marks, .. } = Class::published();
    let (quiz, items) = statistics(&worth, &marks);
    let facility: Vec<_> = items.iter().map(|item| item.facility.unwrap()).collect();
    assert_eq!(
        (quiz.attempts, facility),
        (1000, vec![0.924, 0.709, 0.553, 0.763, 0.87])
    );
    let near = |value: Option<f64>, published: f64| {
        assert!(
            (value.unwrap() - published).abs() <= 0.000_05,
            "{value:?}, not {published}"
        );
    };
    near(quiz.alpha, 0.2950);
    near(quiz.mean, 3.819);
}

/// Asserts that two values are equal to nine digits, or both undefined.
fn assert_same(name: &str, ours: Option<f64>, theirs: &Value) {
    let theirs = theirs.as_f64();
    let same = match (ours, theirs) {
        (None, None) => true,
        (Some(ours), Some(theirs)) => (ours - theirs).abs() <= 1e-9 * theirs.abs().max(1.0),
        _ => false,
    };
    assert!(same, "{name}: {ours:?}, in Python {theirs:?}");
}

#[test]
fn statistics_equal_those_of_an_independent_implementation() {
    let mut dice = Dice::new(20_261_126);
    let mut classes: Vec<Class> = (0..80).map(|_| Class::random(&mut dice)).collect();
    classes.push(Class::published());
    let theirs = of_python(&classes);
    assert_eq!(theirs.len(), classes.len());
    let mut defined = 0;
    for (class, theirs) in classes.iter().zip(&theirs) {
        let (quiz, items): (QuizStatistics, Vec<ItemStatistics>) = statistics(&class.worth, &class.marks);
        assert_eq!(theirs["attempts"], quiz.attempts);
        for (name, ours) in [
            ("mean", quiz.mean),
            ("deviation", quiz.deviation),
            ("alpha", quiz.alpha),
            ("standard_error", quiz.standard_error),
        ] {
            assert_same(name, ours, &theirs[name]);
        }
        assert_eq!(theirs["items"].as_array().unwrap().len(), items.len());
        for (item, theirs) in items.iter().zip(theirs["items"].as_array().unwrap()) {
            assert_eq!(theirs["attempts"], item.attempts);
            for (name, ours) in [
                ("facility", item.facility),
                ("deviation", item.deviation),
                ("discrimination", item.discrimination),
                ("efficiency", item.efficiency),
            ] {
                assert_same(name, ours, &theirs[name]);
            }
            defined += usize::from(item.discrimination.is_some());
        }
        for (times, theirs) in class.times.iter().zip(theirs["items"].as_array().unwrap()) {
            assert_same("median", median(times.clone()), &theirs["median"]);
        }
    }
    assert!(defined > 100, "the random classes define few correlations: {defined}");
}
