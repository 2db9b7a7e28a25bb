//! Hostile import packages are refused with a reason in the language of the reader.

use std::io::Write as _;

use kurso_core::both;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::Value;
use zip::write::SimpleFileOptions;

use crate::imports::{IMPORT, send, settled, working};
use crate::support::{Persona, Sent as _};

enum Put<'a> {
    File(&'a str, &'a [u8]),
    Link(&'a str, &'a str),
}
use Put::{File, Link};

fn zipped(entries: &[Put<'_>]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    for entry in entries {
        match entry {
            File(name, bytes) => {
                zip.start_file(*name, options).unwrap();
                zip.write_all(bytes).unwrap();
            }
            Link(name, to) => zip.add_symlink(*name, *to, options).unwrap(),
        }
    }
    zip.finish().unwrap().into_inner()
}

/// Imports the bytes under a file name, and returns the ended import in a language.
async fn ended(who: &Persona<'_>, name: &str, bytes: Vec<u8>, lang: &str) -> Value {
    let part = Part::bytes(bytes).file_name(name.to_owned());
    let begun = send(who, Form::new().part("file", part)).await.ok();
    settled(who, &begun["id"]).await;
    let path = format!("{IMPORT}/{}?limit=1000", begun["id"].as_str().unwrap());
    let get = who.request(Method::GET, &path).header("accept-language", lang);
    get.answer().await.ok()
}

/// Does the text contain two English words in a row? Names of files and formats occur alone.
fn has_english(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let is_english = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    words.windows(2).any(|pair| pair.iter().all(is_english))
}

both! {
    async fn a_hostile_package_fails_with_a_reason_in_the_readers_language(kurso: TestKurso) {
        let (server, _stop) = working(kurso).await;
        let ann = server.person("ann").await;
        let bomb = b"<!DOCTYPE m [<!ENTITY x \"xxxxxxxxxx\">]><manifest>&x;</manifest>";
        let zeros = vec![0; 65 << 20];
        let names = [b"PK\x03\x04".as_slice(), &b"PK\x01\x02".repeat(100_001)].concat();
        let mut locked = zipped(&[File("course.toml", b"title = \"K\"\n")]);
        // The end record points beyond the end of the file.
        let end = locked.len() - 6;
        locked[end..end + 4].fill(0xfe);
        for (name, bytes, ru, en) in [
            ("Обрыв.zip", b"PK\x03\x04 and no more".to_vec(),
             "это не zip-архив, или архив повреждён", "not a zip archive, or damaged"),
            ("Обещает 4 ГиБ.zip", locked, "это не zip-архив, или архив повреждён", "not a zip archive, or damaged"),
            ("Тьма имён.zip", names, "файлов в нём больше 100000", "it has more than 100000 files"),
            ("Бомба.zip", zipped(&[File("course.toml", b"title = \"K\"\n"), File("a.bin", &zeros)]),
             "в распакованном виде больше 64 МБ", "its unpacked size exceeds 64 MB"),
            ("Бомба.imscc", zipped(&[File("imsmanifest.xml", bomb)]),
             "в XML есть собственное описание типа (DTD), такие файлы не читаются", "the XML has a DTD, which is not allowed"),
            ("Обрывок.imscc", zipped(&[File("imsmanifest.xml", b"<manifest>\n<organizations>")]),
             "ошибка XML в строке ", "invalid XML on line "),
            ("Пусто.imscc", zipped(&[File("imsmanifest.xml", b"<other/>")]),
             "нет элемента <manifest>", "the element <manifest> is missing"),
            ("Курс.tar.gz", b"\x1f\x8b\x08 and no more".to_vec(),
             "это не tar-архив, или архив повреждён", "not a tarball, or damaged"),
            ("Книга.zip", zipped(&[File("book.toml", b"[book]\ntitle = \n"), File("src/SUMMARY.md", b"- [A](a.md)\n")]),
             "book.toml: строка 2 записана не по правилам TOML", "book.toml: line 2 is not valid TOML"),
            ("Пустая книга.zip", zipped(&[File("src/SUMMARY.md", b"# Summary\n")]),
             "Ни одну страницу не удалось прочесть", "No page could be read"),
            ("Не курс.zip", zipped(&[File("program.exe", b"MZ")]),
             "ни одна из форм, в которых приходят курсы", "no supported format"),
        ] {
            let failed = ended(&ann, name, bytes, "ru-RU,ru;q=0.9,en;q=0.5").await;
            assert_eq!(failed["state"], "failed", "{name}: {failed}");
            let failure = failed["failure"].as_str().unwrap();
            assert!(failure.contains(ru), "{name}: {failure}");
            assert!(!has_english(failure), "{name}: {failure}");
            // The same import in the other language.
            let path = format!("{IMPORT}/{}", failed["id"].as_str().unwrap());
            let english = ann.get(&path).await.ok();
            assert!(english["failure"].as_str().unwrap().contains(en), "{name}: {english}");
        }
    }

    async fn the_report_lists_omissions_in_the_readers_language(kurso: TestKurso) {
        let (server, _stop) = working(kurso).await;
        let ann = server.person("ann").await;
        let koi8 = b"# \xf5\xd2\xcf\xcb\n\n\xfc\xd4\xcf \xd4\xc5\xcb\xd3\xd4 \xd5\xd2\xcf\xcb\xc1 \xd0\xcf-\xd2\xd5\xd3\xd3\xcb\xc9.\n";
        let page = b"+++\nkey = \"a\"\nkey = \"b\"\n+++\n\n<script>alert(1)</script>\n\n[x](../../etc/passwd)\n";
        let package = zipped(&[
            File("course.toml", b"title = \"K\"\nweather = \"fine\"\n"),
            File("1-m/1-l/1-a.md", page),
            File("1-m/1-l/2-b.md", koi8),
            File("1-M/1-L/1-A.MD", b"twice\n"),
            File("1-m/1-l/3-c.md", b"+++\n[quiz]\n+++\n\n??? single_choice\nPrompt\n"),
            File("1-m/1-l/a file", b"x"),
            File("1-m/1-l/a file/inside.md", b"x"),
            File("../out.md", b"x"),
            Link("1-m/1-l/4-d.md", "/etc/passwd"),
        ]);
        let ready = ended(&ann, "Курс.zip", package, "ru").await;
        assert_eq!(ready["state"], "ready", "{ready}");
        let lines: Vec<String> = ready["report"]["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| format!("{}: {}: {}", line["where"], line["what"], line["why"]).replace('"', ""))
            .collect();
        let report = lines.join("\n");
        for line in [
            "../out.md: файл из архива: путь ведёт за пределы папки",
            "4-d.md: файл из архива: ссылки на другие файлы не читаются",
            "1-M/1-L/1-A.MD: файл из архива: файл с таким именем уже есть",
            "a file/inside.md: файл из архива: файла с таким именем быть не может",
            "настройки: в строке ",
            "кодировка текста: была KOI8-U, теперь UTF-8",
            "поле weather: в курсе такого нет",
        ] {
            assert!(report.contains(line), "{line} is not in\n{report}");
        }
        for line in ready["report"]["data"].as_array().unwrap() {
            let why = line["why"].as_str().unwrap();
            assert!(!has_english(why) && why.contains(|c| matches!(c, 'а'..='я')), "{line}");
        }
    }
}
