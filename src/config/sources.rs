//! Merges settings by precedence: flag, environment variable, systemd credential, `kurso.toml`, default. A secret may be read from
//! a separate file, named by `KURSO_SECRET_KEY_FILE` in the environment or `secret_key_file` in `kurso.toml`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory as _, FromArgMatches as _};

use crate::Cli;

/// Lists that an empty variable sets to an empty list; other empty variables count as unset.
const MAY_BE_EMPTY: [&str; 2] = ["cors_origins", "push_hosts"];

/// The settings that contain secrets, and which part of the value is secret.
pub const SECRETS: &[(&str, Secret)] = &[
    ("secret_key", Secret::Whole),
    ("superuser_password", Secret::Whole),
    ("metrics_token", Secret::Whole),
    ("database_url", Secret::InUrl),
    ("smtp_url", Secret::InUrl),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Secret {
    Whole,
    /// The password in a URL.
    InUrl,
}

/// The settings file that is read by default, if it exists.
const DEFAULT_FILE: &str = "kurso.toml";

/// Where the value of a setting comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    Default,
    Flag,
    /// An environment variable, with its name.
    Environment(String),
    /// A secret file named by a variable, by systemd or by a line of the settings file.
    SecretFile(PathBuf),
    /// The settings file.
    File(PathBuf),
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Source::Default => f.write_str("default"),
            Source::Flag => f.write_str("flag"),
            Source::Environment(name) => write!(f, "environment {name}"),
            Source::SecretFile(path) | Source::File(path) => write!(f, "file {}", path.display()),
        }
    }
}

/// A setting with its effective value.
#[derive(Clone, Debug)]
pub struct Effective {
    /// `data_dir`
    pub name: String,
    /// None when the setting has neither a value nor a default.
    pub value: Option<String>,
    pub source: Source,
}

/// The parsed command line, and all settings with their sources.
pub struct Loaded {
    pub cli: Cli,
    pub effective: Vec<Effective>,
}

/// A value from a source other than a flag.
struct Given {
    name: String,
    value: String,
    source: Source,
}

/// Reads the arguments, the environment and the settings file. `--help` and invalid flags end the process as clap does; errors in
/// other sources are returned and name the setting.
pub fn load(arguments: Vec<OsString>) -> Result<Loaded, String> {
    match Cli::command().try_get_matches_from(&arguments) {
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => error.exit(),
        _ => {} // clap's errors about environment variables do not name the variable; `checked` reports them below
    }
    let flags = bare_command()
        .try_get_matches_from(&arguments)
        .unwrap_or_else(|error| error.exit());
    let is_flag = |name: &str| flags.value_source(name) == Some(ValueSource::CommandLine);
    let environment = from_environment()?;
    let file = settings_file(&flags, &environment)?;
    let mut given = environment;
    for lower in [from_systemd()?, file] {
        let new: Vec<Given> = lower
            .into_iter()
            .filter(|one| given.iter().all(|other| other.name != one.name))
            .collect();
        given.extend(new);
    }
    given.retain(|one| !is_flag(&one.name));
    let mut all = vec![OsString::from("kurso")];
    all.extend(given.iter().map(Given::as_flag));
    all.extend(arguments.into_iter().skip(1));
    let matches = bare_command()
        .try_get_matches_from(all)
        .unwrap_or_else(|error| error.exit());
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.to_string())?;
    let effective = names()
        .into_iter()
        .map(|name| {
            let source = match given.iter().find(|one| one.name == name) {
                Some(one) => one.source.clone(),
                None if is_flag(&name) => Source::Flag,
                None => Source::Default,
            };
            Effective {
                value: raw(&matches, &name),
                name,
                source,
            }
        })
        .collect();
    Ok(Loaded { cli, effective })
}

impl Given {
    fn as_flag(&self) -> OsString {
        format!("--{}={}", self.name.replace('_', "-"), self.value).into()
    }

    /// Validates the value by parsing it as a flag. The error omits the value of a secret.
    fn checked(self) -> Result<Self, String> {
        match bare_command().try_get_matches_from([OsString::from("kurso"), self.as_flag()]) {
            Ok(_) => Ok(self),
            Err(error) => {
                let expected = std::error::Error::source(&error).map(ToString::to_string);
                let expected = expected.unwrap_or_else(|| error.to_string());
                let shown = match SECRETS.iter().any(|(name, _)| *name == self.name) {
                    true => String::new(),
                    false => format!(", not {:?}", self.value),
                };
                Err(match &self.source {
                    Source::Environment(variable) => format!("{variable}: {expected}{shown}"),
                    other => format!("{}: {expected}{shown} ({other})", variable(&self.name)),
                })
            }
        }
    }
}

