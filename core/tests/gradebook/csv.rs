//! The gradebook as a table: what is written, what is read back, and what is refused.

use kurso_base::messages::Lang;
use kurso_core::gradebook::DecisionKind;
use kurso_core::gradebook::csv::{self, Import, Imported, Separator, Table};

use super::*;

impl Class {
    /// The table as the teacher downloads it.
    async fn table(&self, kurso: &TestKurso, separator: Separator, lang: Lang) -> String {
        let mut table = Table::of(kurso, &self.teacher, self.course, GroupFilter::All, separator, lang)
            .await
            .unwrap();
        let mut bytes = vec![];
        while let Some(part) = table.part(kurso).await.unwrap() {
            bytes.extend(part);
        }
        String::from_utf8(bytes).unwrap()
    }

    async fn import(&self, kurso: &TestKurso, table: &str, digest: Option<&str>) -> Result<Imported, Error> {
        let body = json!({"table": table, "reason": "Ведомость", "digest": digest});
        csv::import(kurso, &self.teacher, self.course, command(body)).await
    }

    async fn preview(&self, kurso: &TestKurso, table: &str) -> Import {
        match self.import(kurso, table, None).await.unwrap() {
            Imported::Read(import) => import,
            Imported::Outdated(_) => panic!("a preview"),
        }
    }
}

/// The heading of a quiz in a table.
fn heading(table: &str, quiz: usize) -> String {
    let line = table.trim_start_matches('\u{feff}').lines().next().unwrap();
    line.split("\";\"").nth(3 + quiz).unwrap().to_owned()
}

