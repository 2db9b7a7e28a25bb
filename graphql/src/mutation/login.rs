//! Mutations for signup, login and logout.

use async_graphql::{Context, InputObject, Object, Result, SimpleObject};
use kurso_base::messages::Message;
use kurso_core::auth;
use kurso_core::users::{self, CreateUser};

use crate::context::{kurso, origin, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::language::say;
use crate::types::User;

#[derive(Default)]
pub struct LoginMutation;

/// A new account.
#[derive(InputObject)]
pub struct SignupInput {
    /// Not used by another account.
    email: String,
    /// 8 to 128 characters.
    password: String,
    /// Surname, first name and patronymic joined by spaces; at most 255 characters.
    full_name: Option<String>,
}

/// The account was created.
#[derive(SimpleObject)]
pub struct SignupPayload {
    /// The new account; `login` signs in.
    user: User,
}

/// The credentials of an account.
#[derive(InputObject)]
pub struct LoginInput {
    /// Email address of the account; case does not matter.
    email: String,
    /// Password of the account.
    password: String,
}

/// The user is signed in.
#[derive(SimpleObject)]
pub struct LoginPayload {
    /// Token for `Authorization: Bearer …`, valid for 8 days.
    access_token: String,
}

/// The session has ended.
#[derive(SimpleObject)]
pub struct LogoutPayload {
    /// The result in words, in the language of the request.
    message: String,
}

#[Object]
impl LoginMutation {
    /// Creates an account; needs no token.
    async fn signup(&self, ctx: &Context<'_>, input: SignupInput) -> Result<SignupPayload> {
        let new = command!(
            ctx,
            CreateUser {
                email: required(input.email),
                full_name: optional(input.full_name),
                password: required(input.password),
                is_active: known(true),
                is_superuser: known(false),
            }
        );
        let user = users::signup(kurso(ctx), &origin(ctx), new).await.map_err(wrap(ctx))?;
        Ok(SignupPayload { user: User(user) })
    }

    /// Signs in; needs no token.
    async fn login(&self, ctx: &Context<'_>, input: LoginInput) -> Result<LoginPayload> {
        let access_token = auth::login(kurso(ctx), &origin(ctx), &input.email, input.password)
            .await
            .map_err(wrap(ctx))?;
        Ok(LoginPayload { access_token })
    }

    /// Ends the session of the request's token.
    async fn logout(&self, ctx: &Context<'_>) -> Result<LogoutPayload> {
        auth::logout(kurso(ctx), viewer(ctx)?).await.map_err(wrap(ctx))?;
        Ok(LogoutPayload {
            message: say(ctx, Message::LoggedOut),
        })
    }
}
