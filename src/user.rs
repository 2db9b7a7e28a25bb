//! `kurso user add|list|set-password`: accounts without the web app, for whoever runs the server.

use clap::Subcommand;
use kurso_core::Kurso;
use kurso_core::email::Email;
use kurso_core::error::Error;
use kurso_core::messages::Message;
use kurso_core::page::Page;
use kurso_core::users::{self, NewUser, User};
use serde_json::json;

use crate::config::Settings;
use crate::{print, start};

#[derive(Subcommand)]
pub enum Command {
    /// Make an account
    Add {
        email: String,
        #[arg(long)]
        full_name: Option<String>,
        #[arg(long)]
        superuser: bool,
        /// 8 to 128 characters; made up and printed when absent
        #[arg(long)]
        password: Option<String>,
        /// Answer with one JSON object on standard output
        #[arg(long)]
        json: bool,
    },
    /// List the accounts, newest first
    List {
        /// Answer with one JSON array on standard output
        #[arg(long)]
        json: bool,
    },
    /// Set the password of an account; everybody signed in to it is signed out
    SetPassword {
        email: String,
        /// 8 to 128 characters; made up and printed when absent
        #[arg(long)]
        password: Option<String>,
        /// Answer with one JSON object on standard output
        #[arg(long)]
        json: bool,
    },
}

pub async fn run(settings: &Settings, command: Command) -> Result<(), String> {
    let kurso = start::open(settings).await?;
    let answer = match command {
        Command::Add {
            email,
            full_name,
            superuser,
            password,
            json,
        } => {
            let email = address(&email)?;
            add(&kurso, email, full_name, superuser, password, json).await
        }
        Command::List { json } => list(&kurso, json).await,
        Command::SetPassword { email, password, json } => {
            let email = address(&email)?;
            set_password(&kurso, &email, password, json).await
        }
    };
    kurso.db.close().await;
    print(&answer?)
}

fn address(text: &str) -> Result<Email, String> {
    Email::parse(text).map_err(|problem| format!("{text}: {}", Message::BadEmail(problem)))
}

/// The password given or a made up one, which is to be shown.
fn chosen(password: Option<String>) -> Result<(String, Option<String>), String> {
    match password {
        Some(password) if start::fits(&password) => Ok((password, None)),
        Some(_) => Err("--password: 8 to 128 characters are expected".to_owned()),
        None => {
            let made_up = start::made_up_password();
            Ok((made_up.clone(), Some(made_up)))
        }
    }
}

fn shown(user: &User, made_up: Option<&str>, what: &str, as_json: bool) -> String {
    if as_json {
        return json!({"user": user, "password": made_up}).to_string();
    }
    match made_up {
        Some(password) => format!("{}: {what}; the password is {password} (shown this once)", user.email),
        None => format!("{}: {what}", user.email),
    }
}

async fn add(
    kurso: &Kurso,
    email: Email,
    full_name: Option<String>,
    is_superuser: bool,
    password: Option<String>,
    as_json: bool,
) -> Result<String, String> {
    if full_name.as_ref().is_some_and(|name| name.chars().count() > 255) {
        return Err("--full-name: at most 255 characters are expected".to_owned());
    }
    let (password, made_up) = chosen(password)?;
    let new = NewUser {
        email,
        password,
        full_name,
        is_active: true,
        is_superuser,
    };
    let user = users::create(kurso, new).await.map_err(said)?;
    Ok(shown(&user, made_up.as_deref(), "the account was made", as_json))
}

async fn list(kurso: &Kurso, as_json: bool) -> Result<String, String> {
    let mut everybody: Vec<User> = Vec::new();
    loop {
        let skip = u64::try_from(everybody.len()).unwrap_or(u64::MAX);
        let page = Page::new(skip, Page::MAX_LIMIT.unsigned_abs());
        let listed = users::everybody(&kurso.db, page)
            .await
            .map_err(|error| error.to_string())?;
        if listed.data.is_empty() {
            break;
        }
        everybody.extend(listed.data);
    }
    if as_json {
        return serde_json::to_string(&everybody).map_err(|error| error.to_string());
    }
    let lines = everybody.iter().map(|user| {
        let name = user.full_name.as_deref().unwrap_or_default();
        let rank = if user.is_superuser { " (superuser)" } else { "" };
        let state = if user.is_active { "" } else { " (inactive)" };
        format!("{}  {}{rank}{state}  {name}", user.id, user.email)
            .trim_end()
            .to_owned()
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

async fn set_password(kurso: &Kurso, email: &Email, password: Option<String>, as_json: bool) -> Result<String, String> {
    let user = users::by_email(&kurso.db, email)
        .await
        .map_err(|error| error.to_string())?
        .ok_or_else(|| format!("there is no account {}", email.shown()))?;
    let (password, made_up) = chosen(password)?;
    users::set_password(kurso, user.id, password).await.map_err(said)?;
    Ok(shown(
        &user,
        made_up.as_deref(),
        "the password was set, every session ended",
        as_json,
    ))
}

/// A refusal in its own words, a fault as the log would have it.
fn said(error: Error) -> String {
    match error {
        Error::Internal(cause) => cause.to_string(),
        refusal => refusal.message().to_string(),
    }
}
