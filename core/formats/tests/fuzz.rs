//! Runs the readers for some seconds each on randomly mutated corpus files: no panics, no invalid output, bounded
//! time and memory. `make fuzz` is the long, coverage-guided form.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

#[path = "../../../fuzz/src/targets.rs"]
mod targets;

use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

/// Seconds per target, unless `KURSO_FUZZ_SECONDS` is set.
const SECONDS: u64 = 2;
/// Processor time per input, with a margin for unoptimized builds.
const LONGEST: Duration = Duration::from_secs(20);
/// Megabytes of the whole process.
const MEMORY: u64 = 768;

/// Tokens that readers know, inserted at random positions.
const WORDS: &[&str] = &[
    "\n",
    "\n\n",
    "--- ",
    "../",
    "#",
    "```",
    "$$",
    "+++",
    "|",
    "<",
    ">",
    "</",
    "<!--",
    "-->",
    "<p",
    "<table><tr><td>",
    "&#x0;",
    "&lt;",
    "{",
    "}",
    "{{#include ",
    "}}",
    "[",
    "](",
    "![",
    "\\",
    "~",
    "=",
    "%100%",
    "->",
    "####",
    "- [x] ",
    "\"",
    "'",
    "\0",
    "\u{feff}",
    "\u{202e}",
    "я",
    "😀",
    "\t",
    "page:",
    "javascript:",
    "9999999999",
    "-1",
    "1e999",
    "true",
    "[[questions]]",
    "title = ",
    "key = ",
    "PK\x03\x04",
    "PK\x01\x02",
    "PK\x05\x06",
];

#[derive(Clone, Debug)]
enum Change {
    Remove(f64, usize),
    Repeat(f64, usize, usize),
    Insert(f64, usize),
    Flip(f64, u8),
    Cut(f64),
    Join(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let place = || 0.0..1.0_f64;
    prop_oneof![
        1 => (place(), 1..40_usize).prop_map(|(at, length)| Change::Remove(at, length)),
        1 => (place(), 1..30_usize, 2..200_usize).prop_map(|(at, length, times)| Change::Repeat(at, length, times)),
        4 => (place(), 0..WORDS.len()).prop_map(|(at, word)| Change::Insert(at, word)),
        1 => (place(), any::<u8>()).prop_map(|(at, bits)| Change::Flip(at, bits)),
        1 => place().prop_map(Change::Cut),
        1 => (0..100_usize).prop_map(Change::Join),
    ]
}

fn changed(mut data: Vec<u8>, changes: &[Change], seeds: &[Vec<u8>]) -> Vec<u8> {
    for change in changes {
        let at = |place: &f64, data: &[u8]| (data.len() as f64 * place) as usize;
        match change {
            Change::Remove(place, length) => {
                let from = at(place, &data);
                data.drain(from..(from + length).min(data.len()));
            }
            Change::Repeat(place, length, times) => {
                let from = at(place, &data);
                let piece = data[from..(from + length).min(data.len())].repeat(*times);
                data.splice(from..from, piece);
            }
            Change::Insert(place, word) => {
                let from = at(place, &data);
                data.splice(from..from, WORDS[*word].bytes());
            }
            Change::Flip(place, bits) => {
                let from = at(place, &data);
                if let Some(byte) = data.get_mut(from) {
                    *byte ^= bits;
                }
            }
            Change::Cut(place) => data.truncate(at(place, &data)),
            Change::Join(seed) => data.extend(&seeds[seed % seeds.len()]),
        }
    }
    data.truncate(20_000);
    data
}

/// Prints the input if reading it panics.
struct Shown<'a>(&'a str, &'a [u8]);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let text: String = self.1.iter().map(|byte| byte.escape_ascii().to_string()).collect();
            eprintln!("{} read: {text}", self.0);
        }
    }
}

fn one(target: &targets::Target, data: &[u8]) {
    let shown = Shown(target.name, data);
    let start = (Instant::now(), on_processor());
    targets::run(target, data);
    let took = match (start.1, on_processor()) {
        (Some(before), Some(after)) => after - before,
        _ => start.0.elapsed(),
    };
    assert!(took < LONGEST, "{took:?}");
    drop(shown);
}

/// Processor time of this thread: on a busy machine, an input may wait for minutes.
fn on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

#[test]
fn readers_survive_mutated_inputs() {
    let seconds = std::env::var("KURSO_FUZZ_SECONDS").ok();
    let seconds = seconds.and_then(|text| text.parse().ok()).unwrap_or(SECONDS);
    for target in targets::TARGETS {
        let mut seeds = targets::corpus(target.name);
        seeds.extend(targets::seeds(target));
        assert!(!seeds.is_empty(), "{} has no corpus", target.name);
        for seed in &seeds {
            one(target, seed);
        }
        // Seeded, so that runs are reproducible.
        let mut runner = TestRunner::deterministic();
        let inputs = (0..seeds.len(), prop::collection::vec(change(), 1..12));
        let (end, begun) = (Instant::now() + Duration::from_secs(seconds), on_processor());
        let mut count = 0;
        while Instant::now() < end {
            let (seed, changes) = inputs.new_tree(&mut runner).unwrap().current();
            one(target, &changed(seeds[seed].clone(), &changes, &seeds));
            count += 1;
        }
        println!(
            "{}: {count} inputs in {:.1?} of a processor",
            target.name,
            on_processor()
                .zip(begun)
                .map(|(now, then)| now - then)
                .unwrap_or_default()
        );
    }
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak: u64 = peak.unwrap().trim().trim_end_matches(" kB").parse().unwrap();
        assert!(peak / 1024 < MEMORY, "{} MB at most", peak / 1024);
        println!("{} MB at most", peak / 1024);
    }
}
