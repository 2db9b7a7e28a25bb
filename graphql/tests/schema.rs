//! `schema.graphql` is what the web app and others build on: it changes only together with the code.

#[test]
fn the_checked_in_schema_is_this_one() {
    let checked_in = include_str!("../../schema.graphql");
    assert_eq!(
        checked_in.trim(),
        kurso_graphql::sdl().trim(),
        "run `make update` and look at the difference"
    );
}
