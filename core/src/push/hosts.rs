//! The push services that the server sends requests to. The endpoint of a device comes from a client, so it could name any address that the
//! server reaches; only endpoints at listed hosts are accepted.

use std::str::FromStr;

use url::{Host, Url};

/// The push services of Chromium, Firefox, Edge and Safari.
const DEFAULT: [&str; 4] = [
    "fcm.googleapis.com",
    "*.push.services.mozilla.com",
    "*.notify.windows.com",
    "web.push.apple.com",
];

/// A listed host.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Rule {
    /// `host.example`, with https and the default port.
    Host(String),
    /// `*.host.example`: its subdomains.
    Subdomains(String),
    /// This machine, with http and any port: for tests and push services of one's own.
    Local(String),
}

/// The allowed push services.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts(Vec<Rule>);

impl Default for Hosts {
    fn default() -> Self {
        let names = DEFAULT.into_iter();
        Hosts(names.filter_map(|name| name.parse().ok()).collect())
    }
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected =
            || "hosts such as push.example.com or *.example.com, separated by commas, are expected".to_owned();
        let (name, below) = match text.strip_prefix("*.") {
            Some(name) => (name, true),
            None => (text, false),
        };
        let host = Host::parse(name).map_err(|_| expected())?;
        let is_local = match &host {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
        };
        match host {
            _ if is_local && !below => Ok(Rule::Local(host.to_string())),
            Host::Domain(name) if !is_local && name.contains('.') && !name.ends_with('.') => Ok(if below {
                Rule::Subdomains(format!(".{name}"))
            } else {
                Rule::Host(name)
            }),
            _ => Err(expected()),
        }
    }
}

impl Hosts {
    /// Reads a list of hosts; empty ones are omitted, and an empty list turns pushes off.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let names = names.into_iter().map(str::trim).filter(|name| !name.is_empty());
        names.map(str::parse).collect::<Result<_, _>>().map(Hosts)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The endpoint as a URL if it is at an allowed push service.
    pub(super) fn endpoint(&self, text: &str) -> Option<Url> {
        let url = Url::parse(text).ok()?;
        let host = url.host_str()?;
        let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
        let is_secure = url.scheme() == "https" && url.port().is_none();
        let is_allowed = self.0.iter().any(|rule| match rule {
            Rule::Host(name) => is_secure && host == name,
            Rule::Subdomains(end) => is_secure && host.len() > end.len() && host.ends_with(end.as_str()),
            Rule::Local(name) => host == name && matches!(url.scheme(), "http" | "https"),
        });
        (is_plain && is_allowed).then_some(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(hosts: &Hosts, endpoints: &[&str]) -> Vec<String> {
        let allowed = endpoints.iter().filter(|endpoint| hosts.endpoint(endpoint).is_some());
        allowed.map(|endpoint| (*endpoint).to_owned()).collect()
    }

    #[test]
    fn the_push_services_of_browsers_are_allowed() {
        let endpoints = [
            "https://fcm.googleapis.com/fcm/send/abc:def",
            "https://FCM.googleapis.com:443/fcm/send/abc",
            "https://updates.push.services.mozilla.com/wpush/v2/abc",
            "https://wns2-par02p.notify.windows.com/w/?token=abc",
            "https://web.push.apple.com/QABC",
        ];
        assert_eq!(allows(&Hosts::default(), &endpoints), endpoints);
    }

    #[test]
    fn other_addresses_are_refused() {
        let endpoints = [
            "",
            "fcm.googleapis.com/a",
            "http://fcm.googleapis.com/a",
            "https://fcm.googleapis.com:8443/a",
            "https://fcm.googleapis.com:80/a",
            "https://fcm.googleapis.com./a",
            "https://fcm.googleapis.com.evil.example/a",
            "https://evil.example/fcm.googleapis.com",
            "https://fcm.googleapis.com@evil.example/a",
            "https://user@fcm.googleapis.com/a",
            "https://user:password@fcm.googleapis.com/a",
            "https://fcm.googleapis.com/a#b",
            "https://evilpush.services.mozilla.com/a",
            "https://push.services.mozilla.com/a",
            "https://.push.services.mozilla.com/a",
            "https://notify.windows.com/a",
            "https://evil.example\\.notify.windows.com/a",
            "https://evil.example%2f.notify.windows.com/a",
            "https://evil.example/.notify.windows.com",
            "https://evil.example?.notify.windows.com",
            "https://evil.example#.notify.windows.com",
            "https://a.web.push.apple.com/a",
            "https://127.0.0.1/a",
            "http://127.0.0.1:8000/a",
            "http://localhost/a",
            "http://[::1]/a",
            "https://10.0.0.1/a",
            "https://169.254.169.254/latest/meta-data",
            "https://2130706433/a",
            "https://0x7f.1/a",
            "https://[::ffff:127.0.0.1]/a",
            "https://[fd00::1]/a",
            "ftp://fcm.googleapis.com/a",
            "file:///etc/passwd",
            "data:text/plain,a",
            "javascript:alert(1)",
        ];
        assert_eq!(allows(&Hosts::default(), &endpoints), Vec::<String>::new());
        assert_eq!(
            allows(&Hosts(vec![]), &["https://fcm.googleapis.com/a"]),
            Vec::<String>::new()
        );
    }

    #[test]
    fn this_machine_is_allowed_only_if_listed() {
        let hosts = Hosts::parse(["127.0.0.1", " push.school.example ", ""]).unwrap();
        assert_eq!(
            allows(
                &hosts,
                &[
                    "http://127.0.0.1:4000/a",
                    "https://push.school.example/a",
                    "http://push.school.example/a",
                    "http://127.0.0.2:4000/a",
                    "http://localhost:4000/a",
                    "https://fcm.googleapis.com/a",
                ]
            ),
            ["http://127.0.0.1:4000/a", "https://push.school.example/a"]
        );
        // url reads every form of an IPv4 address as the same host.
        assert!(hosts.endpoint("http://2130706433:4000/a").is_some());
    }

    #[test]
    fn the_setting_takes_only_host_names() {
        for bad in [
            "https://a.example",
            "a.example/b",
            "*",
            "*.com.",
            "10.0.0.1",
            "*.127.0.0.1",
            "*.localhost",
            "com",
            "a b.example",
        ] {
            assert!(Hosts::parse([bad]).is_err(), "{bad}");
        }
        assert!(Hosts::parse([""]).unwrap().is_empty());
    }
}
