//! How the certificates of a course are made: what they require, what they say and how they look. Changes concern certificates that are
//! issued later.

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, FileId};
use kurso_base::messages::Lang;
use kurso_base::values::{
    CertificateHeading, CertificateSigner, CertificateText, Change, HexColor, Percentage, ValidMonths,
};
use kurso_db::{Executor, Tx, sql};

use super::rules::{Basis, Requirement};
use super::{Look, drawing};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::{self, Scope};
use crate::files::url_of;

/// The design of the certificates of a course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    pub course_id: CourseId,
    /// Whether the course gives certificates.
    pub is_on: bool,
    pub basis: Basis,
    /// The least percent of the grade of the course, for the basis of a grade.
    pub min_percent: i64,
    /// None: for ever.
    pub valid_months: Option<i64>,
    /// Whether certificates have the grade of the course.
    pub has_grade: bool,
    /// The language of dates and labels.
    pub language: Lang,
    pub heading: String,
    pub text: String,
    /// `#rrggbb`
    pub accent: String,
    pub background: String,
    pub signer: String,
    pub logo_file_id: Option<FileId>,
    pub signature_file_id: Option<FileId>,
    /// `/files/…`
    pub logo_url: Option<String>,
    pub signature_url: Option<String>,
}

impl Design {
    /// That of a course whose authors have not set one.
    fn default_of(course_id: CourseId) -> Self {
        let language = Lang::Ru;
        let (heading, text) = default_texts(language);
        Design {
            course_id,
            is_on: false,
            basis: Basis::Completion,
            min_percent: 80,
            valid_months: None,
            has_grade: false,
            language,
            heading: heading.to_owned(),
            text: text.to_owned(),
            accent: "#1c6a52".to_owned(),
            background: "#ffffff".to_owned(),
            signer: String::new(),
            logo_file_id: None,
            signature_file_id: None,
            logo_url: None,
            signature_url: None,
        }
    }

    pub(super) fn requirement(&self) -> Requirement {
        Requirement {
            basis: self.basis,
            min_percent: self.min_percent,
        }
    }

    pub(super) fn look(&self) -> Look {
        Look {
            language: self.language,
            heading: self.heading.clone(),
            text: self.text.clone(),
            accent: self.accent.clone(),
            background: self.background.clone(),
            signer: self.signer.clone(),
            logo_file_id: self.logo_file_id,
            signature_file_id: self.signature_file_id,
        }
    }

    /// The path of a sample as PDF: signed, and valid for one to two hours.
    pub fn preview_url(&self, kurso: &Kurso) -> String {
        drawing::preview_url(kurso, self.course_id)
    }
}

/// The heading and the text of a design in which nobody has written others.
fn default_texts(language: Lang) -> (&'static str, &'static str) {
    match language {
        Lang::Ru => ("Сертификат", "подтверждает успешное завершение курса «{course}»"),
        Lang::En => ("Certificate", "has successfully completed the course “{course}”"),
    }
}

/// A change of a design. Fields that are None stay as they are.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct SetDesign {
    pub is_on: Option<bool>,
    pub basis: Option<Basis>,
    pub min_percent: Option<Percentage>,
    /// `Clear`: for ever.
    pub valid_months: Change<ValidMonths>,
    pub has_grade: Option<bool>,
    pub language: Option<Lang>,
    pub heading: Option<CertificateHeading>,
    pub text: Option<CertificateText>,
    pub accent: Option<HexColor>,
    pub background: Option<HexColor>,
    pub signer: Option<CertificateSigner>,
}

