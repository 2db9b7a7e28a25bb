//! Writes certificates and badges for tests/badges/verify.mjs: `cargo run -p kurso-certificate --example fixtures DIR`.
//! The keys and dates are fixed, so that every run writes the same files.

use std::error::Error;
use std::fs;
use std::io::Cursor;
use std::path::Path;

use chrono::{DateTime, Utc};
use image::{ImageFormat, Rgba, RgbaImage};
use kurso_certificate::badge::{
    Achievement, Badge, Issuer, Recipient, RecipientEmail, SigningKey, Status, StatusList, achievement, issuer, jwk,
    jwks, sign, sign_status_list,
};
use kurso_certificate::{Certificate, Design, Labels, Picture, Rgb, pdf, qr};

type Outcome = Result<(), Box<dyn Error>>;

const REVOKED: u32 = 40_123;

fn main() -> Outcome {
    let folder = std::env::args().nth(1).ok_or("usage: fixtures DIR")?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    badges(folder)?;
    certificates(folder)
}

fn badges(folder: &Path) -> Outcome {
    let key = SigningKey::from_bytes(&[7; 32])?;
    let old = SigningKey::from_bytes(&[8; 32])?;
    let foreign = SigningKey::from_bytes(&[9; 32])?;
    let write = |name: &str, text: String| fs::write(folder.join(name), text);

    let valid = badge(40_122)?;
    let keys = &valid.issuer.keys;
    write("valid.jwt", sign(&valid, &key)?)?;
    write("old-key.jwt", sign(&valid, &old)?)?;
    write("foreign-key.jwt", sign(&valid, &foreign)?)?;
    write("revoked.jwt", sign(&badge(REVOKED)?, &key)?)?;
    let sparse = Badge {
        recipient: Recipient::default(),
        valid_until: None,
        grade: None,
        ..badge(0)?
    };
    write("sparse.jwt", sign(&sparse, &key)?)?;
    let list = StatusList {
        id: valid.status.list.clone(),
        issuer: valid.issuer.clone(),
        valid_from: valid.valid_from,
        valid_until: None,
    };
    write("status.jwt", sign_status_list(&list, [REVOKED], &key)?)?;
    write("jwks.json", jwks(keys, [key.public(), old.public()]).to_string())?;
    write("jwk.json", jwk(keys, key.public()).to_string())?;
    write("issuer.json", issuer(&valid.issuer).to_string())?;
    write(
        "achievement.json",
        achievement(&valid.achievement, &valid.issuer).to_string(),
    )?;
    write("qr.svg", qr::svg(&valid.id)?)?;
    Ok(())
}

fn badge(index: u32) -> Result<Badge, Box<dyn Error>> {
    Ok(Badge {
        id: format!("https://kurso.example/c/3f1e9d0c-2b7a-4a55-9d11-{index:012}"),
        issuer: Issuer {
            id: "https://kurso.example/c/issuer".into(),
            name: "Школа «Азбука»".into(),
            url: "https://kurso.example/".into(),
            keys: "https://kurso.example/c/keys".into(),
        },
        recipient: Recipient {
            name: Some("Мария Кузнецова".into()),
            email: Some(RecipientEmail {
                address: "Maria@School.example".into(),
                salt: "f3a9c1".into(),
            }),
        },
        achievement: Achievement {
            id: "https://kurso.example/c/courses/5".into(),
            name: "Основы Rust".into(),
            description: "Владение, заимствование, типажи и асинхронный код.".into(),
            criteria: "Пройти все страницы курса и набрать не менее 80 %.".into(),
            image: Some("https://kurso.example/c/courses/5/image.png".into()),
        },
        valid_from: "2025-11-30T09:30:15.987Z".parse()?,
        valid_until: Some("2125-11-30T09:30:15Z".parse()?),
        grade: Some("92 %".into()),
        status: Status {
            list: "https://kurso.example/c/status/1".into(),
            index,
        },
    })
}

