//! `kurso`: one binary that serves the product and looks after its data.

mod backups;
mod check;
mod config;
mod copies;
mod demo;
mod export;
mod health;
mod import;
mod language;
mod log;
mod serve;
mod start;
mod sweep;
mod terminal;
mod traces;
mod user;
mod web;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use config::Settings;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A course platform in one binary.
#[derive(Parser)]
#[command(version, about, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the product (what happens without a command, too)
    Serve,
    /// Bring a course in from a folder or a zip
    Import(import::Arguments),
    /// Write a course out
    Export(export::Arguments),
    /// Look whether everything that is stored is as it should be; beside a running server too
    Check(check::Arguments),
    /// Write everything into one file, beside a running server too
    Backup(copies::BackupArguments),
    /// Bring a backup into an empty database, on SQLite or PostgreSQL
    Restore(copies::RestoreArguments),
    /// Copy everything to another database, and the files to another place
    Move(copies::MoveArguments),
    /// Print the settings in force and where each comes from, secrets hidden
    Config(config::ShowArguments),
    /// Look after accounts
    #[command(subcommand)]
    User(user::Command),
    /// Ask the server on this machine whether it is ready; the exit status says so, too
    Health(health::Arguments),
    /// Print the GraphQL schema
    Schema,
    /// Print the OpenAPI document
    Openapi,
    /// Print what a shell needs to complete these commands
    Completions(terminal::CompletionsArguments),
    /// Print the manual page, or write one for each command
    Man(terminal::ManArguments),
}

fn main() -> ExitCode {
    let env_file = dotenvy::dotenv();
    match env_file {
        Ok(_) => {}
        Err(error) if error.not_found() || is_out_of_reach(&error) => {}
        Err(error) => return failed(&format!(".env: {error}")),
    }
    let (cli, effective) = match config::load(std::env::args_os().collect()) {
        Ok(config::Loaded { cli, effective }) => (cli, effective),
        Err(text) => return failed(&text),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.to_string()),
    };
    let done = runtime.block_on(async {
        let traces = log::start(&cli.settings)?;
        let done = match cli.command.unwrap_or(Command::Serve) {
            Command::Serve => serve::run(&cli.settings).await,
            Command::Import(arguments) => import::run(&cli.settings, arguments).await,
            Command::Export(arguments) => export::run(&cli.settings, arguments).await,
            Command::Check(arguments) => check::run(&cli.settings, arguments).await,
            Command::Backup(arguments) => copies::backup(&cli.settings, arguments).await,
            Command::Restore(arguments) => copies::restore(&cli.settings, arguments).await,
            Command::Move(arguments) => copies::move_to(&cli.settings, arguments).await,
            Command::Config(arguments) => {
                print(&config::show(&effective, &arguments)).and_then(|()| cli.settings.check())
            }
            Command::User(command) => user::run(&cli.settings, command).await,
            Command::Health(arguments) => health::run(&cli.settings, &arguments).await,
            Command::Schema => print(&kurso_graphql::sdl()),
            Command::Openapi => print(kurso_rest::openapi_json()),
            Command::Completions(arguments) => terminal::completions(&arguments),
            Command::Man(arguments) => terminal::man(&arguments),
        };
        if let Some(traces) = traces {
            traces.flush().await;
        }
        done
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => failed(&text),
    }
}

/// Is it a folder that may not be looked into, rather than a `.env` that may not be read? Whoever runs a command as the user of
/// the server often stands in a folder of their own.
fn is_out_of_reach(error: &dotenvy::Error) -> bool {
    let dotenvy::Error::Io(error) = error else { return false };
    error.kind() == std::io::ErrorKind::PermissionDenied && std::fs::metadata(".env").is_err()
}

fn failed(text: &str) -> ExitCode {
    eprintln!("kurso: {text}");
    ExitCode::FAILURE
}

/// Prints without a panic when the reader has gone (`kurso schema | head`).
fn print(text: &str) -> Result<(), String> {
    use std::io::Write as _;
    match writeln!(std::io::stdout(), "{}", text.trim_end()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}
