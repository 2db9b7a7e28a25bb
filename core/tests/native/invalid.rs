//! Invalid and hostile folders and zips.

use std::path::Path;

use kurso_formats::{content, read, unwatched};
use tempfile::TempDir;

use super::{lines, read_from, write};

#[test]
fn invalid_parts_are_reported_and_the_rest_is_imported() {
    let dir = TempDir::new().unwrap();
    let folder = dir.path().join("course");
    write(&dir.path().join("outside"), &[("secret.png", "x")]);
    write(
        &folder,
        &[
            ("course.toml", "title = \"К\"\ncolour = \"red\"\n"),
            (
                "1-m/1-l/1-a.md",
                "+++\ntitle = \"A\"\nkey = \"Bad Key\"\nfoo = 1\n+++\n\n![](../../../outside/secret.png)\n\n![](gone.png) [x](javascript:alert(1)) [y](nowhere.md) ![w](https://example.com/a.png)\n\n<script>alert(1)</script>\n",
            ),
            (
                "1-m/1-l/2-b.md",
                "+++\nkey = \"k\"\n+++\n\n```{=kurso}\n{\"type\":\"marquee\"}\n```\n\nслова\n",
            ),
            (
                "1-m/1-l/3-c.md",
                "+++\nkey = \"k\"\ntitle = broken\n+++\n\n??? poem\nПишите\n??? short_text\nКак?\n/(/\n??? short_text\nТак?\n= да\n",
            ),
            ("1-m/1-l/4-d.md", "\u{feff}Просто текст\r\nв две строки\r\n"),
        ],
    );
    std::os::unix::fs::symlink(dir.path().join("outside"), folder.join("1-m/2-link")).unwrap();
    std::fs::write(folder.join("1-m/1-l/5-e.md"), b"\xcf\xf0\xe8\xe2\xe5\xf2").unwrap();
    let (course, report) = read_from(&folder);
    let said = lines(&report).join("\n");
    for line in [
        "course.toml:1: field colour",
        "key \"Bad Key\"",
        "field foo",
        "image ../../../outside/secret.png: the path leaves",
        "image gone.png: the file does not exist",
        "link javascript:alert(1)",
        "link nowhere.md",
        "image https://example.com/a.png",
        "block of the page",
        ": settings: line ",
        "line \"poem\" of a question",
        "3-c.md:8: a question",
        "1-m/1-l/5-e.md: encoding of the text: converted from windows-1251",
    ] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
    for page in course.pages() {
        assert_eq!(content::validate(&page.content.read()), Ok(()), "{}", page.source);
    }
    let titles: Vec<_> = course.pages().map(|page| page.title.clone()).collect();
    assert_eq!(
        titles,
        [Some("A".into()), None, None, Some("d".into()), Some("e".into())]
    );
    assert_eq!(course.pages().nth(2).unwrap().quiz.as_ref().unwrap().questions.len(), 1);
    assert!(course.files.is_empty());
}

/// A zip with these names and contents.
fn zipped(path: &Path, entries: &[(&str, &[u8])], link: Option<(&str, &str)>) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, bytes) in entries {
        zip.start_file(*name, options).unwrap();
        std::io::Write::write_all(&mut zip, bytes).unwrap();
    }
    if let Some((name, target)) = link {
        zip.add_symlink(name, target, options).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn hostile_zips_stay_in_their_folder_and_are_bounded() {
    let dir = TempDir::new().unwrap();
    let at = |name: &str| dir.path().join(name);
    let course: &[(&str, &[u8])] = &[
        ("book/course.toml", b"title = \"Zip\"\n"),
        ("book/1-m/1-l/1-a.md", "слова ![x](../../link.png)".as_bytes()),
        ("book/1-m/1-l/1-A.md", b"the same name to some"),
        ("../evil.md", b"out"),
        ("/evil.md", b"out"),
        ("book/..\\evil.md", b"out"),
    ];
    zipped(&at("a.zip"), course, Some(("book/link.png", "/etc/passwd")));
    let (course, report) = read_from(&at("a.zip"));
    assert_eq!((course.title.as_str(), course.pages().count()), ("Zip", 1));
    let said = lines(&report).join("\n");
    for line in [
        "../evil.md: file in the archive",
        "book/..\\evil.md: file in the archive",
        "book/1-m/1-l/1-A.md: file in the archive: another file",
        "book/link.png: file in the archive: links",
        "image ../../link.png",
    ] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
    assert!(!at("evil.md").exists() && !dir.path().parent().unwrap().join("evil.md").exists());

    // A bomb is rejected before it fills the disk.
    let zeros = vec![0; 40 << 20];
    zipped(
        &at("bomb.zip"),
        &[("course.toml", b""), ("a", &zeros), ("b", &zeros), ("c", &zeros)],
        None,
    );
    std::fs::write(at("no.zip"), b"PK\x03\x04 nothing").unwrap();
    for (name, why) in [
        ("bomb.zip", "exceeds 64 MB"),
        ("no.zip", "not a zip archive"),
        ("gone.zip", "does not exist"),
    ] {
        let scratch = TempDir::new().unwrap();
        let error = read(&at(name), None, scratch.path(), &mut unwatched).unwrap_err();
        assert!(error.to_string().contains(why), "{name}: {error}");
    }
    // An unknown format is rejected as well.
    std::fs::create_dir(at("empty")).unwrap();
    let scratch = TempDir::new().unwrap();
    let error = read(&at("empty"), None, scratch.path(), &mut unwatched).unwrap_err();
    assert!(error.to_string().contains("no supported format"), "{error}");
}
