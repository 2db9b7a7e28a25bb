//! How much of an element was carried over.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// Unchanged, but worth knowing.
    Carried,
    /// Present in another form.
    Changed,
    NotCarried,
}

impl Outcome {
    pub const ALL: [Self; 3] = [Self::Carried, Self::Changed, Self::NotCarried];

    pub fn name(self) -> &'static str {
        match self {
            Self::Carried => "carried",
            Self::Changed => "changed",
            Self::NotCarried => "not_carried",
        }
    }
}
