//! Banks of accounts that are deleted, and the audit log.

use chrono::Duration;
use kurso_base::ids::{BankId, UserId};
use kurso_base::pagination::Page;
use kurso_core::audit::{self, Act, Filter};
use kurso_core::banks::{self, MemberRole};
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::{both, users};
use kurso_db::sql;

use super::{add_one, bank, numeric, share};

both! {
    async fn banks_of_a_deleted_account_pass_to_an_editor_or_superuser(kurso: TestKurso) {
        let oldest = kurso.superuser("oldest").await;
        kurso.clock.advance(Duration::seconds(1));
        let younger = kurso.superuser("younger").await;
        let [owner, teacher] = [kurso.person("owner").await, kurso.person("teacher").await];
        let [reader, first, second] = [kurso.person("reader").await, kurso.person("first").await, kurso.person("second").await];
        let [edited, drawn, own] = [bank(&kurso, &owner, "А").await, bank(&kurso, &owner, "Б").await, bank(&kurso, &owner, "В").await];
        for (bank, who, role) in [
            (edited, &reader, MemberRole::Viewer), (edited, &first, MemberRole::Editor), (edited, &second, MemberRole::Editor),
            (drawn, &reader, MemberRole::Viewer), (own, &reader, MemberRole::Viewer),
        ] {
            kurso.clock.advance(Duration::seconds(1));
            share(&kurso, &owner, bank, &who.user.email, role).await.unwrap();
        }
        let question = add_one(&kurso, &owner, edited, numeric("?")).await;
        let course = kurso.course(&teacher, &[&[&[Quiz]]]).await;
        for bank in [edited, drawn] {
            sql!("INSERT INTO page_banks (page_id, bank_id) SELECT id, $1 FROM pages WHERE course_id = $2", bank, course)
                .execute(&kurso.db).await.unwrap();
        }
        users::delete(&kurso, &younger, owner.id()).await.unwrap();
        let owner_of = async |bank: BankId| {
            sql!("SELECT owner_id FROM question_banks WHERE id = $1", bank)
                .fetch_optional::<(UserId,)>(&kurso.db).await.unwrap().map(|(id,)| id)
        };
        assert_eq!(owner_of(edited).await, Some(first.id()));
        assert_eq!(owner_of(drawn).await, Some(oldest.id()));
        assert_eq!(owner_of(own).await, None);
        let members = banks::members_of(&kurso, &[edited]).await.unwrap().remove(&edited).unwrap();
        assert_eq!(members.iter().map(|member| member.user).collect::<Vec<_>>(), [reader.id(), second.id()]);
        let left = banks::questions_by_ids(&kurso, &first, &[question.id]).await.unwrap();
        assert_eq!(left[0].changed_by, None);
    }

    async fn making_sharing_and_deleting_a_bank_are_recorded(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        let [owner, reader] = [kurso.person("owner").await, kurso.person("reader").await];
        kurso.clock.advance(Duration::seconds(1));
        let bank = bank(&kurso, &owner, "Б").await;
        let mut expected = vec![(Act::BankCreated, None, bank.to_string())];
        for (role, name) in [(MemberRole::Viewer, "viewer"), (MemberRole::Editor, "editor")] {
            kurso.clock.advance(Duration::seconds(1));
            share(&kurso, &owner, bank, "reader@example.com", role).await.unwrap();
            expected.push((Act::BankShared, Some(reader.id()), format!("{name} {bank}")));
        }
        kurso.clock.advance(Duration::seconds(1));
        banks::unshare(&kurso, &owner, bank, reader.id()).await.unwrap();
        expected.push((Act::BankUnshared, Some(reader.id()), bank.to_string()));
        kurso.clock.advance(Duration::seconds(1));
        banks::delete(&kurso, &root, bank).await.unwrap();
        expected.push((Act::BankDeleted, Some(owner.id()), bank.to_string()));
        expected.reverse();
        let entries = audit::list(&kurso, &root, &Filter::default(), Page::new(0, 5)).await.unwrap().data;
        let found: Vec<_> = entries.into_iter().map(|entry| (entry.act, entry.person.map(|person| person.id), entry.detail.unwrap())).collect();
        assert_eq!(found, expected);
    }
}
