//! Recognizes embedded video players by address.

use url::Url;

use crate::content::is_embed_id;

/// The provider and the video id of an address.
pub fn from_address(address: &str) -> Option<(&'static str, String)> {
    let address = if address.starts_with("//") {
        format!("https:{address}")
    } else {
        address.to_owned()
    };
    let url = Url::parse(&address).ok()?;
    let host = url.host_str()?;
    let host = host
        .strip_prefix("www.")
        .or_else(|| host.strip_prefix("m."))
        .unwrap_or(host);
    let path: Vec<&str> = url.path_segments()?.filter(|part| !part.is_empty()).collect();
    let parameter = |name: &str| {
        url.query_pairs()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    };
    let (provider, id) = match (host, path.as_slice()) {
        ("youtube.com" | "youtube-nocookie.com", ["embed" | "shorts" | "live", id, ..]) | ("youtu.be", [id, ..]) => {
            ("youtube", (*id).to_owned())
        }
        ("youtube.com", ["watch"]) => ("youtube", parameter("v")?),
        ("rutube.ru", ["play", "embed", id, ..] | ["video", id, ..]) => ("rutube", (*id).to_owned()),
        ("vk.com" | "vk.ru" | "vkvideo.ru", ["video_ext.php"]) => {
            ("vk", format!("{}_{}", parameter("oid")?, parameter("id")?))
        }
        ("vk.com" | "vk.ru" | "vkvideo.ru", [video]) => ("vk", video.strip_prefix("video")?.to_owned()),
        ("player.vimeo.com", ["video", id, ..]) | ("vimeo.com", [id]) => ("vimeo", (*id).to_owned()),
        _ => return None,
    };
    is_embed_id(provider, &id).then_some((provider, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_recognized_by_address() {
        for (address, expected) in [
            (
                "https://www.youtube.com/embed/dQw4w9WgXcQ?start=3",
                Some(("youtube", "dQw4w9WgXcQ")),
            ),
            (
                "//www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
                Some(("youtube", "dQw4w9WgXcQ")),
            ),
            ("https://youtu.be/dQw4w9WgXcQ", Some(("youtube", "dQw4w9WgXcQ"))),
            (
                "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1",
                Some(("youtube", "dQw4w9WgXcQ")),
            ),
            (
                "https://rutube.ru/play/embed/10b3a03fc01d5bbcc632a2f3514e8aab/",
                Some(("rutube", "10b3a03fc01d5bbcc632a2f3514e8aab")),
            ),
            (
                "https://vk.com/video_ext.php?oid=-22822305&id=456241864&hd=2",
                Some(("vk", "-22822305_456241864")),
            ),
            (
                "https://vkvideo.ru/video-22822305_456241864",
                Some(("vk", "-22822305_456241864")),
            ),
            ("https://player.vimeo.com/video/76979871", Some(("vimeo", "76979871"))),
            ("https://example.com/embed/dQw4w9WgXcQ", None),
            ("https://youtube.com.evil.example/embed/dQw4w9WgXcQ", None),
            ("https://www.youtube.com/embed/a%2Fb", None),
            ("not an address", None),
        ] {
            let found = from_address(address);
            assert_eq!(
                found.as_ref().map(|(provider, id)| (*provider, id.as_str())),
                expected,
                "{address}"
            );
        }
    }
}
