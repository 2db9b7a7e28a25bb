//! The rules of certificates: what is required, what is missing, how long one is valid, and how its values are written.

use chrono::{DateTime, Months, Utc};
use kurso_base::messages::Lang;
use kurso_base::schedule::TimeZone;
use kurso_base::values::{choices, decimal_text};

/// For what a course gives certificates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Deserialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Basis {
    /// The learner has completed the course once.
    #[default]
    Completion,
    /// The grade of the course has reached a percent, and nothing that counts is without a result.
    Grade,
}

choices! {
    Basis: "completion" => Basis::Completion, "grade" => Basis::Grade;
}

impl Basis {
    /// The name as stored and in REST; GraphQL has it in capitals.
    pub fn name(self) -> &'static str {
        match self {
            Basis::Completion => "completion",
            Basis::Grade => "grade",
        }
    }
}

/// Whether a certificate is valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Valid,
    Expired,
    /// By the staff of the course.
    Revoked,
    /// By a certificate in another name.
    Replaced,
}

impl State {
    pub(super) fn of(
        is_replaced: bool,
        is_revoked: bool,
        expires_at: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Self {
        match (is_replaced, is_revoked) {
            (true, _) => State::Replaced,
            (false, true) => State::Revoked,
            (false, false) if expires_at.is_some_and(|end| end <= now) => State::Expired,
            (false, false) => State::Valid,
        }
    }

    /// The name in REST; GraphQL has it in capitals.
    pub fn name(self) -> &'static str {
        match self {
            State::Valid => "valid",
            State::Expired => "expired",
            State::Revoked => "revoked",
            State::Replaced => "replaced",
        }
    }

    /// Whether there are a PDF and a badge: an expired certificate says itself how long it was valid.
    pub(super) fn has_documents(self) -> bool {
        matches!(self, State::Valid | State::Expired)
    }
}

/// The standing of a learner in a course.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    /// Whether they have completed the course once.
    pub is_completed: bool,
    pub pages_left: i64,
    /// The grade of the course in hundredths of a percent.
    pub percent: Option<i64>,
    /// Items of the gradebook that count and have no result.
    pub results_left: i64,
}

/// What a certificate requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    pub basis: Basis,
    /// For the basis of a grade; 0 for completion.
    pub min_percent: i64,
}

impl Requirement {
    /// The percent that the certificate says; None for completion.
    pub fn percent(self) -> Option<i64> {
        match self.basis {
            Basis::Completion => None,
            Basis::Grade => Some(self.min_percent),
        }
    }

    pub(super) fn is_met(self, standing: &Standing) -> bool {
        match self.basis {
            Basis::Completion => standing.is_completed,
            Basis::Grade => {
                let reached = standing
                    .percent
                    .is_some_and(|percent| percent >= self.min_percent * 100);
                reached && standing.results_left == 0
            }
        }
    }

    /// In words, for the badge and the public page.
    pub fn text(self, lang: Lang) -> String {
        match (self.basis, lang) {
            (Basis::Completion, Lang::Ru) => "Пройти все страницы курса".to_owned(),
            (Basis::Completion, Lang::En) => "Complete all pages of the course".to_owned(),
            (Basis::Grade, Lang::Ru) => format!("Получить за курс оценку не ниже {} %", self.min_percent),
            (Basis::Grade, Lang::En) => format!("Reach a grade of at least {} % in the course", self.min_percent),
        }
    }
}

/// When a certificate issued at `from` expires: at the end of the day that many months later in its zone, so that it is valid on the day printed on
/// it. None if it never expires.
pub(super) fn expiry(from: DateTime<Utc>, valid_months: Option<i64>, zone: TimeZone) -> Option<DateTime<Utc>> {
    let months = u32::try_from(valid_months?).ok()?;
    let last_day = zone.day_of(from).checked_add_months(Months::new(months))?;
    Some(zone.start_of(last_day.succ_opt()?))
}

