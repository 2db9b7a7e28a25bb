//! What a learner needs for the certificate of a course, and whether they have earned it.

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, UserId};
use kurso_base::messages::Message;
use kurso_db::{Executor, sql};

use super::design::{self, Design};
use super::rules::{Basis, Standing, State};
use super::{Certificate, certificate_columns};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::gradebook::{self, OwnGrades, Source};
use crate::learning::view::CourseView;

/// How far a learner is with the certificate of a course.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimState {
    /// The course gives no certificates.
    None,
    /// It is not earned yet.
    NotYet,
    /// It is earned and can be claimed.
    Available,
    Issued,
    Expired,
    Revoked,
}

impl ClaimState {
    /// The name in REST; GraphQL has it in capitals.
    pub fn name(self) -> &'static str {
        match self {
            ClaimState::None => "none",
            ClaimState::NotYet => "not_yet",
            ClaimState::Available => "available",
            ClaimState::Issued => "issued",
            ClaimState::Expired => "expired",
            ClaimState::Revoked => "revoked",
        }
    }
}

/// The certificate of a learner in a course, or what they need for it.
#[derive(Clone, Debug)]
pub struct Claim {
    pub course_id: CourseId,
    pub state: ClaimState,
    /// The name that the certificate would carry now: the full name of the account. None without one, and for guests.
    pub name: Option<String>,
    /// What it requires.
    pub basis: Basis,
    /// None for the basis of completion.
    pub min_percent: Option<i64>,
    /// Pages to complete; 0 for the basis of a grade.
    pub pages_left: i64,
    /// Items that count and have no result; 0 for the basis of completion.
    pub results_left: i64,
    /// The grade of the course in hundredths of a percent, for the basis of a grade; None without results.
    pub percent: Option<i64>,
    pub certificate: Option<Certificate>,
    /// Whether the certificate is valid and has another name than the account.
    pub can_reissue: bool,
}

/// The progress of the learner, and the grade that a certificate would show.
pub(super) struct Reached {
    pub enrollment: EnrollmentId,
    pub course_title: String,
    pub time_zone: Option<String>,
    pub standing: Standing,
    pub grade: Option<(i64, Option<&'static str>)>,
}

/// The certificate of the viewer in a course. Fails with 403 without an enrollment.
pub async fn my_certificate(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Claim> {
    let found = courses::find(&kurso.db, viewer, course, Right::Read).await?;
    if found.enrollment.is_none() {
        return Err(Error::Forbidden(Message::NotEnrolled));
    }
    let design = design::of_course(&kurso.db, course).await?;
    let certificate = of_learner(&kurso.db, course, viewer.id()).await?;
    let is_needed = certificate.is_none() && design.is_on;
    let has_grades = design.basis == Basis::Grade;
    let reached = match is_needed {
        true => Some(reached(kurso, viewer, found, has_grades).await?),
        false => None,
    };
    Ok(claim(kurso, viewer, &design, certificate, reached.as_ref()))
}

fn claim(
    kurso: &Kurso,
    viewer: &Viewer,
    design: &Design,
    certificate: Option<Certificate>,
    reached: Option<&Reached>,
) -> Claim {
    let name = name_of(viewer);
    let requirement = design.requirement();
    let standing = reached.map(|reached| reached.standing).unwrap_or_default();
    let state = match &certificate {
        Some(certificate) => match certificate.state(kurso.clock.now()) {
            State::Valid => ClaimState::Issued,
            State::Expired => ClaimState::Expired,
            State::Revoked | State::Replaced => ClaimState::Revoked,
        },
        None if !design.is_on => ClaimState::None,
        None if requirement.is_met(&standing) => ClaimState::Available,
        None => ClaimState::NotYet,
    };
    let is_grade = design.basis == Basis::Grade;
    Claim {
        course_id: design.course_id,
        state,
        basis: design.basis,
        min_percent: requirement.percent(),
        pages_left: if is_grade { 0 } else { standing.pages_left },
        results_left: if is_grade { standing.results_left } else { 0 },
        percent: standing.percent.filter(|_| is_grade),
        can_reissue: certificate.as_ref().is_some_and(|certificate| {
            let differs = name.as_ref().is_some_and(|name| *name != certificate.name);
            differs && certificate.state(kurso.clock.now()) == State::Valid
        }),
        name,
        certificate,
    }
}

/// The full name of the viewer; None without one, and for guests, who have no name of their own.
pub(super) fn name_of(viewer: &Viewer) -> Option<String> {
    let name = viewer.user.full_name.as_deref().unwrap_or_default().trim();
    let is_usable = !viewer.user.is_guest && !kurso_certificate::is_blank(name);
    is_usable.then(|| name.to_owned())
}

/// The latest certificate of a learner in a course, which no other replaces.
pub(super) async fn of_learner(on: impl Executor, course: CourseId, user: UserId) -> Result<Option<Certificate>> {
    let found = sql!(
        concat!(
            "SELECT ",
            certificate_columns!(),
            " FROM certificates t WHERE t.course_id = $1 AND t.user_id = $2 AND t.replaced_by IS NULL"
        ),
        course,
        user
    );
    Ok(found.fetch_optional(on).await?)
}

/// The progress of the viewer in a course in which they are enrolled, with their grades if `has_grades`. Grades take a dozen statements.
pub(super) async fn reached(
    kurso: &Kurso,
    viewer: &Viewer,
    course: courses::Course,
    has_grades: bool,
) -> Result<Reached> {
    let id = course.id;
    let view = CourseView::of(kurso, course).await?;
    let enrollment = view.course.enrollment.as_ref();
    let enrollment = enrollment.ok_or(Error::Forbidden(Message::NotEnrolled))?.id;
    let mut standing = Standing {
        is_completed: view.progress.completed_at.is_some(),
        pages_left: i64::try_from(view.progress.pages_total.saturating_sub(view.progress.pages_done))
            .unwrap_or_default(),
        ..Standing::default()
    };
    let mut grade = None;
    if has_grades {
        let grades = Box::pin(gradebook::own(kurso, viewer, id)).await?;
        let total = grades.graded.total;
        standing.percent = total.percent;
        standing.results_left = results_left(&grades);
        // While a result is missing, the grade may still change, and the certificate would not.
        let is_final = standing.results_left == 0;
        grade = total.percent.filter(|_| is_final).map(|percent| (percent, total.label));
    }
    Ok(Reached {
        enrollment,
        course_title: view.course.title.clone(),
        time_zone: view.course.dates.time_zone.clone(),
        standing,
        grade,
    })
}

/// The items that count in the grade of the course and have no result: without them, the first good result would be a grade. None is left when a
/// teacher has set the grade of the course.
fn results_left(grades: &OwnGrades) -> i64 {
    if grades.graded.total.source == Source::Override {
        return 0;
    }
    let categories = &grades.setup.categories;
    let counts = |category: Option<usize>| match category {
        Some(category) => categories.get(category).is_some_and(|category| category.weight > 0),
        None => categories.is_empty(),
    };
    let open = grades.grades.iter().filter(|grade| {
        let is_required = !grade.is_excluded && !grade.extra_credit && counts(grade.category);
        is_required && grade.cell.earned.is_none() && grade.cell.source != Source::Excused
    });
    i64::try_from(open.count()).unwrap_or(i64::MAX)
}
