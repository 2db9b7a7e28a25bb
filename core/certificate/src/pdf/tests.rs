//! Whole pages: where everything stands, and what the writer says to it.

use proptest::prelude::*;

use super::geometry::Frame;
use super::layout::{FRAME_MARGIN, PAGE};
use super::setting::Placed;
use super::*;
use crate::{Labels, Picture};

fn certificate() -> Certificate {
    Certificate {
        name: "Мария Кузнецова".into(),
        course: "Основы Rust".into(),
        date: "30 ноября 2025 г.".into(),
        expires: Some("30 ноября 2028 г.".into()),
        number: "3f1e9d0c-2b7a-4a55-9d11-0c9d6f3b2a10".into(),
        url: "https://kurso.example/c/3f1e9d0c-2b7a-4a55-9d11-0c9d6f3b2a10".into(),
        grade: Some("92 %".into()),
        labels: Labels {
            date: "Дата выдачи".into(),
            expires: "Действителен до".into(),
            number: "Номер".into(),
            grade: "Оценка".into(),
            verify: "Проверить подлинность".into(),
            signature: "Подпись".into(),
        },
        issuer: "Школа «Азбука»".into(),
        language: "ru".into(),
        issued_at: "2025-11-30T09:30:15Z".parse().unwrap(),
    }
}

fn design() -> Design {
    Design {
        heading: "Сертификат".into(),
        text: "успешно завершила курс «{course}»\nс итоговой оценкой {grade}.".into(),
        accent: Rgb::new(0x1f, 0x5f, 0x8b),
        background: Rgb::WHITE,
        logo: None,
        signature: None,
        signer: "Анна Петрова, ректор".into(),
    }
}