fn certificates(folder: &Path) -> Outcome {
    let write = |name: &str, certificate: &Certificate, design: &Design| -> Outcome {
        Ok(fs::write(
            folder.join(format!("{name}.pdf")),
            pdf::pdf(certificate, design)?,
        )?)
    };
    let (certificate, design) = (russian()?, design()?);
    write("russian", &certificate, &design)?;
    let plain = Design {
        logo: None,
        signature: None,
        ..design.clone()
    };
    write("russian-plain", &certificate, &plain)?;
    write(
        "english",
        &english()?,
        &Design {
            heading: "Certificate".into(),
            text: ENGLISH_TEXT.into(),
            signer: "Anna Petrova, Rector".into(),
            ..design.clone()
        },
    )?;
    let long_name = "Мария-Антуанетта Йозефа Иоганна "
        .repeat(4)
        .trim()
        .chars()
        .take(120)
        .collect();
    let long_course: String = "Введение в системное программирование и безопасную работу с памятью ".repeat(3);
    let long_course: String = long_course.chars().take(200).collect();
    let long_text: String = "Настоящим подтверждается, что {name} прошла курс «{course}» ({grade}, {date}).\n\nПрограмма курса включает владение и заимствование, типажи и обобщения, обработку ошибок, асинхронное программирование, работу с сетью и базами данных, а также итоговый проект.\nОбъём курса — 144 академических часа.\n".into();
    let long_text = format!("{long_text}{}", "Курс проводится при поддержке факультета. ".repeat(8));
    let long_text: String = long_text.chars().take(600).collect();
    let long = Certificate {
        name: long_name,
        course: long_course,
        expires: Some("30 ноября 2028 г.".into()),
        ..certificate.clone()
    };
    write(
        "long",
        &long,
        &Design {
            text: long_text,
            ..design.clone()
        },
    )?;
    write(
        "long-title",
        &long,
        &Design {
            text: String::new(),
            ..plain.clone()
        },
    )?;
    write(
        "short",
        &Certificate {
            name: "Ли Ю".into(),
            grade: None,
            ..certificate.clone()
        },
        &plain,
    )?;
    let dark = Design {
        background: "#14213d".parse()?,
        accent: "#fca311".parse()?,
        ..design.clone()
    };
    write("dark", &certificate, &dark)?;
    let wine = Design {
        background: "#fff8e7".parse()?,
        accent: "#7a1f3d".parse()?,
        ..plain.clone()
    };
    write("cream", &certificate, &wine)?;
    let wide = Design {
        logo: Some(picture(3000, 60, Rgba([30, 90, 160, 255]))?),
        signature: Some(picture(40, 900, Rgba([20, 20, 60, 255]))?),
        ..design.clone()
    };
    write("wide-logo", &certificate, &wide)?;
    let tall = Design {
        logo: Some(picture(60, 3000, Rgba([30, 90, 160, 255]))?),
        signature: Some(picture(2000, 30, Rgba([20, 20, 60, 255]))?),
        ..design.clone()
    };
    write("tall-logo", &certificate, &tall)?;
    let strange = Certificate {
        name: "Ẽ̃le\u{301}na 🎓 שלום محمد 李雷 \u{202e}abc\u{0}".into(),
        course: "C++ \u{7} & <XML> {name} ＡＢＣ".into(),
        ..certificate.clone()
    };
    write("strange", &strange, &design)?;
    Ok(())
}

const ENGLISH_TEXT: &str = "has successfully completed the course “{course}”\nwith a final grade of {grade}.";

fn russian() -> Result<Certificate, Box<dyn Error>> {
    Ok(Certificate {
        name: "Мария Кузнецова".into(),
        course: "Основы Rust".into(),
        date: "30 ноября 2025 г.".into(),
        expires: None,
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
        issued_at: time()?,
    })
}

fn english() -> Result<Certificate, Box<dyn Error>> {
    Ok(Certificate {
        name: "Mary Smith".into(),
        course: "Rust Fundamentals".into(),
        date: "November 30, 2025".into(),
        labels: Labels {
            date: "Issued".into(),
            expires: "Valid until".into(),
            number: "Number".into(),
            grade: "Grade".into(),
            verify: "Verify at".into(),
            signature: "Signature".into(),
        },
        issuer: "Alphabet School".into(),
        language: "en".into(),
        ..russian()?
    })
}

fn time() -> Result<DateTime<Utc>, Box<dyn Error>> {
    Ok("2025-11-30T09:30:15Z".parse()?)
}

fn design() -> Result<Design, Box<dyn Error>> {
    Ok(Design {
        heading: "Сертификат".into(),
        text: "успешно завершила курс «{course}»\nс итоговой оценкой {grade}.".into(),
        accent: "#1f5f8b".parse()?,
        background: Rgb::WHITE,
        logo: Some(logo()?),
        signature: Some(signature()?),
        signer: "Анна Петрова, ректор".into(),
    })
}

/// A disc with a ring, as a logo with transparent parts.
fn logo() -> Result<Picture, Box<dyn Error>> {
    let image = RgbaImage::from_fn(240, 240, |x, y| {
        let (dx, dy) = (f64::from(x) - 119.5, f64::from(y) - 119.5);
        match dx.hypot(dy) {
            0.0..70.0 => Rgba([31, 95, 139, 255]),
            95.0..118.0 => Rgba([31, 95, 139, 255]),
            _ => Rgba([0, 0, 0, 0]),
        }
    });
    encoded(&image)
}

/// A wavy line of dark ink.
fn signature() -> Result<Picture, Box<dyn Error>> {
    let image = RgbaImage::from_fn(600, 180, |x, y| {
        let at = f64::from(x) / 600.0;
        let wave = 90.0 + 70.0 * (at * 31.0).sin() * (1.0 - at) + 12.0 * (at * 77.0).cos();
        let distance = (f64::from(y) - wave).abs();
        Rgba([24, 32, 88, if distance < 7.0 { 255 } else { 0 }])
    });
    encoded(&image)
}

fn picture(width: u32, height: u32, color: Rgba<u8>) -> Result<Picture, Box<dyn Error>> {
    encoded(&RgbaImage::from_pixel(width, height, color))
}

fn encoded(image: &RgbaImage) -> Result<Picture, Box<dyn Error>> {
    let mut bytes = Vec::new();
    image.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)?;
    Ok(Picture::read(&bytes)?)
}
