//! `kurso completions` and `kurso man`: shell completions and manual pages, generated from the definition of the commands.

use std::path::PathBuf;

use clap::{Args, Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{Cli, print};

#[derive(Args)]
pub struct CompletionsArguments {
    shell: Shell,
}

#[derive(Args)]
pub struct ManArguments {
    /// The folder to write a page for each command to; without it the page of `kurso` is printed
    folder: Option<PathBuf>,
}

pub fn completions(arguments: &CompletionsArguments) -> Result<(), String> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "kurso", &mut script);
    print(&String::from_utf8_lossy(&script))
}

pub fn man(arguments: &ManArguments) -> Result<(), String> {
    let pages = pages().map_err(|error| error.to_string())?;
    let Some(folder) = &arguments.folder else {
        let main = pages.iter().find(|(name, _)| name == "kurso.1");
        return print(main.map_or("", |(_, text)| text));
    };
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    for (name, text) in &pages {
        std::fs::write(folder.join(name), text).map_err(failed)?;
    }
    Ok(())
}

/// The file names and texts of all pages: `kurso.1`, `kurso-user-add.1`, …
fn pages() -> std::io::Result<Vec<(String, String)>> {
    let mut whole = Cli::command();
    whole.build(); // sets the full names of subcommands and passes the global settings on to them
    let mut pages = Vec::new();
    write(&whole, &mut pages)?;
    Ok(pages)
}

fn write(command: &Command, pages: &mut Vec<(String, String)>) -> std::io::Result<()> {
    let page = |command: Command| {
        Man::new(command)
            .manual("Kurso")
            .source(concat!("kurso ", env!("CARGO_PKG_VERSION")))
    };
    let mut text = Vec::new();
    let short = page(without_settings(command));
    if command.get_name() == "kurso" {
        // The synopsis of the short form: it does not list the forty settings.
        let whole = page(command.clone());
        whole.render_title(&mut text)?;
        whole.render_name_section(&mut text)?;
        short.render_synopsis_section(&mut text)?;
        whole.render_description_section(&mut text)?;
        whole.render_subcommands_section(&mut text)?;
        whole.render_options_section(&mut text)?;
    } else {
        short.render(&mut text)?;
    }
    pages.push((short.get_filename(), String::from_utf8_lossy(&text).into_owned()));
    command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
        .try_for_each(|below| write(below, pages))
}

/// Every command accepts the settings; only the page of `kurso` lists them.
fn without_settings(command: &Command) -> Command {
    let about = command.get_about().cloned().unwrap_or_default();
    command
        .clone()
        .mut_args(|argument| {
            let is_setting = argument.get_env().is_some();
            argument.hide(is_setting)
        })
        .long_about(format!("{about}.\n\nIt also accepts the settings of kurso(1)."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_and_only_the_main_page_lists_settings() {
        let pages = pages().unwrap();
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        for name in [
            "kurso.1",
            "kurso-serve.1",
            "kurso-backup.1",
            "kurso-user-set-password.1",
        ] {
            assert!(names.contains(&name), "{name} of {names:?}");
        }
        for (name, text) in &pages {
            // roff writes a dash as `\-`.
            assert_eq!(text.contains("\\-\\-data\\-dir"), name == "kurso.1", "{name}\n{text}");
            assert_eq!(text.contains("KURSO_DATA_DIR"), name == "kurso.1", "{name}\n{text}");
            assert_eq!(
                text.contains("settings of kurso(1)"),
                name != "kurso.1",
                "{name}\n{text}"
            );
        }
    }
}