/// A grade in words: the label and the percent in hundredths, such as `5 (92,5 %)`.
pub(super) fn grade_text(percent: i64, label: Option<&str>, lang: Lang) -> String {
    let decimal = decimal_text(percent);
    let percent = match lang {
        Lang::Ru => format!("{} %", decimal.replace('.', ",")),
        Lang::En => format!("{decimal} %"),
    };
    let label = match (label, lang) {
        (Some("pass"), Lang::Ru) => Some("зачтено"),
        (Some("fail"), Lang::Ru) => Some("не зачтено"),
        (label, _) => label,
    };
    match label {
        Some(label) => format!("{label} ({percent})"),
        None => percent,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::last_day;
    use super::*;

    #[test]
    fn completion_is_enough_whatever_the_grade() {
        let completion = Requirement {
            basis: Basis::Completion,
            min_percent: 100,
        };
        let completed = Standing {
            is_completed: true,
            pages_left: 3,
            percent: None,
            results_left: 9,
        };
        assert!(completion.is_met(&completed), "the course has grown since");
        let open = Standing {
            is_completed: false,
            percent: Some(10_000),
            ..Standing::default()
        };
        assert!(!completion.is_met(&open));
        assert_eq!(completion.percent(), None);
    }

    #[test]
    fn a_grade_is_enough_when_nothing_that_counts_is_open() {
        let grade = Requirement {
            basis: Basis::Grade,
            min_percent: 80,
        };
        let standing = |percent, results_left| Standing {
            is_completed: true,
            percent,
            results_left,
            pages_left: 0,
        };
        assert!(grade.is_met(&standing(Some(8000), 0)));
        assert!(!grade.is_met(&standing(Some(7999), 0)));
        assert!(
            !grade.is_met(&standing(Some(10_000), 1)),
            "after the first of two quizzes"
        );
        assert!(!grade.is_met(&standing(None, 0)), "nothing is graded");
        let any = Requirement {
            basis: Basis::Grade,
            min_percent: 0,
        };
        assert!(!any.is_met(&standing(None, 0)) && any.is_met(&standing(Some(0), 0)));
    }

    #[test]
    fn the_state_is_the_first_that_applies() {
        let now = DateTime::from_timestamp(1_000_000, 0).unwrap();
        for (is_replaced, is_revoked, end, state) in [
            (false, false, None, State::Valid),
            (false, false, Some(now + chrono::Duration::seconds(1)), State::Valid),
            (false, false, Some(now), State::Expired),
            (false, true, Some(now), State::Revoked),
            (true, false, Some(now), State::Replaced),
        ] {
            assert_eq!(State::of(is_replaced, is_revoked, end, now), state);
            assert_eq!(state.has_documents(), matches!(state, State::Valid | State::Expired));
        }
    }

    #[test]
    fn grades_are_written_in_the_language_of_the_certificate() {
        assert_eq!(grade_text(9250, None, Lang::Ru), "92,5 %");
        assert_eq!(grade_text(10_000, Some("5"), Lang::Ru), "5 (100 %)");
        assert_eq!(grade_text(6000, Some("pass"), Lang::Ru), "зачтено (60 %)");
        assert_eq!(grade_text(9233, Some("A"), Lang::En), "A (92.33 %)");
    }

    proptest! {
        #[test]
        fn a_certificate_ends_with_the_day_months_later_or_never(seconds in 0_i64..4_000_000_000, months in 1_i64..=1200, at in 0_usize..4) {
            let zone = ["UTC", "Europe/Moscow", "America/Sao_Paulo", "Pacific/Kiritimati"][at];
            let zone = TimeZone::named(zone).unwrap();
            let from = DateTime::from_timestamp(seconds, 0).unwrap();
            prop_assert_eq!(expiry(from, None, zone), None);
            let end = expiry(from, Some(months), zone).unwrap();
            let months = Months::new(u32::try_from(months).unwrap());
            prop_assert_eq!(last_day(end, zone), zone.day_of(from).checked_add_months(months).unwrap());
            prop_assert!(zone.day_of(end) > last_day(end, zone));
        }
    }
}
