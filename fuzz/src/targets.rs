//! What is fuzzed: each reader of courses, from bytes to a checked draft. Two programs run it: libFuzzer, guided by coverage
//! (`make fuzz`), and a test of core that changes the corpus at random for some seconds (`core/tests/fuzz.rs`).
//!
//! Another reader is another line of [`TARGETS`] and a folder in `fuzz/corpus`.

use std::fs;
use std::io::Write as _;
use std::path::{Component, Path};

use kurso_core::content::{self, Lang};
use kurso_core::exchange::{
    CourseDraft, Format, HtmlExport, Report, export, export_cartridge, export_gift, read, unwatched, write_html,
};
use kurso_core::quiz;

/// A reader.
pub struct Target {
    pub name: &'static str,
    pub shape: Shape,
    /// None: told by what it is.
    pub format: Option<Format>,
}

/// How the bytes become what is read.
pub enum Shape {
    /// Files of a folder, one after the other: `--- path` on a line, then what it holds.
    Folder,
    /// Such files zipped into one of this name.
    Packed(&'static str),
    /// A file of this name.
    File(&'static str),
    /// What stands between the two in a file of this name.
    Within(&'static str, &'static str, &'static str),
    /// The text of a question in GIFT, in HTML.
    Question,
}

use Shape::{File, Folder, Packed, Question, Within};

pub const TARGETS: &[Target] = &[
    target("native", Folder, Some(Format::Markdown)),
    target("gift", File("questions.gift"), Some(Format::Gift)),
    target("mdbook", Folder, Some(Format::Mdbook)),
    target("mdbook_quiz", Folder, Some(Format::MdbookQuiz)),
    target("markdown", Within("1-m/1-l/1-p.md", "", "\n"), Some(Format::Markdown)),
    target("html", Question, Some(Format::Gift)),
    target("cartridge", Folder, Some(Format::Cartridge)),
    target("olx", Folder, Some(Format::Olx)),
    target("docx", Packed("document.docx"), Some(Format::Documents)),
    target("documents", Folder, Some(Format::Documents)),
    target("archive", File("course.zip"), None),
];

const fn target(name: &'static str, shape: Shape, format: Option<Format>) -> Target {
    Target { name, shape, format }
}

/// Files of one folder; more make nothing clearer.
const MAX_FILES: usize = 24;

/// Reads what the bytes say. Panics when the reader does, or when what it hands over is not what it promises.
pub fn run(target: &Target, data: &[u8]) {
    let dir = scratch();
    let source = dir.path().join("source");
    let path = match target.shape {
        Folder => {
            lay_out(data, &source);
            source.clone()
        }
        Packed(name) => write(&source, name, &zipped(&parts(data))),
        File(name) => write(&source, name, data),
        Within(name, before, after) => {
            write(&source, name, &[before.as_bytes(), data, after.as_bytes()].concat());
            source.clone()
        }
        Question => write(&source, "questions.gift", &in_gift(data)),
    };
    let Ok((course, report)) = read(&path, target.format, &dir.path().join("unpacked"), &mut unwatched) else {
        return;
    };
    check(&course, &report, dir.path());
    // Ten times as dear as reading: done with some of the inputs only, and always with the same.
    if data
        .iter()
        .fold(0u8, |sum, byte| sum.wrapping_mul(31).wrapping_add(*byte))
        % 8
        == 0
    {
        check_ways_out(&course, dir.path());
    }
}

/// What every reader promises.
fn check(course: &CourseDraft, report: &Report, dir: &Path) {
    assert!(!course.title.is_empty() && course.title.chars().count() <= 255);
    for page in course.pages() {
        assert_eq!(content::validate(&page.content.read()), Ok(()), "{}", page.source);
        assert!(page.title.as_ref().is_none_or(|title| title.chars().count() <= 255));
        if let Some(quiz) = &page.quiz {
            let json = quiz.to_json().expect("a quiz can be written");
            if let Err(error) = quiz::read(&json) {
                panic!("{}: {error:?}", page.source);
            }
        }
    }
    for file in &course.files {
        assert!(file.path.starts_with(dir), "{}", file.path.display());
    }
    for entry in &report.entries {
        for lang in [Lang::En, Lang::Ru] {
            assert!(entry.to_line(lang).chars().count() < 20_000);
        }
    }
}

/// What came in goes out.
fn check_ways_out(course: &CourseDraft, dir: &Path) {
    let mut html = Vec::new();
    write_html(course, HtmlExport::default(), &mut html).expect("written into memory");
    assert!(html.ends_with(b"</html>\n"));
    export(course, &dir.join("out")).expect("written into an empty folder");
    export_cartridge(course, &dir.join("out.imscc")).expect("written into a file");
    export_gift(course, &dir.join("out.gift")).expect("written into a file");
}

/// Memory is quicker than a disk where there is such a folder.
fn scratch() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let made = match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    };
    made.expect("a folder for the files")
}

fn write(folder: &Path, name: &str, data: &[u8]) -> std::path::PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap_or(folder)).expect("a folder");
    fs::write(&path, data).expect("a file");
    path
}

fn lay_out(data: &[u8], folder: &Path) {
    fs::create_dir_all(folder).expect("a folder");
    for (name, bytes) in parts(data).into_iter().take(MAX_FILES) {
        let path = folder.join(name);
        // Two files may want to be each other's folder.
        let made = path.parent().is_some_and(|parent| fs::create_dir_all(parent).is_ok());
        if made && !path.is_dir() {
            let _ = fs::write(&path, bytes);
        }
    }
}

/// The names and the bytes of the files; those that would lie elsewhere are left out.
pub fn parts(data: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
    for line in data.split_inclusive(|byte| *byte == b'\n') {
        if let Some(name) = line.strip_prefix(b"--- ") {
            parts.push((String::from_utf8_lossy(name).trim().to_owned(), Vec::new()));
        } else if let Some((_, bytes)) = parts.last_mut() {
            bytes.extend(line);
        }
    }
    parts.retain(|(name, _)| {
        let mut components = Path::new(name).components();
        !name.is_empty()
            && name.len() < 200
            && !name.contains('\0')
            && components.all(|part| matches!(part, Component::Normal(_)))
    });
    parts
}

fn in_gift(html: &[u8]) -> Vec<u8> {
    let mut text = b"::q::[html]".to_vec();
    for byte in html {
        if b"~=#{}:\\".contains(byte) {
            text.push(b'\\');
        }
        text.push(*byte);
    }
    text.extend(b"{=yes ~no}\n");
    text
}

/// Seeds that are made: zips of the folders in the corpus of the native form.
pub fn seeds(target: &Target) -> Vec<Vec<u8>> {
    if target.name != "archive" {
        return vec![];
    }
    corpus("native").iter().map(|seed| zipped(&parts(seed))).collect()
}

/// The seeds that lie in the repository.
pub fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(ROOT)
        .join("corpus")
        .join(name);
    let Ok(entries) = fs::read_dir(folder) else {
        return vec![];
    };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

/// From the folder of the program that is built to `fuzz`.
const ROOT: &str = "../fuzz";

/// A name that is there already is left out: zips hold each once.
fn zipped(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, bytes) in files.iter().take(MAX_FILES) {
        if zip.start_file(name, options).is_ok() {
            zip.write_all(bytes).expect("its bytes");
        }
    }
    zip.finish().expect("a zip").into_inner()
}
