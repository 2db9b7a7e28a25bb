//! The fuzz targets: every course importer, from bytes to a checked draft. Two programs run them: libFuzzer with coverage guidance
//! (`make fuzz`), and a test of formats that mutates the corpus for a few seconds (`core/formats/tests/fuzz.rs`).
//!
//! To add an importer, add a line to [`TARGETS`] and a folder to `fuzz/corpus`.

use std::fs;
use std::io::Write as _;
use std::path::{Component, Path};

use kurso_base::messages::Lang;
use kurso_formats::content;
use kurso_formats::quiz;
use kurso_formats::{
    CourseDraft, Format, HtmlExport, Report, export, export_cartridge, export_gift, read, unwatched, write_html,
};

/// An importer to fuzz.
pub struct Target {
    pub name: &'static str,
    pub shape: Shape,
    /// None: the importer detects the format.
    pub format: Option<Format>,
}

/// How the input bytes become the file or folder to import.
pub enum Shape {
    /// A folder; the input lists its files, each as a line `--- path` and then its content.
    Folder,
    /// A zip of such files, with this name.
    Packed(&'static str),
    /// A file with this name.
    File(&'static str),
    /// A file (the first string is its name) with the input between a prefix and a suffix.
    Within(&'static str, &'static str, &'static str),
    /// The HTML text of a GIFT question.
    Question,
    /// The expression of a formula question with the parameters `a` and `b`; nothing is imported.
    Formula,
}

use Shape::{File, Folder, Formula, Packed, Question, Within};

pub const TARGETS: &[Target] = &[
    target("native", Folder, Some(Format::Markdown)),
    target("gift", File("questions.gift"), Some(Format::Gift)),
    target("aiken", File("questions.txt"), Some(Format::Aiken)),
    target("epub", Folder, Some(Format::Epub)),
    target("mdbook", Folder, Some(Format::Mdbook)),
    target("mdbook_quiz", Folder, Some(Format::MdbookQuiz)),
    target("markdown", Within("1-m/1-l/1-p.md", "", "\n"), Some(Format::Markdown)),
    target("html", Question, Some(Format::Gift)),
    target("cartridge", Folder, Some(Format::Cartridge)),
    target("olx", Folder, Some(Format::Olx)),
    target("docx", Packed("document.docx"), Some(Format::Documents)),
    target("documents", Folder, Some(Format::Documents)),
    target("archive", File("course.zip"), None),
    target("formula", Formula, None),
];

const fn target(name: &'static str, shape: Shape, format: Option<Format>) -> Target {
    Target { name, shape, format }
}

/// The maximum number of files in a folder; more would slow fuzzing down without covering more code.
const MAX_FILES: usize = 24;

/// Imports the input. Panics when the importer panics or its result violates an invariant.
pub fn run(target: &Target, data: &[u8]) {
    if matches!(target.shape, Formula) {
        return calculate(&String::from_utf8_lossy(data));
    }
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
        Question | Formula => write(&source, "questions.gift", &in_gift(data)),
    };
    let Ok((course, report)) = read(&path, target.format, &dir.path().join("unpacked"), &mut unwatched) else {
        return;
    };
    check(&course, &report, dir.path());
    // Exporting takes ten times as long as importing, so only one in eight inputs is exported, chosen by a checksum.
    if data
        .iter()
        .fold(0u8, |sum, byte| sum.wrapping_mul(31).wrapping_add(*byte))
        % 8
        == 0
    {
        check_exports(&course, dir.path());
    }
}

/// Evaluates an expression. Its result can be read again.
fn calculate(expression: &str) {
    let values = quiz::Values::from([("a".to_owned(), "-2.50".to_owned()), ("b".to_owned(), "3".to_owned())]);
    let parameters: Vec<quiz::Parameter> = values
        .keys()
        .map(|name| quiz::Parameter {
            name: name.clone(),
            min: None,
            max: None,
            decimals: 2,
        })
        .collect();
    if let Ok(result) = quiz::result(&parameters, expression, &values) {
        assert!(result.as_f64().is_some_and(f64::is_finite));
        let again = quiz::result(&[], &result.to_string(), &quiz::Values::new());
        assert!(again.is_ok(), "{result}");
    }
}

/// Checks the invariants of every importer.
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

/// Checks that every imported course can be exported.
fn check_exports(course: &CourseDraft, dir: &Path) {
    let mut html = Vec::new();
    write_html(course, HtmlExport::default(), &mut html).expect("written into memory");
    assert!(html.ends_with(b"</html>\n"));
    export(course, &dir.join("out")).expect("written into an empty folder");
    export_cartridge(course, &dir.join("out.imscc")).expect("written into a file");
    export_gift(course, &dir.join("out.gift")).expect("written into a file");
}

/// A temporary folder, in memory where `/dev/shm` exists, because it is faster.
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
        // A path may be a file and also the folder of another file; the later one is skipped.
        let made = path.parent().is_some_and(|parent| fs::create_dir_all(parent).is_ok());
        if made && !path.is_dir() {
            let _ = fs::write(&path, bytes);
        }
    }
}

/// The names and contents of the files in the input. Paths outside the folder are skipped.
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

/// Generated seeds: zips of the folders in the corpus of the native format. Empty for all targets but `archive`.
pub fn seeds(target: &Target) -> Vec<Vec<u8>> {
    if target.name != "archive" {
        return vec![];
    }
    corpus("native").iter().map(|seed| zipped(&parts(seed))).collect()
}

/// The seeds in the repository.
pub fn corpus(name: &str) -> Vec<Vec<u8>> {
    // This file is compiled into two programs whose manifests are at different depths.
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let Some(corpus) = above
        .map(|folder| folder.join("fuzz/corpus"))
        .find(|folder| folder.is_dir())
    else {
        return vec![];
    };
    let Ok(entries) = fs::read_dir(corpus.join(name)) else {
        return vec![];
    };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

/// A zip of the files. Duplicate names are skipped, because the zip writer rejects them.
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
