//! Making an account, signing in and out.

use async_graphql::{Context, InputObject, Object, Result, SimpleObject};
use kurso_core::auth;
use kurso_core::messages::Message;
use kurso_core::users::{self, NewUser};
use serde_json::json;

use crate::context::{kurso, origin, say, viewer};
use crate::error::wrap;
use crate::types::User;

#[derive(Default)]
pub struct LoginMutation;

/// A new account.
#[derive(InputObject)]
pub struct SignupInput {
    /// Nobody else's.
    email: String,
    /// 8 to 128 characters.
    password: String,
    /// Surname, first name and patronymic joined by spaces; at most 255 characters.
    full_name: Option<String>,
}

/// The account was made.
#[derive(SimpleObject)]
pub struct SignupPayload {
    /// The new account; signing in is a call of its own.
    user: User,
}

/// Who signs in.
#[derive(InputObject)]
pub struct LoginInput {
    /// Of the account; case does not matter.
    email: String,
    /// Of the account.
    password: String,
}

/// The person is signed in.
#[derive(SimpleObject)]
pub struct LoginPayload {
    /// Goes into `Authorization: Bearer …`; good for 8 days.
    access_token: String,
}

/// The session has ended.
#[derive(SimpleObject)]
pub struct LogoutPayload {
    /// What was done, in the language of the request.
    message: String,
}

#[Object]
impl LoginMutation {
    /// Makes an account; no token needed.
    async fn signup(&self, ctx: &Context<'_>, input: SignupInput) -> Result<SignupPayload> {
        let body = json!({"email": input.email, "password": input.password, "full_name": input.full_name});
        let new = NewUser::from_signup(&body).map_err(wrap(ctx))?;
        let user = users::signup(kurso(ctx), &origin(ctx), new).await.map_err(wrap(ctx))?;
        Ok(SignupPayload { user: User(user) })
    }

    /// Signs in; no token needed.
    async fn login(&self, ctx: &Context<'_>, input: LoginInput) -> Result<LoginPayload> {
        let access_token = auth::login(kurso(ctx), &origin(ctx), &input.email, input.password)
            .await
            .map_err(wrap(ctx))?;
        Ok(LoginPayload { access_token })
    }

    /// Ends the session of the token in use.
    async fn logout(&self, ctx: &Context<'_>) -> Result<LogoutPayload> {
        auth::logout(kurso(ctx), viewer(ctx)?).await.map_err(wrap(ctx))?;
        Ok(LogoutPayload {
            message: say(ctx, Message::LoggedOut),
        })
    }
}
