//! Members of a team are notified of comments, invitations, imports, and learners who completed the course.

use kurso_base::email::Email;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::{Lang, Message};
use kurso_base::values::{Checked as _, LinkToken};
use kurso_core::access::{CollaboratorRole, Right};
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::comments::{self, Thread};
use kurso_core::courses::team::{self, InviteCollaborator};
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::courses::{self};
use kurso_core::imports;
use kurso_core::jobs::{self, Outcome};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, mark_page_visited};
use kurso_core::testing::{begin_import, command};
use serde_json::json;

use super::*;

struct Team {
    owner: Viewer,
    editor: Viewer,
    teacher: Viewer,
    reviewer: Viewer,
    course: CourseId,
    page: PageId,
}

async fn team(kurso: &TestKurso) -> Team {
    let owner = kurso.person("owner").await;
    let course = kurso.course(&owner, &[&[&[Content]]]).await;
    let mut members = vec![];
    for role in ["editor", "teacher", "reviewer"] {
        let member = kurso.person(role).await;
        kurso.collaborator(course, &member, role).await;
        members.push(member);
    }
    let [editor, teacher, reviewer] = members.try_into().unwrap();
    let view = CourseView::load(kurso, &owner, course, Right::Edit).await.unwrap();
    Team {
        owner,
        editor,
        teacher,
        reviewer,
        course,
        page: view.page(0).id,
    }
}

impl Team {
    async fn start(&self, kurso: &TestKurso, by: &Viewer, text: &str) -> Thread {
        let new = command(json!({"text": text}));
        comments::start(kurso, by, self.page, new).await.unwrap()
    }

    async fn answer(&self, kurso: &TestKurso, by: &Viewer, thread: &Thread, text: &str) -> Thread {
        comments::add(kurso, by, thread.id, command(json!(text))).await.unwrap()
    }
}

fn naming(who: &Viewer) -> String {
    format!("@[{}](user:{})", who.user.shown_name(), who.id())
}

async fn invite(kurso: &TestKurso, team: &Team, email: &str) -> team::Member {
    let new = InviteCollaborator {
        email: Email::parse(email).unwrap(),
        role: CollaboratorRole::check("editor".to_owned()).unwrap(),
    };
    team::invite(kurso, &team.owner, &Origin::default(), Lang::En, team.course, new)
        .await
        .unwrap()
}

