//! What can be done, one file a resource. Inputs are objects, answers are payloads; expected outcomes are data, faults are
//! errors.

mod avatars;
mod learning;
mod login;
mod sharing;

use async_graphql::MergedObject;

#[derive(Default, MergedObject)]
pub struct Mutation(
    login::LoginMutation,
    sharing::SharingMutation,
    learning::LearningMutation,
    avatars::AvatarMutation,
);
