//! `schema.graphql` is what the web app and others build on: it changes only together with the code.

use std::path::Path;

/// `UPDATE_SNAPSHOTS=1 cargo nextest run -p kurso-graphql schema` rewrites the file, and so does `make update`.
#[test]
fn the_checked_in_schema_is_this_one() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema.graphql");
    let schema = format!("{}\n", kurso_graphql::sdl());
    #[expect(clippy::disallowed_methods, reason = "a test's switch, no setting")]
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&file, &schema).unwrap();
    }
    let checked_in = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        checked_in.trim() == schema.trim(),
        "schema.graphql is not what the code says: run `make update` and look at the difference"
    );
}
