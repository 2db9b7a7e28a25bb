//! The team of a course on both databases: invitations, leaving, transfer; the list of all courses.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use chrono::Duration;
use kurso_base::email::Email;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, UserId};
use kurso_base::messages::{Lang, Message};
use kurso_base::pagination::Page;
use kurso_base::search::Search;
use kurso_base::values::{Checked as _, LinkToken};
use kurso_core::access::{CollaboratorRole, Right, Role, Viewer};
use kurso_core::auth::Origin;
use kurso_core::courses::team::{self, InviteCollaborator, Member, MemberState, NewOwner};
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::courses::{self, Course};
use kurso_core::learning;
use kurso_core::testing::TestKurso;
use kurso_core::{both, users};
use kurso_db::sql;
use serde_json::json;

async fn people<const N: usize>(kurso: &TestKurso) -> [Viewer; N] {
    let mut people = Vec::new();
    for name in ["owner", "anna", "boris", "vera"].iter().take(N) {
        people.push(kurso.person(name).await);
    }
    people.try_into().unwrap()
}

async fn invite(kurso: &TestKurso, by: &Viewer, course: CourseId, email: &str, role: &str) -> Result<Member> {
    let new = InviteCollaborator {
        email: Email::parse(email).unwrap(),
        role: CollaboratorRole::check(role.to_owned()).unwrap(),
    };
    team::invite(kurso, by, &Origin::default(), Lang::En, course, new).await
}

async fn accept(kurso: &TestKurso, who: &Viewer, token: &str) -> Result<Course> {
    team::accept(kurso, who, &LinkToken(token.to_owned())).await
}

async fn enroll(kurso: &TestKurso, owner: &Viewer, course: CourseId, learner: &Viewer) {
    let code = courses::generate_share_code(kurso, owner, course)
        .await
        .unwrap()
        .share_code;
    learning::enroll(kurso, learner, &Origin::default(), &code.unwrap())
        .await
        .unwrap();
}

async fn role(kurso: &TestKurso, who: &Viewer, course: CourseId) -> Option<Role> {
    courses::find(&kurso.db, who, course, Right::Read)
        .await
        .ok()
        .map(|course| course.role)
}

async fn team_of(kurso: &TestKurso, who: &Viewer, course: CourseId) -> Vec<Member> {
    team::list(kurso, who, course, Page::default()).await.unwrap().data
}

async fn hand_over(kurso: &TestKurso, by: &Viewer, course: CourseId, body: serde_json::Value) -> Result<Course> {
    let user = body["user_id"].as_str().map(|id| id.parse().unwrap());
    let email = body["email"].as_str().map(|email| Email::parse(email).unwrap());
    let owner = NewOwner::of(user, email).unwrap();
    team::hand_over(kurso, by, &Origin::default(), Lang::Ru, course, owner).await
}

async fn last_token(kurso: &TestKurso) -> String {
    kurso.mails().await.last().unwrap().token()
}

