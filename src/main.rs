//! The binary `kurso`: command line, settings, the server, and the commands that maintain its data.

mod backup;
mod check;
mod cleanup;
mod config;
mod demo;
mod export;
mod health;
mod import;
mod language;
mod log;
mod scheduled_backups;
mod search;
mod serve;
mod start;
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
    /// Start the server (the default command)
    Serve,
    /// Import a course from a folder or a file
    Import(import::Arguments),
    /// Export a course
    Export(export::Arguments),
    /// Check the stored data for inconsistencies; may run while the server is running
    Check(check::Arguments),
    /// Write all data to one file; may run while the server is running
    Backup(backup::BackupArguments),
    /// Restore a backup into an empty SQLite or PostgreSQL database
    Restore(backup::RestoreArguments),
    /// Copy all data to another database, and the files to another store
    Move(backup::MoveArguments),
    /// Print the effective settings and their sources, without secrets
    Config(config::ShowArguments),
    /// Maintain the full-text search
    #[command(subcommand)]
    Search(search::Command),
    /// Manage accounts
    #[command(subcommand)]
    User(user::Command),
    /// Ask the server on this machine whether it is ready; the exit status is the result
    Health(health::Arguments),
    /// Print the GraphQL schema
    Schema,
    /// Print the OpenAPI document
    Openapi,
    /// Print the completion script for a shell
    Completions(terminal::CompletionsArguments),
    /// Print the manual page, or write one for each command
    Man(terminal::ManArguments),
}

fn main() -> ExitCode {
    let env_file = dotenvy::dotenv();
    match env_file {
        Ok(_) => {}
        Err(error) if error.not_found() || is_folder_inaccessible(&error) => {}
        Err(error) => return failed(&format!(".env: {error}")),
    }
    let (cli, effective) = match config::load(std::env::args_os().collect()) {
        Ok(config::Loaded { cli, effective }) => (cli, effective),
        Err(text) => return failed(&text),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // The nested resolvers of a GraphQL operation need more than the usual 2 MiB in debug builds. Pages that are not used take no memory.
        .thread_stack_size(4 << 20)
        .build()
    {
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
            Command::Backup(arguments) => backup::backup(&cli.settings, arguments).await,
            Command::Restore(arguments) => backup::restore(&cli.settings, arguments).await,
            Command::Move(arguments) => backup::move_to(&cli.settings, arguments).await,
            Command::Config(arguments) => {
                print(&config::show(&effective, &arguments)).and_then(|()| cli.settings.check())
            }
            Command::Search(command) => search::run(&cli.settings, command).await,
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

/// Whether the current folder itself is inaccessible, rather than its `.env`: commands that run as the server's user are often
/// started from another user's home folder.
fn is_folder_inaccessible(error: &dotenvy::Error) -> bool {
    let dotenvy::Error::Io(error) = error else { return false };
    error.kind() == std::io::ErrorKind::PermissionDenied && std::fs::metadata(".env").is_err()
}

fn failed(text: &str) -> ExitCode {
    eprintln!("kurso: {text}");
    ExitCode::FAILURE
}

/// Prints to standard output; a closed pipe (`kurso schema | head`) is not an error.
fn print(text: &str) -> Result<(), String> {
    use std::io::Write as _;
    match writeln!(std::io::stdout(), "{}", text.trim_end()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}
