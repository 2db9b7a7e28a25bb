//! Certificates on both databases: claiming, the life of one, what visitors see, and what survives.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod badges;
mod life;

use chrono::Duration;
use futures_util::future::join_all;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CertificateId, CourseId, PageId};
use kurso_base::messages::Message;
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::certificates::design::{self, Design};
use kurso_core::certificates::{self, Certificate, ClaimState, State};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, course, page};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{self, mark_page_visited};
use kurso_core::testing::{TestKurso, command, submission};
use kurso_core::{attempts, both, check, gradebook};
use kurso_db::sql;
use serde_json::{Value, json};

/// A course with two pages, that gives certificates, and a learner who has completed it.
struct World {
    owner: Viewer,
    anna: Viewer,
    course: CourseId,
    pages: Vec<PageId>,
    code: String,
}

impl World {
    async fn of(kurso: &TestKurso) -> Self {
        let world = World::off(kurso).await;
        world.design(kurso, json!({"is_on": true})).await;
        world.complete(kurso, &world.anna).await;
        world
    }

    /// Without certificates, and before the learner has done anything.
    async fn off(kurso: &TestKurso) -> Self {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        let code = courses::generate_share_code(kurso, &owner, course).await.unwrap();
        let anna = kurso.person("anna").await;
        let view = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap();
        let world = World {
            pages: view.tree.pages.iter().map(|page| page.id).collect(),
            code: code.share_code.unwrap(),
            owner,
            anna,
            course,
        };
        world.enroll(kurso, &world.anna).await;
        world
    }

    async fn enroll(&self, kurso: &TestKurso, who: &Viewer) {
        learning::enroll(kurso, who, &Origin::default(), &self.code)
            .await
            .unwrap();
    }

    async fn complete(&self, kurso: &TestKurso, who: &Viewer) {
        for page in &self.pages {
            mark_page_visited(kurso, who, *page).await.unwrap();
        }
    }

    async fn design(&self, kurso: &TestKurso, to: Value) -> Design {
        design::set(kurso, &self.owner, self.course, command(to)).await.unwrap()
    }

    async fn issue(&self, kurso: &TestKurso, who: &Viewer) -> Result<Certificate> {
        certificates::issue(kurso, who, self.course).await
    }

    async fn state(&self, kurso: &TestKurso, who: &Viewer) -> ClaimState {
        certificates::my_certificate(kurso, who, self.course)
            .await
            .unwrap()
            .state
    }

    async fn member(&self, kurso: &TestKurso, role: &'static str) -> Viewer {
        let member = kurso.person(role).await;
        kurso.collaborator(self.course, &member, role).await;
        member
    }
}