/// The command with flags and defaults only, so that clap does not read the environment.
fn bare_command() -> Command {
    Cli::command().mut_args(|argument| argument.env(None::<&'static str>))
}

/// The settings, in the order of the help.
fn arguments() -> Vec<Arg> {
    let command = Cli::command();
    command
        .get_arguments()
        .filter(|argument| argument.get_env().is_some())
        .cloned()
        .collect()
}

/// `address`, `data_dir`, …
pub fn names() -> Vec<String> {
    arguments()
        .iter()
        .map(|argument| argument.get_id().to_string())
        .collect()
}

/// The environment variable of a setting.
pub fn variable(name: &str) -> String {
    format!("KURSO_{}", name.to_ascii_uppercase())
}

fn raw(matches: &ArgMatches, name: &str) -> Option<String> {
    let values: Vec<_> = matches.get_raw(name)?.map(OsStr::to_string_lossy).collect();
    Some(values.join(","))
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that reads settings")]
fn environment_variable(name: &str) -> Result<Option<String>, String> {
    match std::env::var(name) {
        Ok(value) => Ok(Some(value)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => Err(format!("{name}: text in UTF-8 is expected")),
    }
}

/// An empty variable is as good as none, but for the origins: nothing is a list of them.
fn from_environment() -> Result<Vec<Given>, String> {
    let mut found = Vec::new();
    for name in names() {
        let variable = variable(&name);
        let value =
            environment_variable(&variable)?.filter(|value| !value.is_empty() || MAY_BE_EMPTY.contains(&name.as_str()));
        let in_file = format!("{variable}_FILE");
        let path = match SECRETS.iter().any(|(secret, _)| *secret == name) {
            true => environment_variable(&in_file)?.filter(|path| !path.is_empty()),
            false => None,
        };
        let (value, source) = match (value, path) {
            (Some(_), Some(_)) => return Err(format!("{variable} and {in_file}: one of them is expected, not both")),
            (Some(value), None) => (value, Source::Environment(variable)),
            (None, Some(path)) => {
                let path = PathBuf::from(path);
                (
                    secret(&path).map_err(|error| format!("{in_file}: {error}"))?,
                    Source::SecretFile(path),
                )
            }
            (None, None) => continue,
        };
        found.push(Given { name, value, source }.checked()?);
    }
    Ok(found)
}

/// The credentials of the systemd unit: `LoadCredential=secret_key:/etc/kurso/secret.key`.
fn from_systemd() -> Result<Vec<Given>, String> {
    let Some(folder) = environment_variable("CREDENTIALS_DIRECTORY")?.filter(|folder| !folder.is_empty()) else {
        return Ok(vec![]);
    };
    let mut found = Vec::new();
    for (name, _) in SECRETS {
        let path = Path::new(&folder).join(name);
        if path.exists() {
            let value = secret(&path)?;
            let (name, source) = ((*name).to_owned(), Source::SecretFile(path));
            found.push(Given { name, value, source }.checked()?);
        }
    }
    Ok(found)
}

/// The content of a file, without trailing line breaks.
fn secret(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = text.trim_end_matches(['\r', '\n']);
    match text.is_empty() {
        true => Err(format!("{}: the file is empty", path.display())),
        false => Ok(text.to_owned()),
    }
}

/// The values in the settings file: the one named by flag or environment, else the default file if it exists.
fn settings_file(flags: &ArgMatches, environment: &[Given]) -> Result<Vec<Given>, String> {
    let named = raw(flags, "config").or_else(|| {
        let given = environment.iter().find(|one| one.name == "config");
        given.map(|one| one.value.clone())
    });
    let path = match named {
        Some(path) => PathBuf::from(path),
        None if Path::new(DEFAULT_FILE).exists() => PathBuf::from(DEFAULT_FILE),
        None => return Ok(vec![]),
    };
    let text = std::fs::read_to_string(&path).map_err(|error| format!("KURSO_CONFIG {}: {error}", path.display()))?;
    lines(&text, &path)
}

fn lines(text: &str, path: &Path) -> Result<Vec<Given>, String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| at(&error))?;
    let names: Vec<String> = names().into_iter().filter(|name| name != "config").collect();
    let mut found = Vec::new();
    for (key, value) in table {
        let base = key
            .strip_suffix("_file")
            .filter(|base| SECRETS.iter().any(|(name, _)| name == base));
        let (name, value, source) = match base {
            Some(base) => {
                let text = value
                    .as_str()
                    .ok_or_else(|| at(&format!("{key}: the path of a file is expected")))?;
                // A relative path is relative to the settings file.
                let file = path.parent().unwrap_or(Path::new("")).join(text);
                let value = secret(&file).map_err(|error| at(&format!("{key}: {error}")))?;
                (base.to_owned(), value, Source::SecretFile(file))
            }
            None if names.contains(&key) => {
                let value = flat(&value)
                    .ok_or_else(|| at(&format!("{key}: a text, a number or a list of texts is expected")))?;
                (key, value, Source::File(path.to_owned()))
            }
            None => {
                let nearest = nearest(&key, &names).map_or(String::new(), |name| format!(", did you mean {name}?"));
                return Err(at(&format!("unknown setting {key}{nearest}")));
            }
        };
        if found.iter().any(|one: &Given| one.name == name) {
            return Err(at(&format!(
                "{name} and {name}_file: one of them is expected, not both"
            )));
        }
        found.push(Given { name, value, source }.checked()?);
    }
    Ok(found)
}

fn flat(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Boolean(is_on) => Some(is_on.to_string()),
        toml::Value::Array(list) => {
            let texts: Option<Vec<&str>> = list.iter().map(toml::Value::as_str).collect();
            Some(texts?.join(","))
        }
        _ => None,
    }
}

fn nearest<'a>(name: &str, names: &'a [String]) -> Option<&'a String> {
    let likeness = |other: &String| strsim::jaro_winkler(&name.replace('-', "_"), other);
    let near = names
        .iter()
        .map(|other| (likeness(other), other))
        .filter(|(likeness, _)| *likeness > 0.75);
    near.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, name)| name)
}

