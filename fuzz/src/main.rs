//! Runs a target of [`targets::TARGETS`] under libFuzzer; `KURSO_FUZZ` names it.
#![no_main]

mod targets;

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

static TARGET: OnceLock<&'static targets::Target> = OnceLock::new();

fuzz_target!(
    init: {
        let name = std::env::var("KURSO_FUZZ").unwrap_or_default();
        let target = targets::TARGETS.iter().find(|target| target.name == name);
        let names: Vec<_> = targets::TARGETS.iter().map(|target| target.name).collect();
        let target = target.unwrap_or_else(|| panic!("KURSO_FUZZ is one of {names:?}"));
        let _ = TARGET.set(target);
        // Binary seeds are generated: the repository holds only text seeds.
        if let Some(folder) = std::env::var_os("KURSO_FUZZ_SEEDS") {
            for (number, seed) in targets::seeds(target).into_iter().enumerate() {
                std::fs::write(std::path::Path::new(&folder).join(format!("seed-{number}")), seed).unwrap();
            }
        }
    },
    |data: &[u8]| {
        if let Some(target) = TARGET.get() {
            targets::run(target, data);
        }
    }
);