impl SetDesign {
    fn apply(self, design: &mut Design) {
        let text = |value: Option<String>, to: &mut String| {
            if let Some(value) = value {
                value.trim().clone_into(to);
            }
        };
        design.is_on = self.is_on.unwrap_or(design.is_on);
        design.basis = self.basis.unwrap_or(design.basis);
        design.min_percent = self.min_percent.map_or(design.min_percent, Percentage::get);
        design.valid_months = match self.valid_months {
            Change::Keep => design.valid_months,
            Change::Clear => None,
            Change::Set(months) => Some(months.get()),
        };
        design.has_grade = self.has_grade.unwrap_or(design.has_grade);
        let language = self.language.unwrap_or(design.language);
        if default_texts(design.language) == (&*design.heading, &*design.text) {
            let (heading, text) = default_texts(language);
            heading.clone_into(&mut design.heading);
            text.clone_into(&mut design.text);
        }
        design.language = language;
        text(self.heading.map(String::from), &mut design.heading);
        if design.heading.is_empty() {
            default_texts(language).0.clone_into(&mut design.heading);
        }
        text(self.text.map(String::from), &mut design.text);
        text(self.accent.map(String::from), &mut design.accent);
        text(self.background.map(String::from), &mut design.background);
        text(self.signer.map(String::from), &mut design.signer);
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    is_on: bool,
    basis: Basis,
    min_percent: i64,
    valid_months: Option<i64>,
    has_grade: bool,
    #[sqlx(flatten)]
    look: Look,
    logo_key: Option<String>,
    logo_name: Option<String>,
    signature_key: Option<String>,
    signature_name: Option<String>,
}

/// The design of a course, or the default one. One statement.
pub(super) async fn of_course(on: impl Executor, course: CourseId) -> Result<Design> {
    let row = sql!(
        "SELECT d.is_on, d.basis, d.min_percent, d.valid_months, d.has_grade, d.language, d.heading, d.text, d.accent, d.background, d.signer,
           d.logo_file_id, d.signature_file_id, l.key AS logo_key, l.filename AS logo_name, s.key AS signature_key, s.filename AS signature_name
         FROM certificate_designs d LEFT JOIN files l ON l.id = d.logo_file_id LEFT JOIN files s ON s.id = d.signature_file_id
         WHERE d.course_id = $1",
        course
    );
    let Some(row) = row.fetch_optional::<Row>(on).await? else {
        return Ok(Design::default_of(course));
    };
    Ok(Design {
        course_id: course,
        is_on: row.is_on,
        basis: row.basis,
        min_percent: row.min_percent,
        valid_months: row.valid_months,
        has_grade: row.has_grade,
        language: row.look.language,
        heading: row.look.heading,
        text: row.look.text,
        accent: row.look.accent,
        background: row.look.background,
        signer: row.look.signer,
        logo_file_id: row.look.logo_file_id,
        signature_file_id: row.look.signature_file_id,
        logo_url: url_of(row.logo_key, row.logo_name),
        signature_url: url_of(row.signature_key, row.signature_name),
    })
}

/// The design of a course, for its staff; 403 for learners.
pub async fn read(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Design> {
    let course = courses::find(&kurso.db, viewer, course, Right::ReadAsAuthor).await?.id;
    of_course(&kurso.db, course).await
}

/// Changes the design; owner and editors only.
pub async fn set(kurso: &Kurso, viewer: &Viewer, course: CourseId, to: SetDesign) -> Result<Design> {
    let course = courses::find(&kurso.db, viewer, course, Right::Edit).await?.id;
    let mut tx = courses::begin(&kurso.db, course, Scope::Content(kurso.clock.now())).await?;
    let mut design = of_course(&mut tx, course).await?;
    to.apply(&mut design);
    store(kurso, &mut tx, &design).await?;
    tx.commit().await?;
    Ok(design)
}

/// Stores a design. The transaction has locked the course.
pub(super) async fn store(kurso: &Kurso, tx: &mut Tx, design: &Design) -> Result<()> {
    sql!(
        "INSERT INTO certificate_designs (course_id, is_on, basis, min_percent, valid_months, has_grade, language, heading, text, accent, background,
           signer, logo_file_id, signature_file_id, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         ON CONFLICT (course_id) DO UPDATE SET is_on = excluded.is_on, basis = excluded.basis, min_percent = excluded.min_percent,
           valid_months = excluded.valid_months, has_grade = excluded.has_grade, language = excluded.language, heading = excluded.heading,
           text = excluded.text, accent = excluded.accent, background = excluded.background, signer = excluded.signer,
           logo_file_id = excluded.logo_file_id, signature_file_id = excluded.signature_file_id, updated_at = excluded.updated_at",
        design.course_id,
        design.is_on,
        design.basis,
        design.min_percent,
        design.valid_months,
        design.has_grade,
        design.language,
        &design.heading,
        &design.text,
        &design.accent,
        &design.background,
        &design.signer,
        design.logo_file_id,
        design.signature_file_id,
        kurso.clock.now()
    )
    .execute(tx)
    .await?;
    Ok(())
}
