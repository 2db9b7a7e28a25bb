pub mod content;
pub mod exchange;
