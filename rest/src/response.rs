//! Conversions of values of the core into responses.

/// Implements the conversion into a response whose fields have the same names. Fields in brackets are lists.
macro_rules! from_fields {
    ($($name:ident from $source:ty { $($field:ident),+ $(, [$list:ident])? })*) => {$(
        impl From<$source> for $name {
            fn from(value: $source) -> Self {
                $name {
                    $($field: value.$field.into(),)+
                    $($list: value.$list.into_iter().map(std::convert::Into::into).collect(),)?
                }
            }
        }
    )*};
}
pub(crate) use from_fields;

/// Declares pages of lists: the rows, and how many there are in all. A page is also made from rows of the core that convert to its rows.
macro_rules! lists {
    ($($(#[doc = $doc:literal])* $name:ident of $row:ident;)*) => {$(
        $(#[doc = $doc])*
        #[derive(serde::Serialize, utoipa::ToSchema)]
        pub struct $name {
            pub data: Vec<$row>,
            /// Number of all rows, without regard to `skip` and `limit`.
            pub count: i64,
        }

        impl<T: std::convert::Into<$row>> From<kurso_base::pagination::Listed<T>> for $name {
            fn from(listed: kurso_base::pagination::Listed<T>) -> Self {
                $name {
                    data: listed.data.into_iter().map(std::convert::Into::into).collect(),
                    count: listed.count,
                }
            }
        }
    )*};
}
pub(crate) use lists;