both! {
    async fn comments_notify_participants_and_mentioned_people(kurso: TestKurso) {
        let team = team(&kurso).await;
        let thread = team.start(&kurso, &team.reviewer, &format!("{} {}", naming(&team.owner), naming(&team.reviewer))).await;
        assert_eq!(kinds(&kurso, &team.reviewer).await, [] as [&str; 0], "of their own comment");
        let told = notices(&kurso, &team.owner).await;
        assert_eq!((told.len(), told[0].kind.name(), told[0].subject), (1, "mention", thread.comments[0].id.0));
        assert_eq!(told[0].actor.as_ref().unwrap().id, team.reviewer.id());
        // Being mentioned does not make somebody a participant of the thread.
        let thread = team.answer(&kurso, &team.teacher, &thread, "Yes").await;
        assert_eq!(kinds(&kurso, &team.owner).await, ["mention"]);
        assert_eq!(kinds(&kurso, &team.editor).await, [] as [&str; 0]);
        let told = notices(&kurso, &team.reviewer).await;
        assert_eq!((told.len(), told[0].kind.name(), told[0].subject), (1, "comment", thread.comments[1].id.0));
        // Further replies are one notice, and a mention causes no second notice.
        let thread = team.answer(&kurso, &team.owner, &thread, &naming(&team.teacher)).await;
        assert_eq!(kinds(&kurso, &team.reviewer).await, ["comment"]);
        assert_eq!(kinds(&kurso, &team.teacher).await, ["mention"]);
        assert_eq!(notices(&kurso, &team.reviewer).await[0].actor.as_ref().unwrap().id, team.owner.id());
        // Deleting the last reply withdraws its notice.
        comments::delete(&kurso, &team.owner, thread.comments[2].id).await.unwrap();
        assert_eq!((kinds(&kurso, &team.reviewer).await.len(), kinds(&kurso, &team.teacher).await.len()), (0, 0));
        assert_consistent(&kurso).await;
    }

    async fn a_mention_that_was_taken_out_is_not_shown(kurso: TestKurso) {
        let team = team(&kurso).await;
        let thread = team.start(&kurso, &team.owner, &naming(&team.teacher)).await;
        assert_eq!(kinds(&kurso, &team.teacher).await, ["mention"]);
        let comment = thread.comments[0].id;
        comments::edit(&kurso, &team.owner, comment, command(json!("Nobody"))).await.unwrap();
        assert_eq!(kinds(&kurso, &team.teacher).await, [] as [&str; 0]);
        comments::edit(&kurso, &team.owner, comment, command(json!(naming(&team.editor)))).await.unwrap();
        assert_eq!(kinds(&kurso, &team.editor).await, ["mention"]);
    }

    async fn losing_a_role_hides_the_notices_of_the_course(kurso: TestKurso) {
        let team = team(&kurso).await;
        let thread = team.start(&kurso, &team.teacher, "Why?").await;
        team.answer(&kurso, &team.owner, &thread, &naming(&team.reviewer)).await;
        assert_eq!(kinds(&kurso, &team.teacher).await, ["comment"]);
        assert_eq!(kinds(&kurso, &team.reviewer).await, ["mention"]);
        team::remove(&kurso, &team.owner, team.course, team.reviewer.id().0).await.unwrap();
        team::leave(&kurso, &team.teacher, team.course).await.unwrap();
        assert_eq!((kinds(&kurso, &team.reviewer).await.len(), kinds(&kurso, &team.teacher).await.len()), (0, 0));
        // As a learner, the former member sees no comments.
        let shared = courses::generate_share_code(&kurso, &team.owner, team.course).await.unwrap();
        enroll(&kurso, &team.teacher, &Origin::default(), &shared.share_code.unwrap()).await.unwrap();
        assert_eq!(kinds(&kurso, &team.teacher).await, [] as [&str; 0]);
        team.answer(&kurso, &team.owner, &thread, "And?").await;
        assert_eq!(stored(&kurso).await, 1, "nobody was told, and the unread answer is an earlier one now");
    }

    async fn an_invitation_notifies_the_account_of_its_address(kurso: TestKurso) {
        let team = team(&kurso).await;
        let anna = kurso.person("anna").await;
        invite(&kurso, &team, "anna@example.com").await;
        let told = notices(&kurso, &anna).await;
        assert_eq!((told.len(), told[0].kind.name(), told[0].subject), (1, "invited", team.course.0));
        assert_eq!((&told[0].course, &told[0].actor), (&None, &None), "the mail says it: nobody has proven that the address is theirs");
        read_all(&kurso, &anna).await;
        let member = invite(&kurso, &team, "anna@example.com").await;
        assert_eq!((kinds(&kurso, &anna).await, listed(&kurso, &anna).await.unread), (vec!["invited"], 1), "it was renewed");
        team::remove(&kurso, &team.owner, team.course, member.id()).await.unwrap();
        assert_eq!((kinds(&kurso, &anna).await.len(), stored(&kurso).await), (0, 0));
        invite(&kurso, &team, "anna@example.com").await;
        let token = kurso.mails().await.last().unwrap().token();
        team::accept(&kurso, &anna, &LinkToken(token)).await.unwrap();
        assert_eq!((kinds(&kurso, &anna).await.len(), stored(&kurso).await), (0, 0));
        // An address without an account is not notified, and an expired invitation is hidden.
        invite(&kurso, &team, "nobody@example.com").await;
        assert_eq!(stored(&kurso).await, 0);
        let boris = kurso.person("boris").await;
        invite(&kurso, &team, "boris@example.com").await;
        assert_eq!(kinds(&kurso, &boris).await, ["invited"]);
        kurso.clock.advance(chrono::Duration::days(7));
        assert_eq!(kinds(&kurso, &boris).await, [] as [&str; 0]);
    }

    async fn a_finished_or_failed_import_notifies_its_owner(kurso: TestKurso) {
        let anna = kurso.person("anna").await;
        let begin = async || begin_import(&kurso.kurso, &anna, "a.gift", "::A:: 2 + 2? {=4}", &[("preview", "false")]).await;
        let begun = begin().await;
        let claim = jobs::claim_next(&kurso).await.unwrap().unwrap();
        claim.finish(&kurso, Outcome::Failed(Message::InternalError)).await.unwrap();
        let told = notices(&kurso, &anna).await;
        assert_eq!((told.len(), told[0].kind.name(), told[0].subject, told[0].course.is_none()), (1, "import_done", begun.id.0, true));
        // A successful import names the course.
        begin().await;
        let claim = jobs::claim_next(&kurso).await.unwrap().unwrap();
        let course = kurso.course(&anna, &[]).await;
        let mut tx = kurso.db.begin().await.unwrap();
        claim.record_effect(&mut tx, course, kurso.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        claim.finish(&kurso, Outcome::Done).await.unwrap();
        let told = notices(&kurso, &anna).await;
        assert_eq!((told.len(), told[0].course.as_ref().map(|course| course.id)), (2, Some(course)));
        // A retry is not the end, and the person cancelled the import themselves.
        let begun = begin().await;
        let claim = jobs::claim_next(&kurso).await.unwrap().unwrap();
        claim.finish(&kurso, Outcome::Released).await.unwrap();
        imports::cancel(&kurso, &anna, begun.id).await.unwrap();
        assert_eq!(stored(&kurso).await, 2);
        // The node crashes on every attempt.
        begin().await;
        for _ in 0..jobs::MAX_ATTEMPTS {
            assert!(jobs::claim_next(&kurso).await.unwrap().is_some());
            kurso.clock.advance(jobs::LEASE);
        }
        assert!(jobs::claim_next(&kurso).await.unwrap().is_none());
        assert_eq!(stored(&kurso).await, 3);
    }

    async fn teachers_are_notified_once_of_a_completed_course(kurso: TestKurso) {
        let team = team(&kurso).await;
        let shared = courses::generate_share_code(&kurso, &team.owner, team.course).await.unwrap();
        let code = shared.share_code.unwrap();
        let (anna, boris) = (kurso.person("anna").await, kurso.person("boris").await);
        for learner in [&anna, &boris, &team.owner] {
            enroll(&kurso, learner, &Origin::default(), &code).await.unwrap();
        }
        for learner in [&anna, &team.owner] {
            mark_page_visited(&kurso, learner, team.page).await.unwrap();
            mark_page_visited(&kurso, learner, team.page).await.unwrap();
        }
        let told = notices(&kurso, &team.owner).await;
        assert_eq!((told.len(), told[0].kind.name()), (1, "course_completed"), "not of their own");
        assert_eq!(told[0].learner.as_ref().unwrap().id, anna.id());
        assert_eq!(notices(&kurso, &team.teacher).await.len(), 2);
        for other in [&team.editor, &team.reviewer, &anna, &boris] {
            assert_eq!(kinds(&kurso, other).await, [] as [&str; 0]);
        }
        // A learner who left is hidden. Returning is not another completion.
        read_all(&kurso, &team.teacher).await;
        team::leave(&kurso, &anna, team.course).await.unwrap();
        assert_eq!((kinds(&kurso, &team.owner).await.len(), kinds(&kurso, &team.teacher).await.len()), (0, 1));
        enroll(&kurso, &anna, &Origin::default(), &code).await.unwrap();
        mark_page_visited(&kurso, &anna, team.page).await.unwrap();
        assert_eq!((notices(&kurso, &team.teacher).await.len(), listed(&kurso, &team.teacher).await.unread), (2, 0));
        // Deleting the last page that was not done completes the course for a learner.
        let lesson = CourseView::load(&kurso, &team.owner, team.course, Right::Edit).await.unwrap().lesson(0).id;
        let new = courses::page::create(&kurso, &team.owner, lesson, command(json!({"published": true}))).await.unwrap();
        mark_page_visited(&kurso, &boris, team.page).await.unwrap();
        assert_eq!(listed(&kurso, &team.teacher).await.unread, 0);
        courses::page::delete(&kurso, &team.owner, new.id).await.unwrap();
        kurso_core::learning::my_progress(&kurso, &boris, team.course).await.unwrap();
        assert_eq!(listed(&kurso, &team.teacher).await.unread, 1);
        assert_consistent(&kurso).await;
    }
}
