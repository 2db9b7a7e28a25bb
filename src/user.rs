//! `kurso user add|list|set-password`: account management for operators, without the web app.

use clap::Subcommand;
use kurso_base::email::Email;
use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_base::values::{FullName, Password};
use kurso_core::Kurso;
use kurso_core::access::User;
use kurso_core::users::{self, CreateUser};
use serde_json::json;

use crate::config::Settings;
use crate::{print, start};

#[derive(Subcommand)]
pub enum Command {
    /// Create an account
    Add {
        email: String,
        #[arg(long)]
        full_name: Option<String>,
        #[arg(long)]
        superuser: bool,
        /// 8 to 128 characters; generated and printed when absent
        #[arg(long)]
        password: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// List the accounts, newest first
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Set the password of an account and end all its sessions
    SetPassword {
        email: String,
        /// 8 to 128 characters; generated and printed when absent
        #[arg(long)]
        password: Option<String>,
        /// Print one JSON object
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

/// The given password, or a random one together with its text to show.
fn chosen(password: Option<String>) -> Result<(Password, Option<String>), String> {
    let random = password.is_none().then(start::made_up_password);
    let text = password.as_ref().or(random.as_ref()).map_or("", String::as_str);
    Ok((start::read_password("--password", text)?, random))
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
    let full_name = full_name.map(FullName::parse).transpose();
    let full_name = full_name.map_err(|_| format!("--full-name: at most {} characters are expected", FullName::MAX))?;
    let (password, made_up) = chosen(password)?;
    let new = CreateUser {
        is_superuser,
        ..CreateUser::ordinary(email, password, full_name)
    };
    let user = users::create(kurso, new).await.map_err(message)?;
    Ok(shown(&user, made_up.as_deref(), "the account was created", as_json))
}

async fn list(kurso: &Kurso, as_json: bool) -> Result<String, String> {
    let mut everybody: Vec<User> = Vec::new();
    loop {
        let skip = u64::try_from(everybody.len()).unwrap_or(u64::MAX);
        let page = Page::new(skip, Page::MAX_LIMIT.unsigned_abs());
        let listed = users::list_all(&kurso.db, page)
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
    users::set_password(kurso, user.id, password).await.map_err(message)?;
    Ok(shown(
        &user,
        made_up.as_deref(),
        "the password was set, all sessions were ended",
        as_json,
    ))
}

/// The message of a rejection, or the cause of an internal error.
fn message(error: Error) -> String {
    match error {
        Error::Internal(cause) => cause.to_string(),
        refusal => refusal.message().to_string(),
    }
}