both! {
    async fn a_role_starts_when_the_mailed_link_is_accepted(kurso: TestKurso) {
        let [owner, anna, boris] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let invited = invite(&kurso, &owner, course, "Anna@Example.com", "editor").await.unwrap();
        assert!(matches!(invited.state, MemberState::Pending { expires_at, .. } if expires_at == kurso.clock.now() + Duration::days(7)));
        assert_eq!((invited.email.as_str(), invited.full_name), ("Anna@example.com", None));
        assert_eq!(role(&kurso, &anna, course).await, None, "not before it is accepted");
        let mails = kurso.mails().await;
        assert_eq!((mails.len(), mails[0].to.as_str()), (1, "Anna@example.com"));
        assert_eq!(mails[0].subject, "Kurso - Invitation to a course");
        assert!(mails[0].text.contains("https://kurso.example/accept-invitation?token="), "{}", mails[0].text);
        let token = mails[0].token();

        let other = accept(&kurso, &boris, &token).await;
        assert!(matches!(other, Err(Error::BadRequest(Message::InvitationOfAnother))), "{other:?}");
        let accepted = accept(&kurso, &anna, &token).await.unwrap();
        assert_eq!((accepted.id, accepted.role), (course, Role::Editor));
        let again = accept(&kurso, &anna, &token).await;
        assert!(matches!(again, Err(Error::BadRequest(Message::InvitationGone))), "works once: {again:?}");
        let team = team_of(&kurso, &owner, course).await;
        assert_eq!((team.len(), team[0].state, team[0].role), (1, MemberState::Accepted(anna.id()), CollaboratorRole::Editor));
        assert_eq!(team[0].full_name.as_deref(), Some("anna"));
    }

    async fn invitation_links_end_by_expiry_renewal_and_withdrawal(kurso: TestKurso) {
        let [owner, anna] = people(&kurso).await;
        let course = kurso.course(&owner, &[]).await;
        let gone = async |token: &str| {
            matches!(accept(&kurso, &anna, token).await, Err(Error::BadRequest(Message::InvitationGone)))
        };
        invite(&kurso, &owner, course, "anna@example.com", "teacher").await.unwrap();
        let first = last_token(&kurso).await;
        kurso.clock.advance(Duration::seconds(1));
        invite(&kurso, &owner, course, "ANNA@example.com", "editor").await.unwrap();
        let second = last_token(&kurso).await;
        assert_ne!(first, second);
        assert!(gone(&first).await, "renewed");
        assert_eq!(team_of(&kurso, &owner, course).await.len(), 1);
        kurso.clock.advance(Duration::days(7));
        assert!(gone(&second).await, "expired");
        let team = team_of(&kurso, &owner, course).await;
        assert!(matches!(team[0].state, MemberState::Expired { .. }));
        kurso.clock.advance(Duration::seconds(1));
        let third = invite(&kurso, &owner, course, "anna@example.com", "editor").await.unwrap();
        let token = last_token(&kurso).await;
        team::remove(&kurso, &owner, course, third.id()).await.unwrap();
        assert!(gone(&token).await, "withdrawn");
        let twice = team::remove(&kurso, &owner, course, third.id()).await;
        assert!(matches!(twice, Err(Error::NotFound(Message::MemberNotFound))));
        for bad in ["", "x", "a.b.c", &kurso.token("anna@example.com").await] {
            assert!(gone(bad).await, "{bad}");
        }
        assert!(team_of(&kurso, &owner, course).await.is_empty());
    }

    async fn concurrent_acceptances_give_the_role_once(kurso: TestKurso) {
        let [owner, anna] = people(&kurso).await;
        let course = kurso.course(&owner, &[]).await;
        invite(&kurso, &owner, course, "anna@example.com", "teacher").await.unwrap();
        let token = last_token(&kurso).await;
        let (a, b) = tokio::join!(accept(&kurso, &anna, &token), accept(&kurso, &anna, &token));
        assert_eq!([a.is_ok(), b.is_ok()].iter().filter(|ok| **ok).count(), 1, "{a:?} {b:?}");
    }

    async fn the_owner_manages_the_team(kurso: TestKurso) {
        let [owner, anna, boris, vera] = people(&kurso).await;
        let root = kurso.superuser("root").await;
        let course = kurso.course(&owner, &[]).await;
        enroll(&kurso, &owner, course, &vera).await;
        for (who, role) in [(&anna, "editor"), (&boris, "teacher")] {
            kurso.clock.advance(Duration::seconds(1));
            invite(&kurso, &owner, course, &who.user.email, role).await.unwrap();
            accept(&kurso, who, &last_token(&kurso).await).await.unwrap();
        }
        invite(&kurso, &owner, course, "new@example.com", "teacher").await.unwrap();
        for (who, seen) in [(&owner, 3), (&root, 3), (&anna, 2), (&boris, 2)] {
            assert_eq!(team_of(&kurso, who, course).await.len(), seen, "{}", who.user.email);
        }
        assert!(matches!(team::list(&kurso, &vera, course, Page::default()).await, Err(Error::Forbidden(_))));
        for who in [&anna, &boris, &vera, &root] {
            let invited = invite(&kurso, who, course, "x@example.com", "editor").await;
            assert!(matches!(invited, Err(Error::Forbidden(Message::OwnerOnly))), "{invited:?}");
            let removed = team::remove(&kurso, who, course, boris.id().0).await;
            assert!(matches!(removed, Err(Error::Forbidden(Message::OwnerOnly))), "{removed:?}");
        }
        let own = invite(&kurso, &owner, course, "OWNER@example.com", "editor").await;
        assert!(matches!(own, Err(Error::Conflict(Message::OwnerIsInTeam))));
        let mails = kurso.mails().await.len();
        let changed = invite(&kurso, &owner, course, "boris@example.com", "editor").await.unwrap();
        assert_eq!((changed.state, changed.role), (MemberState::Accepted(boris.id()), CollaboratorRole::Editor));
        assert_eq!((kurso.mails().await.len(), role(&kurso, &boris, course).await), (mails, Some(Role::Editor)));
        team::remove(&kurso, &owner, course, boris.id().0).await.unwrap();
        assert_eq!(role(&kurso, &boris, course).await, None);
    }

    async fn invitations_are_limited(kurso: TestKurso) {
        let [owner] = people(&kurso).await;
        let course = kurso.course(&owner, &[]).await;
        for _ in 0..5 {
            invite(&kurso, &owner, course, "anna@example.com", "editor").await.unwrap();
        }
        let one_more = invite(&kurso, &owner, course, "anna@example.com", "editor").await;
        assert!(matches!(one_more, Err(Error::RateLimited { retry_after: 3600 })), "{one_more:?}");
        invite(&kurso, &owner, course, "boris@example.com", "editor").await.unwrap();
    }

    async fn one_address_gets_few_invitations_from_all_accounts_together(kurso: TestKurso) {
        let mut sent = 0;
        for n in 0..12 {
            let host = kurso.person(&format!("host{n}")).await;
            let course = kurso.course(&host, &[]).await;
            for _ in 0..4 {
                sent += usize::from(invite(&kurso, &host, course, "victim@example.com", "editor").await.is_ok());
            }
        }
        assert_eq!(sent, 10);
        kurso.clock.advance(Duration::days(1));
        let host = kurso.person("later").await;
        let course = kurso.course(&host, &[]).await;
        invite(&kurso, &host, course, "victim@example.com", "editor").await.unwrap();
    }

    async fn transfers_count_as_invitations(kurso: TestKurso) {
        let [_, victim] = people(&kurso).await;
        let mut sent = 0;
        for n in 0..6 {
            let host = kurso.person(&format!("host{n}")).await;
            let invited = kurso.course(&host, &[]).await;
            sent += usize::from(invite(&kurso, &host, invited, "anna@example.com", "editor").await.is_ok());
            for _ in 0..2 {
                let course = kurso.course(&host, &[]).await;
                let given = hand_over(&kurso, &host, course, json!({"user_id": victim.id()})).await;
                if let Err(refused) = &given {
                    assert!(matches!(refused, Error::RateLimited { .. }), "{refused:?}");
                    assert_eq!(role(&kurso, &host, course).await, Some(Role::Owner), "a refused transfer changes nothing");
                }
                sent += usize::from(given.is_ok());
            }
        }
        assert_eq!(sent, 10);
    }

    async fn new_accounts_send_few_invitations(kurso: TestKurso) {
        let count = async |by: &Viewer| {
            let course = kurso.course(by, &[]).await;
            let mut sent = 0;
            for n in 0..40 {
                let email = format!("{}-{n}@example.com", by.id());
                sent += usize::from(invite(&kurso, by, course, &email, "editor").await.is_ok());
            }
            sent
        };
        let [a, b, c, d] = people(&kurso).await;
        // The limits are ten per account and thirty per client address.
        assert_eq!([count(&a).await, count(&b).await, count(&c).await, count(&d).await], [10, 10, 10, 0]);
        assert_eq!(count(&kurso.superuser("root").await).await, 40);
        kurso.clock.advance(Duration::days(1));
        assert_eq!(count(&a).await, 40);
    }

    async fn people_leave_one_role_at_a_time(kurso: TestKurso) {
        let [owner, anna, boris] = people(&kurso).await;
        let root = kurso.superuser("root").await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        enroll(&kurso, &owner, course, &anna).await;
        invite(&kurso, &owner, course, "anna@example.com", "teacher").await.unwrap();
        accept(&kurso, &anna, &last_token(&kurso).await).await.unwrap();
        assert_eq!(team::leave(&kurso, &anna, course).await.unwrap(), Message::TeamLeft);
        assert_eq!(role(&kurso, &anna, course).await, Some(Role::Learner));
        assert_eq!(team::leave(&kurso, &anna, course).await.unwrap(), Message::CourseLeft);
        assert!(matches!(team::leave(&kurso, &anna, course).await, Err(Error::NotFound(Message::CourseNotFound))));
        assert!(matches!(team::leave(&kurso, &boris, course).await, Err(Error::NotFound(_))));
        assert!(matches!(team::leave(&kurso, &owner, course).await, Err(Error::Conflict(Message::OwnerCannotLeave))));
        assert!(matches!(team::leave(&kurso, &root, course).await, Err(Error::Forbidden(_))));
    }

    async fn a_course_is_transferred_with_its_code_students_and_team(kurso: TestKurso) {
        let [owner, anna, boris, vera] = people(&kurso).await;
        let root = kurso.superuser("root").await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        enroll(&kurso, &owner, course, &vera).await;
        invite(&kurso, &owner, course, "anna@example.com", "teacher").await.unwrap();
        accept(&kurso, &anna, &last_token(&kurso).await).await.unwrap();
        let code = courses::find(&kurso.db, &owner, course, Right::Share).await.unwrap().share_code;
        for who in [&anna, &vera] {
            let refused = hand_over(&kurso, who, course, json!({"user_id": who.id()})).await;
            assert!(matches!(refused, Err(Error::Forbidden(_))), "{refused:?}");
        }
        assert!(matches!(hand_over(&kurso, &boris, course, json!({"user_id": boris.id()})).await, Err(Error::NotFound(_))));

        let mails = kurso.mails().await.len();
        let given = hand_over(&kurso, &owner, course, json!({"email": "ANNA@example.com"})).await.unwrap();
        assert_eq!((given.owner.id, given.role), (anna.id(), Role::Editor));
        assert_eq!(role(&kurso, &anna, course).await, Some(Role::Owner));
        let kept = courses::find(&kurso.db, &anna, course, Right::Share).await.unwrap().share_code;
        assert_eq!(kept, code, "the share code stays");
        assert_eq!(role(&kurso, &vera, course).await, Some(Role::Learner));
        let team = team_of(&kurso, &anna, course).await;
        assert_eq!((team.len(), team[0].state), (1, MemberState::Accepted(owner.id())), "an owner is no collaborator");
        let told = kurso.mails().await;
        assert_eq!((told.len(), told[mails].to.as_str()), (mails + 1, "anna@example.com"));
        assert!(told[mails].text.contains(&format!("https://kurso.example/edit-course/{course}")), "{}", told[mails].text);

        let again = hand_over(&kurso, &owner, course, json!({"user_id": anna.id()})).await;
        assert!(matches!(again, Err(Error::Forbidden(_))), "an editor now");
        hand_over(&kurso, &anna, course, json!({"user_id": anna.id()})).await.unwrap();
        let by_admin = hand_over(&kurso, &root, course, json!({"user_id": boris.id(), "email": "x@example.com"})).await.unwrap();
        assert_eq!((by_admin.owner.id, by_admin.role), (boris.id(), Role::Admin));
        assert_eq!(role(&kurso, &anna, course).await, Some(Role::Editor));
    }

    async fn a_course_is_transferred_to_active_accounts_only(kurso: TestKurso) {
        let [owner, anna] = people(&kurso).await;
        let course = kurso.course(&owner, &[]).await;
        sql!("UPDATE users SET is_active = FALSE WHERE id = $1", anna.id()).execute(&kurso.db).await.unwrap();
        for body in [
            json!({"user_id": anna.id()}), json!({"email": "anna@example.com"}), json!({"email": "nobody@example.com"}),
            json!({"user_id": uuid::Uuid::nil()}),
        ] {
            let refused = hand_over(&kurso, &owner, course, body.clone()).await;
            assert!(matches!(refused, Err(Error::Invalid(_))), "{body}: {refused:?}");
        }
        for _ in 0..16 {
            let _ = hand_over(&kurso, &owner, course, json!({"email": "nobody@example.com"})).await;
        }
        let limited = hand_over(&kurso, &owner, course, json!({"email": "nobody@example.com"})).await;
        assert!(matches!(limited, Err(Error::RateLimited { .. })), "{limited:?}");
        assert_eq!(role(&kurso, &owner, course).await, Some(Role::Owner));
    }

    async fn deleting_accounts_removes_them_from_teams(kurso: TestKurso) {
        let [owner, anna, vera] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        enroll(&kurso, &owner, course, &vera).await;
        invite(&kurso, &owner, course, "anna@example.com", "editor").await.unwrap();
        accept(&kurso, &anna, &last_token(&kurso).await).await.unwrap();
        invite(&kurso, &owner, course, "new@example.com", "teacher").await.unwrap();
        users::delete_me(&kurso, &owner).await.unwrap();
        assert_eq!(role(&kurso, &anna, course).await, Some(Role::Owner), "vera is not left behind");
        let team = team_of(&kurso, &anna, course).await;
        assert_eq!((team.len(), team[0].email.as_str()), (1, "new@example.com"));
        courses::course::delete(&kurso, &anna, course).await.unwrap();
        let left = sql!("SELECT COUNT(*) FROM invitations").fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        assert_eq!(left, (0,));
    }

    async fn superusers_see_every_course(kurso: TestKurso) {
        let [owner, anna] = people(&kurso).await;
        let root = kurso.superuser("root").await;
        let mut ids = Vec::new();
        for (who, title) in [(&owner, "Ёлочные игрушки"), (&anna, "Алгебра"), (&root, "Свой")] {
            kurso.clock.advance(Duration::seconds(1));
            let course = kurso.course(who, &[]).await;
            sql!("UPDATE courses SET title = $2 WHERE id = $1", course, title).execute(&kurso.db).await.unwrap();
            ids.push(course);
        }
        let found = async |search: &str, skip, limit| {
            let found = courses::everywhere(&kurso.db, &root, &Search::of(search), Page { skip, limit }).await.unwrap();
            (found.data.iter().map(|course| course.id).collect::<Vec<_>>(), found.count)
        };
        assert_eq!(found("", 0, 100).await, (vec![ids[2], ids[1], ids[0]], 3));
        assert_eq!(found("", 1, 1).await, (vec![ids[1]], 3));
        assert_eq!(found("", 5, 1).await, (vec![], 3));
        assert_eq!(found("ЕЛОЧНЫЕ", 0, 100).await, (vec![ids[0]], 1));
        assert_eq!(found("anna@ алг", 0, 100).await, (vec![ids[1]], 1));
        assert_eq!(found("example", 1, 1).await, (vec![ids[1]], 3));
        // A table is read in parts of a thousand rows.
        for _ in 0..21 {
            let rows = sql!("INSERT INTO courses (id, owner_id, title, structure_version, created_at, updated_at) VALUES ");
            let row = |row: kurso_db::Sql<'static>, _| {
                let row = row.push_bind(CourseId::new()).push(", ").push_bind(anna.id()).push(", 'Сложение', 0, ");
                row.push_bind(kurso.clock.now()).push(", ").push_bind(kurso.clock.now())
            };
            rows.push_values(0..100, row).execute(&kurso.db).await.unwrap();
        }
        let before = kurso.db.statements();
        assert_eq!(found("СЛОЖЕНИЕ anna", 2099, 100).await.0.len(), 1);
        assert_eq!(kurso.db.statements() - before, 4);
        assert_eq!(found("ёлочные", 0, 100).await, (vec![ids[0]], 1));
        let roles = courses::everywhere(&kurso.db, &root, &Search::of("свой"), Page::default()).await.unwrap();
        assert_eq!(roles.data[0].role, Role::Owner);
        let roles = courses::everywhere(&kurso.db, &root, &Search::of("ё"), Page { skip: 0, limit: 2 }).await.unwrap().data;
        assert_eq!(roles.iter().map(|course| course.role).collect::<Vec<_>>(), [Role::Admin, Role::Admin]);
        let refused = courses::everywhere(&kurso.db, &anna, &Search::ALL, Page::default()).await;
        assert!(matches!(refused, Err(Error::Forbidden(Message::NotEnoughPrivileges))));
    }
}

#[test]
fn the_id_of_a_new_owner_takes_precedence_over_the_address() {
    let (id, email) = (UserId(uuid::Uuid::nil()), Email::parse("a@b.co").unwrap());
    assert!(matches!(NewOwner::of(Some(id), Some(email.clone())), Some(NewOwner::User(user)) if user == id));
    assert!(matches!(NewOwner::of(None, Some(email.clone())), Some(NewOwner::Email(named)) if named == email));
    assert!(NewOwner::of(None, None).is_none());
}
