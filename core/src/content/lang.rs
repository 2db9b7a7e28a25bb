/// The language of a text meant for a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Lang {
    #[default]
    En,
    Ru,
}
