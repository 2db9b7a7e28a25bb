//! `schema.graphql` is what the web app and others build on: it changes only together with the code.
#![allow(clippy::unwrap_used)]

use std::path::Path;

/// `UPDATE_SNAPSHOTS=1 cargo test -p kurso-graphql schema` rewrites the file, and so does `make update`.
#[test]
fn the_checked_in_schema_is_this_one() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema.graphql");
    let schema = format!("{}\n", kurso_graphql::sdl());
    #[expect(clippy::disallowed_methods, reason = "a test's switch, no setting")]
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&file, &schema).unwrap();
    }
    let checked_in = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        checked_in.trim(),
        schema.trim(),
        "run `make update` and look at the difference"
    );
}