/// The same person with another name in the account.
async fn renamed(kurso: &TestKurso, who: &Viewer, name: Option<&str>) -> Viewer {
    sql!(
        "UPDATE users SET full_name = $2 WHERE id = $1",
        who.id(),
        name.map(str::to_owned)
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    let mut renamed = who.clone();
    renamed.user.full_name = name.map(str::to_owned);
    renamed
}

async fn revoke(kurso: &TestKurso, who: &Viewer, id: CertificateId) -> Result<certificates::CourseCertificate> {
    certificates::revoke(kurso, who, id, command(json!({"reason": "Списано"}))).await
}

fn conflict<T>(result: Result<T>) -> Message {
    match result {
        Err(Error::Conflict(message)) => message,
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("no conflict"),
    }
}

fn is_missing<T>(result: &Result<T>) -> bool {
    matches!(result, Err(Error::NotFound(Message::CertificateNotFound)))
}

async fn require_sound(kurso: &TestKurso) {
    let report = check::check(kurso, check::Depth::default()).await.unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

both! {
    async fn a_learner_claims_a_certificate_once_it_is_earned(kurso: TestKurso) {
        let world = World::off(&kurso).await;
        assert_eq!(world.state(&kurso, &world.anna).await, ClaimState::None);
        assert_eq!(conflict(world.issue(&kurso, &world.anna).await), Message::NoCertificates);
        world.design(&kurso, json!({"is_on": true})).await;
        let claim = certificates::my_certificate(&kurso, &world.anna, world.course).await.unwrap();
        assert_eq!((claim.state, claim.pages_left, claim.name.as_deref()), (ClaimState::NotYet, 2, Some("anna")));
        mark_page_visited(&kurso, &world.anna, world.pages[0]).await.unwrap();
        assert_eq!(conflict(world.issue(&kurso, &world.anna).await), Message::CertificateNotEarned);
        mark_page_visited(&kurso, &world.anna, world.pages[1]).await.unwrap();
        assert_eq!(world.state(&kurso, &world.anna).await, ClaimState::Available);

        let nameless = renamed(&kurso, &world.anna, Some("  ")).await;
        let claim = certificates::my_certificate(&kurso, &nameless, world.course).await.unwrap();
        assert_eq!((claim.state, claim.name), (ClaimState::Available, None));
        assert_eq!(conflict(world.issue(&kurso, &nameless).await), Message::CertificateNeedsName);
        let anna = renamed(&kurso, &world.anna, Some(" Анна Иванова ")).await;
        let issued = world.issue(&kurso, &anna).await.unwrap();
        assert_eq!((issued.name.as_str(), issued.course_title.as_str(), issued.grade.as_deref()), ("Анна Иванова", "Курс", None));
        assert_eq!((issued.awarded_at, issued.expires_at), (kurso.clock.now(), None));
        assert_eq!(world.issue(&kurso, &anna).await.unwrap(), issued, "a repeated request makes no second one");
        let claim = certificates::my_certificate(&kurso, &anna, world.course).await.unwrap();
        assert_eq!((claim.state, claim.certificate, claim.can_reissue), (ClaimState::Issued, Some(issued), false));
        require_sound(&kurso).await;
    }

    async fn completion_counts_once_it_was_reached(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let lesson = CourseView::load(&kurso, &world.owner, world.course, Right::Edit).await.unwrap().tree.lessons[0].id;
        let more = json!({"title": "More", "published": true});
        page::create(&kurso, &world.owner, lesson, command(more)).await.unwrap();
        assert_eq!(world.state(&kurso, &world.anna).await, ClaimState::Available);
        let boris = kurso.person("boris").await;
        world.enroll(&kurso, &boris).await;
        world.complete(&kurso, &boris).await;
        let claim = certificates::my_certificate(&kurso, &boris, world.course).await.unwrap();
        assert_eq!((claim.state, claim.pages_left), (ClaimState::NotYet, 1));
        world.issue(&kurso, &world.anna).await.unwrap();
    }

    async fn a_grade_is_claimed_when_nothing_that_counts_is_open(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Quiz, Quiz]]]).await;
        let view = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap();
        let pages: Vec<_> = view.tree.pages.iter().map(|page| page.id).collect();
        let mut questions = vec![];
        for page in &pages {
            let quiz = json!({"questions": [{"type": "numeric", "prompt": "2 + 2?", "value": 4}, {"type": "numeric", "prompt": "3 + 3?", "value": 6}]});
            questions.push(kurso.set_quiz(*page, &quiz).await.questions);
        }
        let code = courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code.unwrap();
        let basis = json!({"is_on": true, "basis": "grade", "min_percent": 70, "has_grade": true, "language": "ru"});
        design::set(&kurso, &owner, course, command(basis)).await.unwrap();
        let scheme = command(json!({"scheme": "five_point"}));
        gradebook::update_settings(&kurso, &owner, course, scheme).await.unwrap();
        let answer = async |who: &Viewer, at: usize, right: usize| {
            let answers: Vec<_> = questions[at].iter().take(right).zip([4, 6]).map(|(question, value)| json!({"question_id": question.id, "number": value})).collect();
            attempts::submit(&kurso, who, pages[at], submission(&json!({"answers": answers}))).await.unwrap();
        };
        let (anna, boris) = (kurso.person("anna").await, kurso.person("boris").await);
        for who in [&anna, &boris] {
            learning::enroll(&kurso, who, &Origin::default(), &code).await.unwrap();
        }
        let claim = async |who: &Viewer| certificates::my_certificate(&kurso, who, course).await.unwrap();
        let nothing = claim(&anna).await;
        assert_eq!((nothing.state, nothing.results_left, nothing.percent, nothing.min_percent), (ClaimState::NotYet, 2, None, Some(70)));
        answer(&anna, 0, 2).await;
        let half = claim(&anna).await;
        assert_eq!((half.state, half.results_left, half.percent, half.pages_left), (ClaimState::NotYet, 1, Some(10_000), 0));
        assert_eq!(conflict(certificates::issue(&kurso, &anna, course).await), Message::CertificateNotEarned);
        answer(&anna, 1, 1).await;
        let full = claim(&anna).await;
        assert_eq!((full.state, full.results_left, full.percent), (ClaimState::Available, 0, Some(7500)));
        let issued = certificates::issue(&kurso, &anna, course).await.unwrap();
        assert_eq!((issued.grade.as_deref(), issued.min_percent), (Some("4 (75 %)"), Some(70)));

        // The grade is below the required percent until a teacher overrides it.
        answer(&boris, 0, 1).await;
        answer(&boris, 1, 1).await;
        assert_eq!((claim(&boris).await.state, claim(&boris).await.percent), (ClaimState::NotYet, Some(5000)));
        let enrollment = courses::find(&kurso.db, &boris, course, Right::Read).await.unwrap().enrollment.unwrap().id;
        let decision = json!({"page_id": null, "version": 0, "kind": "override", "points": "92.5", "reason": "Проект"});
        gradebook::decide(&kurso, &owner, enrollment, command(decision)).await.unwrap();
        assert_eq!(certificates::issue(&kurso, &boris, course).await.unwrap().grade.as_deref(), Some("5 (92,5 %)"));
        require_sound(&kurso).await;
    }

    async fn requests_at_the_same_time_make_one_certificate(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let other = kurso.another_node().await;
        let nodes = [&kurso.kurso, &other, &kurso.kurso, &other, &kurso.kurso, &other];
        let claims = join_all(nodes.map(|node| certificates::issue(node, &world.anna, world.course))).await;
        let ids: Vec<_> = claims.into_iter().map(|claim| claim.unwrap().id).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        // Those of different learners get different positions.
        let mut learners = vec![];
        for name in ["boris", "vera", "gleb"] {
            let learner = kurso.person(name).await;
            world.enroll(&kurso, &learner).await;
            world.complete(&kurso, &learner).await;
            learners.push(learner);
        }
        let claims = nodes.iter().zip(&learners).map(|(node, learner)| certificates::issue(node, learner, world.course));
        for claim in join_all(claims).await {
            claim.unwrap();
        }
        let rows = sql!("SELECT COUNT(*), COUNT(DISTINCT status_position) FROM certificates");
        assert_eq!(rows.fetch_one::<(i64, i64)>(&kurso.db).await.unwrap(), (4, 4));
        let taken = sql!("SELECT number, taken FROM status_lists").fetch_all::<(i64, i64)>(&kurso.db).await.unwrap();
        assert_eq!(taken, [(1, 4)]);
        require_sound(&kurso).await;
    }

    async fn a_full_status_list_is_followed_by_another(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        sql!("INSERT INTO status_lists (number, taken) VALUES (1, 131072)").execute(&kurso.db).await.unwrap();
        world.issue(&kurso, &world.anna).await.unwrap();
        let rows = sql!("SELECT status_list, status_position FROM certificates");
        assert_eq!(rows.fetch_all::<(i64, i64)>(&kurso.db).await.unwrap(), [(2, 0)]);
        require_sound(&kurso).await;
    }

    async fn each_role_does_what_the_table_of_rights_says(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        let (editor, teacher, reviewer) = (world.member(&kurso, "editor").await, world.member(&kurso, "teacher").await, world.member(&kurso, "reviewer").await);
        let (boris, root, stranger) = (kurso.person("boris").await, kurso.superuser("root").await, kurso.person("stranger").await);
        world.enroll(&kurso, &boris).await;
        let forbidden = |result: Result<()>| matches!(result, Err(Error::Forbidden(_)));
        let page = kurso_base::pagination::Page::default();
        for who in [&editor, &teacher, &reviewer, &root, &boris] {
            let is_editor = who.id() == editor.id();
            let set = design::set(&kurso, who, world.course, command(json!({"is_on": true}))).await.map(|_| ());
            assert_eq!(forbidden(set), !is_editor);
            assert_eq!(forbidden(design::read(&kurso, who, world.course).await.map(|_| ())), who.id() == boris.id());
            let list = certificates::list(&kurso, who, world.course, &kurso_base::search::Search::ALL, page).await.map(|_| ());
            assert_eq!(forbidden(list), [reviewer.id(), boris.id()].contains(&who.id()));
            let restored = certificates::restore(&kurso, who, issued.id).await.map(|_| ());
            assert_eq!(forbidden(restored), ![teacher.id(), root.id()].contains(&who.id()));
            assert_eq!(forbidden(revoke(&kurso, who, issued.id).await.map(|_| ())), ![teacher.id(), root.id()].contains(&who.id()));
        }
        certificates::restore(&kurso, &world.owner, issued.id).await.unwrap();
        for who in [&editor, &teacher, &reviewer, &world.owner] {
            assert!(matches!(certificates::my_certificate(&kurso, who, world.course).await, Err(Error::Forbidden(Message::NotEnrolled))));
            assert!(matches!(world.issue(&kurso, who).await, Err(Error::Forbidden(Message::NotEnrolled))));
        }
        assert!(is_missing(&revoke(&kurso, &stranger, issued.id).await));
        assert!(matches!(world.issue(&kurso, &stranger).await, Err(Error::NotFound(Message::CourseNotFound))));
        // A certificate is its holder's alone, also for the staff.
        for who in [&editor, &teacher, &world.owner, &root, &boris, &stranger] {
            assert!(is_missing(&certificates::badge(&kurso, who, issued.id).await));
            assert!(is_missing(&certificates::reissue(&kurso, who, issued.id).await));
            let hidden = command(json!({"is_name_shown": false}));
            assert!(is_missing(&certificates::set_privacy(&kurso, who, issued.id, hidden).await));
            assert_eq!(certificates::list_own(&kurso, who, page).await.unwrap().count, 0);
        }
    }

    async fn the_staff_find_certificates_by_all_names_of_the_holder(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        let boris = kurso.person("boris").await;
        world.enroll(&kurso, &boris).await;
        world.complete(&kurso, &boris).await;
        kurso.clock.advance(Duration::minutes(1));
        let later = world.issue(&kurso, &boris).await.unwrap();
        renamed(&kurso, &world.anna, Some("Петрова")).await;
        let find = async |text: &str, skip, limit| {
            let search = kurso_base::search::Search::of(text);
            let page = kurso_base::pagination::Page::new(skip, limit);
            let found = certificates::list(&kurso, &world.owner, world.course, &search, page).await.unwrap();
            let ids: Vec<_> = found.data.iter().map(|found| found.certificate.id).collect();
            (ids, found.count)
        };
        assert_eq!(find("", 0, 10).await, (vec![later.id, issued.id], 2));
        assert_eq!(find("", 1, 1).await, (vec![issued.id], 2));
        for text in ["anna", "ПЕТРОВ", "anna@example.com"] {
            assert_eq!(find(text, 0, 10).await, (vec![issued.id], 1), "{text}");
        }
        assert_eq!(find("nobody", 0, 10).await, (vec![], 0));
        revoke(&kurso, &world.owner, issued.id).await.unwrap();
        let all = certificates::list(&kurso, &world.owner, world.course, &kurso_base::search::Search::ALL, Default::default()).await.unwrap();
        let revoked = &all.data[1];
        assert_eq!((revoked.full_name.as_deref(), revoked.email.as_deref()), (Some("Петрова"), Some("anna@example.com")));
        assert_eq!((revoked.certificate.name.as_str(), revoked.revoked_by.as_ref().unwrap().id), ("anna", world.owner.id()));
        assert_eq!(revoked.certificate.state(kurso.clock.now()), State::Revoked);
    }

    async fn a_certificate_stays_as_it_was_issued(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let zone = command(json!({"time_zone": "Asia/Vladivostok"}));
        course::update(&kurso, &world.owner, world.course, zone).await.unwrap();
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        let before = certificates::read_public(&kurso, &Origin::default(), issued.id).await.unwrap();
        let changes = json!({"is_on": false, "basis": "grade", "heading": "Other", "text": "Other", "accent": "#000000", "valid_months": 1, "signer": "X"});
        world.design(&kurso, changes).await;
        let title = command(json!({"title": "Other", "time_zone": "UTC"}));
        course::update(&kurso, &world.owner, world.course, title).await.unwrap();
        renamed(&kurso, &world.anna, Some("Other")).await;
        assert_eq!(world.issue(&kurso, &world.anna).await.unwrap(), issued);
        let after = certificates::read_public(&kurso, &Origin::default(), issued.id).await.unwrap();
        assert_eq!(after, before);
        assert_eq!((after.zone.name(), after.course_title.as_str(), after.name.as_deref()), ("Asia/Vladivostok", "Курс", Some("anna")));
    }

    async fn a_design_keeps_what_is_not_changed(kurso: TestKurso) {
        let world = World::off(&kurso).await;
        let default = design::read(&kurso, &world.owner, world.course).await.unwrap();
        assert!(!default.is_on && default.heading == "Сертификат");
        let english = world.design(&kurso, json!({"language": "en", "valid_months": 12})).await;
        assert_eq!((english.heading.as_str(), english.valid_months), ("Certificate", Some(12)));
        assert!(english.text.contains("{course}"));
        let own = world.design(&kurso, json!({"heading": "  Diploma ", "accent": "#ABCDEF"})).await;
        assert_eq!((own.heading.as_str(), own.accent.as_str(), own.valid_months), ("Diploma", "#abcdef", Some(12)));
        let russian = world.design(&kurso, json!({"language": "ru", "valid_months": null})).await;
        assert_eq!((russian.heading.as_str(), russian.valid_months), ("Diploma", None), "a heading of the author's own stays");
        assert_eq!(design::read(&kurso, &world.owner, world.course).await.unwrap(), russian);
    }
}
