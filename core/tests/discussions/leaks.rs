//! Nobody reads, is told or mailed of discussions that are not for them: every person against every discussion.

use kurso_core::courses::team;
use kurso_core::discussions::{DiscussionsWatch, Reader, Scope};
use kurso_core::inbox::{self, Wanted};
use kurso_core::notice_mails::digest;
use kurso_core::{content_search, courses};

use super::*;

const SECRET: &str = "Sesame";

/// A discussion, with a text for a human, and who reads it.
struct Case {
    name: &'static str,
    id: DiscussionId,
    readers: Vec<&'static str>,
}

impl World {
    fn people(&self) -> [(&'static str, &Viewer); 7] {
        [
            ("owner", &self.owner),
            ("editor", &self.editor),
            ("teacher", &self.teacher),
            ("anna", &self.anna),
            ("boris", &self.boris),
            ("vera", &self.vera),
            ("gleb", &self.gleb),
        ]
    }

    /// One discussion of each kind, all asked by Anna.
    async fn cases(&self) -> Vec<Case> {
        let ask = async |more: Value| {
            let mut new = json!({"body": body(SECRET)});
            new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            self.start(&self.anna, new).await.unwrap()
        };
        let mut cases = vec![];
        let mut add = |name, id, learners: &[&'static str]| {
            let mut readers = vec!["owner", "teacher"];
            readers.extend(learners);
            cases.push(Case { name, id, readers });
        };
        add(
            "course",
            ask(json!({})).await.id,
            &["editor", "anna", "boris", "vera", "gleb"],
        );
        add("private", ask(json!({"to_teachers": true})).await.id, &["anna"]);
        let hidden = ask(json!({})).await;
        self.moderate(
            &self.teacher,
            hidden.question.id,
            json!({"action": "hide", "reason": "x"}),
        )
        .await
        .unwrap();
        add("hidden", hidden.id, &["editor", "anna"]);
        self.set(json!({"is_per_group": true})).await;
        add("group", ask(json!({})).await.id, &["editor", "anna", "boris"]);
        let lonely = self.start(&self.gleb, json!({"body": body(SECRET)})).await.unwrap();
        add("no group", lonely.id, &["editor", "gleb"]);
        cases
    }

    /// Everything that a person reads anywhere of discussions.
    async fn reads(&self, who: &Viewer, id: DiscussionId) -> bool {
        let all = DiscussionFilter::All;
        let listed = self.listed(who, all).await.contains(&id);
        let single = self.get(who, id).await.is_ok();
        assert_eq!(listed, single);
        let reply = self.reply(who, id, SECRET).await;
        assert_eq!(reply.is_ok(), single);
        if let Ok(reply) = reply {
            assert!(
                discussions::mark(&self.kurso, who, reply.post.id, command(json!({"is_useful": true})))
                    .await
                    .is_err()
            );
        }
        single
    }
}

both! {
    async fn everybody_reads_what_is_for_them_and_nothing_else(kurso: TestKurso) {
        let world = World::new(kurso).await;
        for case in world.cases().await {
            for (name, person) in world.people() {
                let reads = world.reads(person, case.id).await;
                assert_eq!(reads, case.readers.contains(&name), "{name} and {}", case.name);
            }
        }
        // The rule of the database is the pure one.
        for (_, person) in world.people() {
            let course = courses::find(&world.kurso.db, person, world.course, Right::Discuss).await.unwrap();
            let reader = Reader::of(&course, person.id()).unwrap();
            let listed = world.listed(person, DiscussionFilter::All).await;
            for id in world.listed(&world.owner, DiscussionFilter::All).await {
                let stored = world.get(&world.owner, id).await.unwrap();
                let scope = Scope {
                    asker: stored.question.author.as_ref().map(|author| author.id),
                    audience: stored.audience,
                    group: stored.group_id,
                    is_hidden: stored.question.hidden.is_some(),
                    is_on: true,
                };
                assert_eq!(reader.reads(&scope), listed.contains(&id));
            }
        }
    }

    async fn strangers_reviewers_and_superusers_read_nothing(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await;
        let stranger = world.kurso.person("stranger").await;
        let root = world.kurso.superuser("root").await;
        let reviewer = world.kurso.person("another").await;
        world.kurso.collaborator(world.course, &reviewer, "reviewer").await;
        assert!(is_missing(&world.get(&stranger, asked.id).await) && is_missing(&world.start(&stranger, json!({})).await));
        for person in [&root, &reviewer] {
            assert!(is_forbidden(&world.get(person, asked.id).await), "{}", person.user.email);
            assert!(is_forbidden(&world.start(person, json!({})).await));
            assert!(is_forbidden(&discussions::of_page(&world.kurso, person, world.page, DiscussionFilter::All, Page::new(0, 10)).await));
            assert!(is_forbidden(&discussions::delete(&world.kurso, person, asked.question.id).await));
            assert!(is_forbidden(&discussions::settings(&world.kurso, person, world.course).await));
        }
    }

    async fn locked_and_unpublished_pages_hide_their_questions(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await;
        world.reply(&world.boris, asked.id, SECRET).await.unwrap();
        let later = world.kurso.clock.now() + Duration::days(1);
        for (hide, show) in [
            (json!({"published": false}), json!({"published": true})),
            (json!({"available_from": later}), json!({"available_from": null})),
        ] {
            world.update(hide).await;
            assert!(world.get(&world.anna, asked.id).await.is_err());
            assert!(world.start(&world.anna, json!({})).await.is_err() && world.reply(&world.anna, asked.id, "x").await.is_err());
            assert!(discussions::blocks(&world.kurso, &world.anna, world.page).await.is_err());
            assert!(discussions::delete(&world.kurso, &world.anna, asked.question.id).await.is_err());
            assert_eq!(told(&world, &world.anna).await, 0);
            assert!(world.get(&world.teacher, asked.id).await.is_ok());
            world.update(show).await;
            assert_eq!(told(&world, &world.anna).await, 1);
        }
    }

    async fn anonymous_authors_are_known_to_owner_and_teachers_only(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let ask = json!({"is_anonymous": true});
        assert_eq!(invalid(world.start(&world.anna, ask.clone()).await), Message::AnonymousNotAllowed);
        world.set(json!({"allows_anonymous": true})).await;
        let asked = world.start(&world.anna, ask).await.unwrap().id;
        world.reply(&world.boris, asked, "So").await.unwrap();
        world.set(json!({"allows_anonymous": false})).await;
        world.reply(&world.anna, asked, "Thanks").await.unwrap();
        for (name, person) in world.people() {
            let seen = world.posts(person, asked).await;
            let knows = matches!(name, "owner" | "teacher" | "anna");
            for at in [0, 2] {
                assert_eq!(seen[at].author.is_some(), knows, "{name}");
                assert!(seen[at].is_anonymous && seen[at].by_asker);
            }
            assert_eq!(seen[1].author.as_ref().unwrap().id, world.boris.id());
        }
        let list = inbox::list(&world.kurso, &world.boris, Wanted { first: 10, ..Wanted::default() }).await.unwrap();
        assert_eq!((list.items.len(), &list.items[0].actor), (1, &None), "the notice does not name who answered anonymously");
        // Posts of the staff are never anonymous.
        world.set(json!({"allows_anonymous": true})).await;
        let staff = world.start(&world.teacher, json!({"is_anonymous": true})).await.unwrap();
        assert!(!staff.question.is_anonymous && staff.question.author.is_some());
    }

    async fn notices_and_mails_follow_the_rights_of_their_reader(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.start(&world.anna, json!({"body": body(SECRET)})).await.unwrap();
        for follower in [&world.boris, &world.vera, &world.gleb] {
            discussions::note(&world.kurso, follower, asked.id, command(json!({"follows": true}))).await.unwrap();
        }
        world.reply(&world.teacher, asked.id, SECRET).await.unwrap();
        for learner in [&world.anna, &world.boris, &world.vera, &world.gleb] {
            assert_eq!(told(&world, learner).await, 1);
        }
        team::leave(&world.kurso, &world.vera, world.course).await.unwrap();
        assert_eq!(told(&world, &world.vera).await, 0, "who left hears nothing");
        world.reply(&world.teacher, asked.id, "More").await.unwrap();
        assert_eq!(told(&world, &world.vera).await, 0);
        world.moderate(&world.teacher, asked.question.id, json!({"action": "hide", "reason": "x"})).await.unwrap();
        assert_eq!(told(&world, &world.boris).await, 0);
        assert_eq!(told(&world, &world.anna).await, 1, "who asked reads the answers to a hidden question");
        world.kurso.clock.advance(Duration::days(2));
        digest::queue_due(&world.kurso).await.unwrap();
        let mails = world.kurso.mails().await;
        let to = |name: &str| mails.iter().filter(|mail| mail.to == format!("{name}@example.com")).collect::<Vec<_>>();
        for name in ["boris", "vera", "gleb", "editor"] {
            assert!(to(name).is_empty(), "{name}");
        }
        let mail = to("anna")[0];
        assert!(mail.text.contains("More") && mail.text.contains(&format!("?question={}", asked.id)), "{}", mail.text);
    }

    async fn questions_are_in_no_search(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.start(&world.anna, json!({"body": body("Sesamstrasse")})).await.unwrap();
        world.reply(&world.teacher, asked.id, "Sesamstrasse").await.unwrap();
        for (_, person) in world.people() {
            let found = content_search::search(&world.kurso, person, "Sesamstrasse", None, Page::new(0, 10)).await.unwrap();
            assert_eq!(found.count, 0);
        }
    }

    async fn subscribers_are_told_of_what_they_read(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let open = async |who: &Viewer| DiscussionsWatch::start(&world.kurso, who, world.course, Some(world.page)).await.unwrap();
        let mut watches = vec![];
        for (name, person) in world.people() {
            watches.push((name, open(person).await));
        }
        assert!(is_forbidden(&DiscussionsWatch::start(&world.kurso, &world.anna, world.course, None).await));
        let mut all = DiscussionsWatch::start(&world.kurso, &world.teacher, world.course, None).await.unwrap();
        let private = world.start(&world.anna, json!({"to_teachers": true})).await.unwrap();
        let public = world.ask(&world.boris).await;
        assert_eq!(all.next(&world.kurso).await.unwrap().unwrap().discussion, private.id);
        for (name, watch) in &mut watches {
            let first = watch.next(&world.kurso).await.unwrap().unwrap();
            let reads_private = matches!(*name, "owner" | "teacher" | "anna");
            assert_eq!(first.discussion, if reads_private { private.id } else { public.id }, "{name}");
            assert_eq!(first.is_mine, matches!(*name, "anna" | "boris"));
        }
        let (_, gleb) = watches.last_mut().unwrap();
        team::leave(&world.kurso, &world.gleb, world.course).await.unwrap();
        world.ask(&world.boris).await;
        assert!(is_missing(&gleb.next(&world.kurso).await), "who left is told nothing more");
    }
}

/// The number of notices that answers have caused.
async fn told(world: &World, of: &Viewer) -> usize {
    let wanted = Wanted {
        first: 100,
        ..Wanted::default()
    };
    let list = inbox::list(&world.kurso, of, wanted).await.unwrap();
    let answered = list.items.iter().filter(|notice| notice.kind.name() == "answered");
    answered.count()
}