fn picture(width: u32, height: u32) -> Picture {
    let image = image::RgbaImage::from_fn(width, height, |x, _| {
        image::Rgba([90, 30, 60, if x % 3 == 0 { 128 } else { 255 }])
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    Picture::read(bytes.get_ref()).unwrap()
}

/// Everything on a page, by name.
fn frames(page: &Page<'_>) -> Vec<(&'static str, Frame)> {
    let Layout { middle, .. } = &page.layout;
    let layout = &page.layout;
    let texts = [
        ("issuer", &layout.issuer),
        ("heading", &middle.heading),
        ("name", &middle.name),
        ("course", &middle.course),
        ("text", &middle.text),
        ("signer", &layout.signer),
        ("post", &layout.post),
        ("verify", &layout.verify),
        ("url", &layout.url),
    ];
    let facts = layout
        .facts
        .iter()
        .flat_map(|(label, value)| [("label", label), ("value", value)]);
    let shown = texts
        .into_iter()
        .chain(facts)
        .filter(|(_, placed)| !placed.lines.is_empty());
    let mut frames: Vec<_> = shown.map(|(name, placed)| (name, placed.bounds)).collect();
    frames.push(("code", layout.qr_plate.unwrap_or(layout.qr)));
    frames.extend(layout.logo.map(|frame| ("logo", frame)));
    // The signature touches its line, below which the signer stands.
    frames.extend(layout.signature.map(|frame| {
        (
            "signature",
            Frame {
                height: frame.height - 3.0,
                ..frame
            },
        )
    }));
    frames.extend(middle.rule.map(|(x, y, width)| ("rule", Frame::new(x, y, width, 0.1))));
    frames
}

fn assert_tidy(page: &Page<'_>) {
    let frames = frames(page);
    let inside = PAGE.grown(-FRAME_MARGIN - 4.0);
    for (at, (name, frame)) in frames.iter().enumerate() {
        let Frame { x, y, width, height } = *frame;
        let is_inside = x >= inside.x
            && y >= inside.y
            && x + width <= inside.x + inside.width
            && y + height <= inside.y + inside.height;
        assert!(is_inside, "{name} leaves the page: {frame:?}");
        for (other, second) in frames.iter().skip(at + 1) {
            let overlaps = x < second.x + second.width - 0.01
                && second.x < x + width - 0.01
                && y < second.y + second.height - 0.01
                && second.y < y + height - 0.01;
            assert!(!overlaps, "{name} {frame:?} overlaps {other} {second:?}");
        }
    }
}

/// The text that a part of a page shows.
fn shown(paragraphs: &[text::Paragraph], placed: &Placed) -> String {
    let lines = placed.lines.iter().map(|(at, line, _, _)| {
        let glyphs = &paragraphs[*at].glyphs[line.glyphs.clone()];
        let (start, end) = (glyphs.first().unwrap().start, glyphs.last().unwrap().end);
        &paragraphs[*at].text[start..end]
    });
    lines.collect()
}

fn declares_standards(pdf: &[u8]) -> bool {
    let metadata = String::from_utf8_lossy(pdf);
    metadata.contains("pdfaid:part") && metadata.contains("pdfuaid:part")
}

#[test]
fn certificates_are_pdf_a_and_pdf_ua_documents() {
    let light = Design {
        logo: Some(picture(300, 200)),
        signature: Some(picture(400, 90)),
        ..design()
    };
    let dark = Design {
        background: Rgb::new(20, 33, 61),
        ..light.clone()
    };
    for design in [&design(), &light, &dark] {
        let page = Page::new(&certificate(), design).map(|page| page.write(standards()).map(|_| ()));
        assert_eq!(page, Ok(Ok(())));
        let written = pdf(&certificate(), design).unwrap();
        assert!(declares_standards(&written));
        assert!(written.len() < 60_000, "{}", written.len());
    }
}

#[test]
fn letters_without_glyphs_do_not_fail() {
    let strange = Certificate {
        name: "李雷 שלום 🎓 e\u{301}\u{202e}\0".into(),
        ..certificate()
    };
    let written = pdf(&strange, &design()).unwrap();
    assert!(!declares_standards(&written));
}

#[test]
fn equal_input_gives_equal_bytes() {
    let design = Design {
        logo: Some(picture(64, 64)),
        ..design()
    };
    assert_eq!(pdf(&certificate(), &design), pdf(&certificate(), &design));
    let other = Certificate {
        number: "2".into(),
        ..certificate()
    };
    assert_ne!(pdf(&certificate(), &design), pdf(&other, &design));
}

#[test]
fn long_texts_fit_without_being_cut() {
    let name = "Мария-Антуанетта Йозефа Иоганна "
        .repeat(4)
        .chars()
        .take(120)
        .collect::<String>();
    let course = "Введение в системное программирование и безопасную работу с памятью ".repeat(3);
    let course = course.chars().take(200).collect::<String>();
    let long = Certificate {
        name: name.clone(),
        course: course.clone(),
        ..certificate()
    };
    let sentence = "Настоящим подтверждается освоение программы курса.\n".repeat(20);
    let text = sentence.chars().take(600).collect::<String>();
    for text in [
        text.clone(),
        text.replace('\n', " "),
        String::new(),
        format!("«{{course}}» {text}"),
    ] {
        let design = Design {
            text,
            logo: Some(picture(100, 100)),
            signature: Some(picture(100, 30)),
            ..design()
        };
        let page = Page::new(&long, &design).unwrap();
        assert_tidy(&page);
        assert_eq!(shown(&page.content.name, &page.layout.middle.name), name.trim());
        let said = shown(&page.layout.middle.paragraphs, &page.layout.middle.text);
        assert!(!said.contains('…'), "{said}");
        assert!(page.layout.middle.text.lines.is_empty() || page.layout.middle.text.size >= 7.0);
        let said = said + &shown(&page.content.course, &page.layout.middle.course);
        assert!(said.contains(course.trim()), "{said}");
    }
}

#[test]
fn texts_beyond_all_measure_are_cut() {
    let name = "Ы".repeat(5000);
    let endless = Certificate {
        course: "слово ".repeat(5000),
        url: format!("https://kurso.example/{}", "a".repeat(2000)),
        number: "9".repeat(3000),
        grade: Some(name.clone()),
        expires: Some(name.clone()),
        date: name.clone(),
        issuer: name.clone(),
        name: name.clone(),
        ..certificate()
    };
    for text in [
        "строка\n".repeat(3000),
        name.clone(),
        "{course} {course}".into(),
        String::new(),
    ] {
        let design = Design {
            heading: name.clone(),
            signer: format!("{name},{name}"),
            text,
            ..design()
        };
        assert_tidy(&Page::new(&endless, &design).unwrap());
        assert!(pdf(&endless, &design).is_ok());
    }
    let url = Certificate {
        url: "a".repeat(2332),
        ..certificate()
    };
    assert_eq!(pdf(&url, &design()), Err(Error::QrTooLong));
}

#[test]
fn empty_texts_leave_no_trace() {
    let labels = Labels {
        date: String::new(),
        expires: String::new(),
        number: String::new(),
        grade: String::new(),
        verify: String::new(),
        signature: String::new(),
    };
    let empty = Certificate {
        name: String::new(),
        course: " \n".into(),
        date: String::new(),
        expires: None,
        number: String::new(),
        url: String::new(),
        grade: None,
        labels,
        issuer: String::new(),
        language: String::new(),
        issued_at: certificate().issued_at,
    };
    let design = Design {
        heading: String::new(),
        text: "\n\n".into(),
        signer: String::new(),
        ..design()
    };
    let page = Page::new(&empty, &design).unwrap();
    assert_eq!(frames(&page).len(), 1, "the code alone");
    assert!(pdf(&empty, &design).is_ok());
}

#[test]
fn pictures_of_every_shape_stay_in_their_boxes() {
    for (width, height) in [(1, 1), (3000, 2), (2, 3000), (400, 400), (1200, 100)] {
        for background in [Rgb::WHITE, Rgb::BLACK] {
            let picture = picture(width, height);
            let design = Design {
                logo: Some(picture.clone()),
                signature: Some(picture),
                background,
                ..design()
            };
            let certificate = certificate();
            let page = Page::new(&certificate, &design).unwrap();
            assert_tidy(&page);
            assert!(page.write(standards()).is_ok());
        }
    }
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[А-яё ,.\\-{}]{0,400}",
        "[a-z]{0,300}",
        "(\\{(course|name|grade|date)\\}|[ -~]|\n){0,200}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn any_text_in_any_color_stays_on_the_page(
        texts in proptest::array::uniform9(any_text()),
        colors in any::<[[u8; 3]; 2]>(),
        has_grade in any::<bool>(),
        pictures in any::<[bool; 2]>(),
    ) {
        let [name, course, date, number, grade, issuer, heading, text, signer] = texts;
        let grade = has_grade.then_some(grade);
        let certificate = Certificate { name, course, date, number, grade, issuer, ..certificate() };
        let [accent, background] = colors.map(|[red, green, blue]| Rgb::new(red, green, blue));
        let [logo, signature] = pictures.map(|is_there| is_there.then(|| picture(60, 40)));
        let design = Design { heading, text, signer, accent, background, logo, signature };
        assert_tidy(&Page::new(&certificate, &design).unwrap());
        prop_assert!(pdf(&certificate, &design).is_ok());
    }
}
