//! Schemes: how the percent of a course becomes a label: `5`, `A`, `pass`.

use kurso_base::values::choices;

/// How a course labels the grades of its learners.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Deserialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Scheme {
    /// The percent alone.
    #[default]
    Percent,
    /// 5, 4, 3 and 2.
    FivePoint,
    /// A, B, C, D and F.
    Letters,
    PassFail,
}

choices! {
    Scheme: "percent" => Scheme::Percent, "five_point" => Scheme::FivePoint, "letters" => Scheme::Letters,
            "pass_fail" => Scheme::PassFail;
}

impl Scheme {
    pub const ALL: [Scheme; 4] = [Scheme::Percent, Scheme::FivePoint, Scheme::Letters, Scheme::PassFail];

    /// The name as stored and in REST.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Percent => "percent",
            Scheme::FivePoint => "five_point",
            Scheme::Letters => "letters",
            Scheme::PassFail => "pass_fail",
        }
    }

    /// Its labels, the best one first. The last one needs no percent.
    pub fn labels(self) -> &'static [&'static str] {
        match self {
            Scheme::Percent => &[],
            Scheme::FivePoint => &["5", "4", "3", "2"],
            Scheme::Letters => &["A", "B", "C", "D", "F"],
            Scheme::PassFail => &["pass", "fail"],
        }
    }

    /// The least percent of each label but the last, in hundredths, unless the course has others.
    pub fn default_thresholds(self) -> &'static [i64] {
        match self {
            Scheme::Percent => &[],
            Scheme::FivePoint => &[8500, 7000, 5000],
            Scheme::Letters => &[9000, 8000, 7000, 6000],
            Scheme::PassFail => &[6000],
        }
    }

    /// The number of thresholds.
    pub fn steps(self) -> usize {
        self.default_thresholds().len()
    }

    /// The label of a percent in hundredths; None of a scheme without labels. It is that of the percent as people see it, so that 84.996,
    /// shown as 85, is not less than 85.
    pub fn label(self, thresholds: &[i64], hundredths: i64) -> Option<&'static str> {
        let reached = thresholds.iter().position(|least| hundredths >= *least);
        self.labels().get(reached.unwrap_or(self.steps())).copied()
    }
}

/// Whether each threshold is less than the one before it.
pub fn is_descending(thresholds: &[i64]) -> bool {
    thresholds.is_sorted_by(|better, next| better > next)
}

/// Reads thresholds as they are stored; None if they are not those of the scheme.
pub fn read_thresholds(scheme: Scheme, text: &str) -> Option<Vec<i64>> {
    let read: Result<Vec<i64>, _> = text.split(',').map(str::parse).collect();
    let read = read.ok()?;
    let fits =
        read.len() == scheme.steps() && is_descending(&read) && read.iter().all(|least| (1..=10_000).contains(least));
    fits.then_some(read)
}

/// Writes thresholds as they are stored.
pub fn write_thresholds(thresholds: &[i64]) -> String {
    let texts: Vec<String> = thresholds.iter().map(i64::to_string).collect();
    texts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_percent_has_the_label_of_the_highest_threshold_it_reaches() {
        for (scheme, hundredths, label) in [
            (Scheme::FivePoint, 10_000, Some("5")),
            (Scheme::FivePoint, 8500, Some("5")),
            (Scheme::FivePoint, 8499, Some("4")),
            (Scheme::FivePoint, 5000, Some("3")),
            (Scheme::FivePoint, 0, Some("2")),
            (Scheme::Letters, 6000, Some("D")),
            (Scheme::Letters, 5999, Some("F")),
            (Scheme::PassFail, 6000, Some("pass")),
            (Scheme::PassFail, 5999, Some("fail")),
            (Scheme::Percent, 5999, None),
        ] {
            assert_eq!(
                scheme.label(scheme.default_thresholds(), hundredths),
                label,
                "{scheme:?} {hundredths}"
            );
        }
    }

    #[test]
    fn every_scheme_has_a_label_more_than_thresholds() {
        for scheme in Scheme::ALL {
            assert_eq!(
                scheme.labels().len(),
                if scheme.steps() == 0 { 0 } else { scheme.steps() + 1 }
            );
            assert!(is_descending(scheme.default_thresholds()));
            let written = write_thresholds(scheme.default_thresholds());
            let read = read_thresholds(scheme, &written);
            assert_eq!(read.is_some(), scheme.steps() > 0, "{scheme:?}");
        }
    }

    #[test]
    fn thresholds_of_another_scheme_are_not_read() {
        for text in [
            "",
            "5000",
            "8500,7000,7000",
            "5000,7000,8500",
            "8500,7000,0",
            "10001,2,1",
            "8500,7000,x",
        ] {
            assert_eq!(read_thresholds(Scheme::FivePoint, text), None, "{text}");
        }
        assert_eq!(
            read_thresholds(Scheme::FivePoint, "10000,2,1"),
            Some(vec![10_000, 2, 1])
        );
    }
}