/// Environment variables that start with `KURSO_` but are no settings, each with the most similar setting.
pub fn unknown_variables() -> Vec<(String, String)> {
    let names = names();
    let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    variables
        .filter_map(|variable| {
            let name = variable.strip_prefix("KURSO_")?.to_ascii_lowercase();
            let base = name.strip_suffix("_file").unwrap_or(&name);
            if names.iter().any(|known| *known == name || known == base) {
                return None;
            }
            let near = names
                .iter()
                .find(|known| strsim::damerau_levenshtein(&name, known) <= 2)?;
            Some((variable, self::variable(near)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        lines(text, Path::new("/etc/kurso.toml")).map(|_| ()).unwrap_err()
    }

    #[test]
    fn a_settings_file_sets_strings_numbers_booleans_and_lists() {
        let found = lines(
            "address = \"0.0.0.0:80\"\npool_size = 20\ndemo = false\ncors_origins = [\"https://a.example\", \"https://b.example\"]\n",
            Path::new("kurso.toml"),
        );
        let mut found: Vec<_> = found.unwrap().into_iter().map(|one| (one.name, one.value)).collect();
        found.sort();
        let expected = [
            ("address", "0.0.0.0:80"),
            ("cors_origins", "https://a.example,https://b.example"),
            ("demo", "false"),
            ("pool_size", "20"),
        ];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn errors_in_a_settings_file_name_the_setting() {
        assert_eq!(
            refused("adress = \"x\""),
            "/etc/kurso.toml: unknown setting adress, did you mean address?"
        );
        assert_eq!(
            refused("public-url = \"x\""),
            "/etc/kurso.toml: unknown setting public-url, did you mean public_url?"
        );
        assert_eq!(refused("xyz = 1"), "/etc/kurso.toml: unknown setting xyz");
        assert_eq!(
            refused("address = \"nowhere\""),
            "KURSO_ADDRESS: an address and a port such as 127.0.0.1:8000 are expected, not \"nowhere\" (file /etc/kurso.toml)"
        );
        assert!(refused("demo = 1.5").contains("demo: a text, a number"));
        assert!(refused("address = ").starts_with("/etc/kurso.toml: "));
        assert!(refused("secret_key_file = \"/no/such/file\"").contains("secret_key_file: /no/such/file"));
        assert!(refused("config = \"other.toml\"").contains("unknown setting config"));
    }

    /// docs/operations.md lists every setting with its default.
    #[test]
    fn the_documentation_lists_the_settings() {
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/operations.md")).unwrap();
        let documented: Vec<(String, String)> = text
            .lines()
            .filter_map(|line| {
                let mut cells = line.strip_prefix("| `KURSO_")?.split(" | ");
                let name = cells.next()?.split('`').next()?;
                Some((format!("KURSO_{name}"), cells.next()?.trim_matches('`').to_owned()))
            })
            .collect();
        let known: Vec<(String, String)> = arguments()
            .iter()
            .map(|argument| {
                let defaults: Vec<_> = argument
                    .get_default_values()
                    .iter()
                    .map(|value| value.to_string_lossy())
                    .collect();
                let default = if defaults.is_empty() {
                    "—".into()
                } else {
                    defaults.join(",")
                };
                (variable(argument.get_id().as_str()), default)
            })
            .collect();
        assert_eq!(documented, known);
        for (name, _) in SECRETS {
            let file = format!("`{}_FILE`", variable(name));
            assert!(text.contains(&file), "{file}");
        }
    }
}