both! {
    async fn a_table_is_written_as_a_russian_excel_reads_it(kurso: TestKurso) {
        let class = class(&kurso, &["anna", "boris"]).await;
        class.update(&kurso, json!({"scheme": "pass_fail"})).await.unwrap();
        class.submit(&kurso, 0, 0, 3).await;
        class.decide(&kurso, 0, Some(1), json!({"kind": "override", "points": "80.5", "reason": "П"})).await.unwrap();
        class.decide(&kurso, 0, Some(2), json!({"kind": "excused", "reason": "П"})).await.unwrap();
        sql!("UPDATE users SET full_name = '=cmd;\"x\"' WHERE id = $1", class.learners[1].id()).execute(&kurso.db).await.unwrap();
        let table = class.table(&kurso, Separator::Semicolon, Lang::Ru).await;
        let lines: Vec<&str> = table.split("\r\n").collect();
        assert!(lines[0].starts_with("\u{feff}\"Имя\";\"Email\";\"Группа\";\"Урок 1.1 / Тест, баллов из 100 ["), "{}", lines[0]);
        assert!(lines[0].ends_with("\"Курс, %\";\"Отметка\";\"Как выгружено\""));
        assert_eq!(lines[1], "\"'=cmd;\"\"x\"\"\";\"boris@example.com\";\"\";\"\";\"\";\"\";\"\";\"\";\"\"");
        let (anna, state) = lines[2].rsplit_once(';').unwrap();
        assert_eq!(anna, "\"anna\";\"anna@example.com\";\"\";\"75\";\"80,5\";\"освобождён\";\"77,75\";\"зачтено\"");
        assert!(state.starts_with("\"kurso") && state.len() == "\"kurso\"".len() + 3 * 10, "{state}");
        let english = class.table(&kurso, Separator::Comma, Lang::En).await;
        assert!(english.contains("\"anna\",\"anna@example.com\",\"\",\"75\",\"80.5\",\"excused\",\"77.75\",\"pass\",\"kurso"), "{english}");
        for table in [table, english] {
            let again = class.preview(&kurso, &table).await;
            assert_eq!((again.changes, again.refusals), (vec![], vec![]), "what was written changes nothing");
            assert_eq!(again.unchanged, 6);
        }
    }

    async fn a_table_changes_what_its_preview_showed(kurso: TestKurso) {
        let class = class(&kurso, &["anna", "boris"]).await;
        class.submit(&kurso, 0, 0, 3).await;
        class.decide(&kurso, 1, Some(2), json!({"kind": "excused", "reason": "Болел"})).await.unwrap();
        let written = class.table(&kurso, Separator::Semicolon, Lang::Ru).await;
        let [first, second, third] = [0, 1, 2].map(|quiz| heading(&written, quiz));
        let table = format!("Email;Заметка;{first};{second};{third}\nANNA@example.com;мимо;80,5;освобождён;\n\nboris@example.com;;75.0;;авто\n");
        let preview = class.preview(&kurso, &table).await;
        let changes: Vec<_> = preview.changes.iter().map(|c| (c.line, c.email.as_str(), c.page_id, c.before.percent, c.kind, c.points)).collect();
        assert_eq!(changes, [
            (2, "anna@example.com", class.quizzes[0], Some(7500), DecisionKind::Override, Some(8050)),
            (2, "anna@example.com", class.quizzes[1], None, DecisionKind::Excused, None),
            (4, "boris@example.com", class.quizzes[0], None, DecisionKind::Override, Some(7500)),
            (4, "boris@example.com", class.quizzes[2], None, DecisionKind::Removed, None),
        ]);
        assert_eq!((preview.unchanged, preview.refused, preview.is_applied), (2, 0, false));
        assert_eq!(class.cell(&kurso, 0, 0).await.version, 0, "a preview changes nothing");
        let Imported::Read(applied) = class.import(&kurso, &table, Some(&preview.digest)).await.unwrap() else { panic!("outdated") };
        assert!(applied.is_applied && applied.changes == preview.changes);
        let cell = class.cell(&kurso, 0, 0).await;
        assert_eq!((cell.source, cell.percent, cell.version), (Source::Override, Some(8050), 1));
        assert_eq!(class.cell(&kurso, 1, 2).await.source, Source::None);
        let read = gradebook::read_cell(&kurso, &class.owner, class.enrollments[0], Some(class.quizzes[1])).await.unwrap();
        assert_eq!(read.history[0].reason.as_deref(), Some("Ведомость"));
        let Imported::Outdated(now) = class.import(&kurso, &table, Some(&preview.digest)).await.unwrap() else { panic!("twice") };
        assert_eq!((now.changes.len(), now.unchanged), (0, 6));
    }

    async fn an_exported_table_changes_nothing_whatever_has_happened_since(kurso: TestKurso) {
        let class = class(&kurso, &["anna", "boris"]).await;
        let excused = json!({"kind": "excused", "reason": "П"});
        class.submit(&kurso, 0, 0, 3).await;
        class.submit(&kurso, 0, 2, 2).await;
        class.decide(&kurso, 0, Some(1), excused.clone()).await.unwrap();
        class.decide(&kurso, 1, Some(1), json!({"kind": "override", "points": "60.5", "reason": "П"})).await.unwrap();
        let tables = [class.table(&kurso, Separator::Semicolon, Lang::Ru).await, class.table(&kurso, Separator::Comma, Lang::En).await];

        // A better attempt, other decisions, and fewer points than a tenth of those that were exported.
        class.submit(&kurso, 0, 0, 4).await;
        class.decide(&kurso, 0, Some(1), json!({"kind": "removed", "reason": "П"})).await.unwrap();
        class.decide(&kurso, 1, Some(1), excused).await.unwrap();
        class.set_items(&kurso, &[2], json!({"points": "4"})).await.unwrap();
        for table in &tables {
            let preview = class.preview(&kurso, table).await;
            assert_eq!((preview.changes, preview.refusals, preview.unchanged), (vec![], vec![], 6));
        }
        // A spreadsheet program may write a number in another way, and a teacher moves columns and lines.
        let [first, second] = [0, 1].map(|quiz| heading(&tables[0], quiz));
        let state = |name: &str| {
            let line = tables[0].lines().find(|line| line.contains(name)).unwrap();
            line.rsplit_once(';').unwrap().1.trim_matches('"').to_owned()
        };
        let written = |state_of: [String; 2], anna: &str| {
            let [boris, anna_state] = state_of;
            format!("As exported;{second};Email;{first}\n{boris};60,50;boris@example.com;\n{anna_state};;anna@example.com;{anna}\n")
        };
        let states = || [state("boris"), state("anna")];
        assert_eq!(class.preview(&kurso, &written(states(), "75,00")).await.changes, []);
        // What was typed is meant, and without the column everything was typed.
        let typed = class.preview(&kurso, &written(states(), "80")).await.changes;
        assert_eq!((typed.len(), typed[0].points, typed[0].before.points), (1, Some(8000), Some(10_000)));
        let [boris, anna] = states();
        for other in [[String::new(), String::new()], ["kurso".into(), "1".into()], [anna, boris]] {
            let preview = class.preview(&kurso, &written(other, "75")).await;
            assert_eq!(preview.changes.iter().map(|change| change.points).collect::<Vec<_>>(), [Some(6050), Some(7500)]);
        }
    }

    async fn learners_are_found_by_addresses_with_signs_of_formulas(kurso: TestKurso) {
        let class = class(&kurso, &["anna", "boris", "vera"]).await;
        for (learner, email) in [(0, "+anna@example.com"), (1, "'boris@example.com")] {
            sql!("UPDATE users SET email = $2 WHERE id = $1", class.learners[learner].id(), email).execute(&kurso.db).await.unwrap();
        }
        let table = class.table(&kurso, Separator::Semicolon, Lang::Ru).await;
        assert!(table.contains("\"'+anna@example.com\"") && table.contains("\"'boris@example.com\""), "{table}");
        let first = heading(&table, 0);
        let table = format!("Email;{first}\n'+anna@example.com;1\n'boris@example.com;2\n'vera@example.com;3\nboris@example.com;4\n");
        let preview = class.preview(&kurso, &table).await;
        assert_eq!(preview.changes.iter().map(|c| (c.enrollment_id, c.points)).collect::<Vec<_>>(), [
            (class.enrollments[0], Some(100)), (class.enrollments[1], Some(200)),
        ]);
        let refusals: Vec<_> = preview.refusals.iter().map(|refusal| (refusal.line, refusal.message.clone())).collect();
        assert_eq!(refusals, [(4, Message::UnknownStudent), (5, Message::UnknownStudent)]);
    }

    async fn a_refusal_repeats_a_bounded_heading(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        let first = heading(&class.table(&kurso, Separator::Semicolon, Lang::Ru).await, 0);
        let (_, code) = first.rsplit_once(' ').unwrap();
        let long = format!("{}{code}", "Ы".repeat(100_000));
        let table = format!("Email;{long}\nanna@example.com;пять\n");
        let preview = class.preview(&kurso, &table).await;
        let heading = preview.refusals[0].column.as_deref().unwrap();
        assert_eq!((preview.refusals.len(), heading.chars().count()), (1, 600));
    }

    async fn an_outdated_preview_changes_nothing(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        let written = class.table(&kurso, Separator::Semicolon, Lang::Ru).await;
        let table = format!("Email\t{}\t{}\nanna@example.com\t50\t60\n", heading(&written, 0), heading(&written, 1));
        let digest = class.preview(&kurso, &table).await.digest;
        class.decide(&kurso, 0, Some(1), json!({"kind": "override", "points": "70", "reason": "П"})).await.unwrap();
        let outdated = class.import(&kurso, &table, Some(&digest)).await.unwrap();
        let Imported::Outdated(now) = outdated else { panic!("{outdated:?}") };
        assert_eq!((now.changes.len(), now.changes[1].before.percent), (2, Some(7000)));
        assert_eq!(class.cell(&kurso, 0, 0).await.source, Source::None);
        assert!(matches!(class.import(&kurso, &table, Some("forged")).await.unwrap(), Imported::Outdated(_)));
        assert!(matches!(class.import(&kurso, &table, Some(&now.digest)).await.unwrap(), Imported::Read(_)));
        assert_eq!(class.cell(&kurso, 0, 1).await.percent, Some(6000));
    }

    async fn wrong_lines_and_cells_are_refused_where_they_are(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        let written = class.table(&kurso, Separator::Semicolon, Lang::Ru).await;
        let first = heading(&written, 0);
        let table = format!(
            "Email;{first};Чужой [00000000];{first}\nanna@example.com;1000,5;5;5\nnobody@example.com;5;;\nanna@example.com;5;;\n;;;\n"
        );
        let preview = class.preview(&kurso, &table).await;
        let refusals: Vec<_> = preview.refusals.iter().map(|r| (r.line, r.column.as_deref().unwrap_or_default(), r.message.clone())).collect();
        assert_eq!(refusals, [
            (1, "Чужой [00000000]", Message::UnknownGradeColumn),
            (1, first.as_str(), Message::GradeColumnTwice),
            (2, first.as_str(), Message::GivenTooMuch("1000".to_owned())),
            (3, "Email", Message::UnknownStudent),
            (4, "Email", Message::StudentTwice),
        ]);
        assert_eq!((preview.changes.len(), preview.refused), (0, 5));
        for cell in ["пять", "-5", "5,123", "1e2", "=5"] {
            let preview = class.preview(&kurso, &format!("Email;{first}\nanna@example.com;{cell}\n")).await;
            assert_eq!(preview.refusals[0].message, Message::NotAGrade, "{cell}");
        }
        let no_email = class.import(&kurso, &format!("Почта;{first}\n"), None).await;
        assert_eq!(refused(no_email), [("table".to_owned(), Message::NoEmailColumn)]);
        let editor = kurso.person("editor").await;
        let stranger = csv::import(&kurso, &editor, class.course, command(json!({"table": "Email\n", "reason": "П"}))).await;
        assert!(matches!(stranger, Err(Error::NotFound(_))), "{stranger:?}");
    }
}
