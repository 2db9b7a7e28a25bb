//! The life of a certificate: reissuing, revoking, expiring, what visitors see, and what survives.

use bytes::Bytes;
use kurso_base::pagination::Page;
use kurso_core::auth::limits::{self, Limit};
use kurso_core::certificates::pictures::{self, CertificatePictureUpload, Picture};
use kurso_core::certificates::{Access, PublicCertificate};
use kurso_core::courses::{duplicate, team};
use kurso_core::files::cleanup;
use kurso_core::files::upload::Sink as _;
use kurso_core::trash::{self, RestoreFromTrash};
use kurso_core::users;

use super::*;

/// 80 by 60 pixels.
const PICTURE: &[u8] = include_bytes!("../pictures/red-blue-420.avif");

async fn public(kurso: &TestKurso, id: CertificateId) -> PublicCertificate {
    certificates::read_public(kurso, &Origin::default(), id).await.unwrap()
}

async fn has_public_pdf(kurso: &TestKurso, id: CertificateId) -> bool {
    match certificates::pdf(&kurso.kurso, &Origin::default(), id, Access::Public).await {
        Ok(_) => true,
        Err(Error::NotFound(Message::CertificateNotFound)) => false,
        Err(error) => panic!("{error:?}"),
    }
}

async fn show(kurso: &TestKurso, who: &Viewer, id: CertificateId, to: Value) -> Certificate {
    certificates::set_privacy(kurso, who, id, command(to)).await.unwrap()
}

async fn upload(kurso: &TestKurso, world: &World, picture: Picture) -> Design {
    let begun = CertificatePictureUpload::begin(&kurso.kurso, &world.owner, world.course, picture, None).await;
    let mut upload = begun.unwrap();
    upload.write(Bytes::from_static(PICTURE)).await.unwrap();
    upload.finish().await.unwrap()
}

both! {
    async fn another_name_makes_another_certificate(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        world.design(&kurso, json!({"valid_months": 12})).await;
        let old = world.issue(&kurso, &world.anna).await.unwrap();
        show(&kurso, &world.anna, old.id, json!({"is_grade_shown": true})).await;
        assert_eq!(conflict(certificates::reissue(&kurso, &world.anna, old.id).await), Message::CertificateNameCurrent);
        kurso.clock.advance(Duration::days(30));
        let anna = renamed(&kurso, &world.anna, Some("Анна Петрова")).await;
        assert!(certificates::my_certificate(&kurso, &anna, world.course).await.unwrap().can_reissue);
        let new = certificates::reissue(&kurso, &anna, old.id).await.unwrap();
        assert_eq!((new.name.as_str(), new.awarded_at, new.expires_at), ("Анна Петрова", old.awarded_at, old.expires_at));
        assert_eq!((new.issued_at, new.is_grade_shown), (kurso.clock.now(), true));
        assert_ne!(new.id, old.id);
        let page = public(&kurso, old.id).await;
        assert_eq!((page.state, page.replaced_by), (State::Replaced, Some(new.id)));
        assert_eq!((page.name, page.grade, page.pdf_url), (None, None, None), "the old name is gone");
        assert!(!has_public_pdf(&kurso, old.id).await && has_public_pdf(&kurso, new.id).await);
        assert_eq!(public(&kurso, new.id).await.name.as_deref(), Some("Анна Петрова"));
        assert_eq!(certificates::my_certificate(&kurso, &anna, world.course).await.unwrap().certificate, Some(new.clone()));
        assert_eq!(conflict(certificates::reissue(&kurso, &anna, old.id).await), Message::CertificateReplaced);
        assert_eq!(conflict(revoke(&kurso, &world.owner, old.id).await), Message::CertificateReplaced);
        assert_eq!(conflict(certificates::restore(&kurso, &world.owner, old.id).await), Message::CertificateReplaced);
        assert_eq!(conflict(certificates::badge(&kurso, &anna, old.id).await), Message::CertificateNotValid);
        let own = certificates::list_own(&kurso, &anna, Page::default()).await.unwrap();
        assert_eq!(own.data.iter().map(|own| own.id).collect::<Vec<_>>(), [new.id, old.id]);

        // Of several requests at the same time one makes the next certificate.
        let again = renamed(&kurso, &anna, Some("Анна Сидорова")).await;
        let requests = join_all([1, 2, 3].map(|_| certificates::reissue(&kurso, &again, new.id))).await;
        assert_eq!(requests.iter().filter(|request| request.is_ok()).count(), 1, "{requests:?}");
        let nameless = renamed(&kurso, &anna, None).await;
        let last = requests.into_iter().find_map(Result::ok).unwrap();
        assert_eq!(conflict(certificates::reissue(&kurso, &nameless, last.id).await), Message::CertificateNeedsName);
        require_sound(&kurso).await;
    }

    async fn revoking_has_a_reason_and_can_be_taken_back(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        let teacher = world.member(&kurso, "teacher").await;
        let revoked = revoke(&kurso, &teacher, issued.id).await.unwrap();
        assert_eq!((revoked.certificate.revoke_reason.as_deref(), revoked.revoked_by.unwrap().id), (Some("Списано"), teacher.id()));
        kurso.clock.advance(Duration::minutes(1));
        let other = certificates::revoke(&kurso, &world.owner, issued.id, command(json!({"reason": "Other"}))).await.unwrap();
        assert_eq!(other.certificate, revoked.certificate, "the first reason stays");
        let page = public(&kurso, issued.id).await;
        assert_eq!((page.state, page.pdf_url.as_deref(), page.name.as_deref()), (State::Revoked, None, Some("anna")));
        assert!(!format!("{page:?}").contains("Списано"), "visitors do not read why");
        let claim = certificates::my_certificate(&kurso, &world.anna, world.course).await.unwrap();
        assert_eq!((claim.state, claim.certificate.unwrap().revoke_reason.as_deref()), (ClaimState::Revoked, Some("Списано")));
        assert_eq!(conflict(world.issue(&kurso, &world.anna).await), Message::CertificateNotValid, "no second one");
        let anna = renamed(&kurso, &world.anna, Some("Другая")).await;
        assert_eq!(conflict(certificates::reissue(&kurso, &anna, issued.id).await), Message::CertificateNotValid);
        assert_eq!(conflict(certificates::badge(&kurso, &anna, issued.id).await), Message::CertificateNotValid);
        assert!(!has_public_pdf(&kurso, issued.id).await && revoked.certificate.pdf_url(&kurso).is_none());
        // What the teacher wrote goes with the teacher's texts.
        let texts = users::texts(&kurso, &teacher, Page::default()).await.unwrap();
        assert_eq!((texts.count, texts.data[0].text.as_deref(), texts.data[0].kind.name()), (1, Some("Списано"), "reason"));
        require_sound(&kurso).await;

        certificates::restore(&kurso, &teacher, issued.id).await.unwrap();
        let restored = certificates::restore(&kurso, &teacher, issued.id).await.unwrap();
        assert_eq!(restored.certificate, issued, "as if nothing had happened");
        assert_eq!((public(&kurso, issued.id).await.state, world.state(&kurso, &world.anna).await), (State::Valid, ClaimState::Issued));
        let acts = sql!("SELECT kind FROM audit WHERE kind LIKE 'certificate%' ORDER BY at, id");
        let acts: Vec<_> = acts.fetch_all::<(String,)>(&kurso.db).await.unwrap().into_iter().map(|(kind,)| kind).collect();
        assert_eq!(acts, ["certificate_issued", "certificate_revoked", "certificate_restored"]);
        require_sound(&kurso).await;
    }

    async fn a_certificate_expires(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        world.design(&kurso, json!({"valid_months": 1})).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        let end = issued.expires_at.unwrap();
        kurso.clock.advance(end - Duration::seconds(1) - kurso.clock.now());
        assert_eq!(public(&kurso, issued.id).await.state, State::Valid, "to the end of its last day");
        kurso.clock.advance(Duration::seconds(1));
        let page = public(&kurso, issued.id).await;
        assert_eq!((page.state, page.pdf_url.is_some()), (State::Expired, true));
        assert_eq!(world.state(&kurso, &world.anna).await, ClaimState::Expired);
        assert_eq!(conflict(world.issue(&kurso, &world.anna).await), Message::CertificateNotValid);
        let anna = renamed(&kurso, &world.anna, Some("Другая")).await;
        assert_eq!(conflict(certificates::reissue(&kurso, &anna, issued.id).await), Message::CertificateNotValid);
        certificates::badge(&kurso, &anna, issued.id).await.unwrap();
    }

    async fn a_certificate_ends_with_a_day_in_the_zone_of_the_course(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        sql!("UPDATE courses SET time_zone = 'Asia/Kamchatka'").execute(&kurso.db).await.unwrap();
        world.design(&kurso, json!({"valid_months": 1})).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        let zone = issued.zone();
        assert_eq!(zone.name(), "Asia/Kamchatka");
        let (end, month) = (issued.expires_at.unwrap(), chrono::Months::new(1));
        assert_eq!(certificates::last_day(end, zone), zone.day_of(issued.awarded_at).checked_add_months(month).unwrap());
        assert_eq!(zone.local(end).time(), chrono::NaiveTime::MIN);
    }

    async fn staff_see_no_addresses_of_people_who_have_left_and_no_replaced_certificates(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let old = world.issue(&kurso, &world.anna).await.unwrap();
        let anna = renamed(&kurso, &world.anna, Some("Анна Петрова")).await;
        let new = certificates::reissue(&kurso, &anna, old.id).await.unwrap();
        let list = async |words: &str| {
            let search = kurso_base::search::Search::of(words);
            certificates::list(&kurso, &world.owner, world.course, &search, Page::default()).await.unwrap()
        };
        for words in ["", "anna@example.com"] {
            let found = list(words).await;
            let [row] = &found.data[..] else { panic!("{words}: {found:?}") };
            assert_eq!((row.certificate.id, row.email.as_deref(), found.count), (new.id, Some("anna@example.com"), 1));
        }
        team::leave(&kurso, &anna, world.course).await.unwrap();
        renamed(&kurso, &anna, Some("Анна Сидорова")).await;
        assert_eq!((list("anna@example.com").await.count, list("Сидорова").await.count), (0, 0));
        let found = list("Петрова").await;
        let row = &found.data[0];
        assert_eq!((row.certificate.name.as_str(), &row.email, &row.full_name), ("Анна Петрова", &None, &None));
    }

    async fn reissuing_is_limited(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let mut id = world.issue(&kurso, &world.anna).await.unwrap().id;
        for number in 0..10 {
            let anna = renamed(&kurso, &world.anna, Some(&format!("Анна {number}"))).await;
            id = certificates::reissue(&kurso, &anna, id).await.unwrap().id;
        }
        let anna = renamed(&kurso, &world.anna, Some("Анна")).await;
        let refused = certificates::reissue(&kurso, &anna, id).await;
        assert!(matches!(refused, Err(Error::RateLimited { .. })), "{refused:?}");
        kurso.clock.advance(Duration::days(1));
        certificates::reissue(&kurso, &anna, id).await.unwrap();
    }

    async fn reads_of_one_address_are_limited(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        let from = |address: &str| Origin { address: Some(address.parse().unwrap()), ..Origin::default() };
        let (one, other) = (from("192.0.2.1"), from("192.0.2.2"));
        let draw = async |origin: &Origin| {
            let drawn = certificates::pdf(&kurso.kurso, origin, issued.id, Access::Public).await?;
            drawn.bytes(origin).await
        };
        // Each drawing takes a while, so the limit is used up without them.
        let keys = limits::of_address(Limit::Drawings, one.address);
        for _ in 0..120 {
            kurso.limits.acquire(&keys, kurso.clock.now()).unwrap();
        }
        assert!(matches!(draw(&one).await, Err(Error::RateLimited { .. })));
        assert!(draw(&other).await.unwrap().starts_with(b"%PDF"));
        certificates::read_public(&kurso, &one, issued.id).await.unwrap();
        let keys = limits::of_address(Limit::Visits, one.address);
        while kurso.limits.acquire(&keys, kurso.clock.now()).is_ok() {}
        let is_limited = |error: Option<Error>| matches!(error, Some(Error::RateLimited { .. }));
        assert!(is_limited(certificates::read_public(&kurso, &one, issued.id).await.err()));
        assert!(is_limited(certificates::pdf(&kurso.kurso, &one, issued.id, Access::Public).await.err()));
        assert!(is_limited(certificates::achievement(&kurso, &one, issued.id).await.err()));
        assert!(is_limited(certificates::jwks(&kurso, &one).await.err()));
        assert!(is_limited(certificates::jwk(&kurso, &one, "key").await.err()));
        assert!(is_limited(certificates::status_list(&kurso, &one, 1).await.err()));
        certificates::read_public(&kurso, &other, issued.id).await.unwrap();
    }

    async fn a_drawing_counts_until_it_ends_even_if_the_client_has_gone(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        let origin = Origin::default();
        let drawn = certificates::pdf(&kurso.kurso, &origin, issued.id, Access::Public).await.unwrap();
        let mut request = Box::pin(drawn.bytes(&origin));
        assert!(futures_util::poll!(&mut request).is_pending());
        assert_eq!(kurso.certificates.running_drawings(), 1);
        drop(request);
        assert_eq!(kurso.certificates.running_drawings(), 1);
        while kurso.certificates.running_drawings() > 0 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    async fn visitors_see_what_the_holder_shows(kurso: TestKurso) {
        let world = World::off(&kurso).await;
        world.design(&kurso, json!({"is_on": true})).await;
        world.complete(&kurso, &world.anna).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        sql!("UPDATE certificates SET grade = '5 (92,5 %)'").execute(&kurso.db).await.unwrap();
        let page = public(&kurso, issued.id).await;
        assert_eq!((page.name.as_deref(), page.grade), (Some("anna"), None));
        assert!(page.pdf_url.is_some() && has_public_pdf(&kurso, issued.id).await);
        // Streams of a PDF are compressed, so its text does not appear in its bytes.
        let drawn = async || format!("{:?}", certificates::pdf(&kurso.kurso, &Origin::default(), issued.id, Access::Public).await.unwrap());
        assert!(drawn().await.contains("anna") && !drawn().await.contains("92,5"));
        show(&kurso, &world.anna, issued.id, json!({"is_grade_shown": true})).await;
        assert_eq!(public(&kurso, issued.id).await.grade.as_deref(), Some("5 (92,5 %)"));
        assert!(drawn().await.contains("92,5"));
        let hidden = show(&kurso, &world.anna, issued.id, json!({"is_name_shown": false})).await;
        assert!(hidden.is_grade_shown && !hidden.is_name_shown);
        let page = public(&kurso, issued.id).await;
        assert_eq!((page.name.as_deref(), page.pdf_url.as_deref(), page.state), (None, None, State::Valid));
        assert!(!has_public_pdf(&kurso, issued.id).await, "a PDF has the name");
        assert!(hidden.pdf_url(&kurso).is_some(), "the holder has it all the same");
        let text = format!("{page:?}");
        assert!(!text.contains("anna") && !text.contains('@'), "{text}");
        assert!(is_missing(&certificates::read_public(&kurso, &Origin::default(), CertificateId::new()).await));
    }

    async fn a_certificate_outlives_enrollment_and_course(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        let before = public(&kurso, issued.id).await;
        team::leave(&kurso, &world.anna, world.course).await.unwrap();
        assert_eq!(public(&kurso, issued.id).await, before);
        assert!(certificates::my_certificate(&kurso, &world.anna, world.course).await.is_err());
        assert_eq!(certificates::list_own(&kurso, &world.anna, Page::default()).await.unwrap().data, std::slice::from_ref(&issued));
        world.enroll(&kurso, &world.anna).await;
        assert_eq!(world.issue(&kurso, &world.anna).await.unwrap(), issued);

        course::delete(&kurso, &world.owner, world.course).await.unwrap();
        assert_eq!(public(&kurso, issued.id).await, before);
        assert!(is_missing(&revoke(&kurso, &world.owner, issued.id).await), "there is no staff any more");
        let root = kurso.superuser("root").await;
        revoke(&kurso, &root, issued.id).await.unwrap();
        assert_eq!(public(&kurso, issued.id).await.state, State::Revoked, "the server issues it, so its superusers can revoke it");
        certificates::restore(&kurso, &root, issued.id).await.unwrap();
        certificates::badge(&kurso, &world.anna, issued.id).await.unwrap();
        require_sound(&kurso).await;
        let entry = trash::deleted_courses(&kurso, &world.owner).await.unwrap().remove(0).id;
        trash::restore(&kurso, &world.owner, entry, RestoreFromTrash::default()).await.unwrap();
        assert!(design::read(&kurso, &world.owner, world.course).await.unwrap().is_on, "the design returns");
        assert_eq!(world.issue(&kurso, &world.anna).await.unwrap(), issued);
        revoke(&kurso, &world.owner, issued.id).await.unwrap();
        certificates::restore(&kurso, &world.owner, issued.id).await.unwrap();

        course::delete(&kurso, &world.owner, world.course).await.unwrap();
        sql!("DELETE FROM trash_entries").execute(&kurso.db).await.unwrap();
        users::delete_me(&kurso, &world.owner).await.unwrap();
        let anna = renamed(&kurso, &world.anna, Some("Другая")).await;
        let new = certificates::reissue(&kurso, &anna, issued.id).await.unwrap();
        assert_eq!(public(&kurso, new.id).await.course_title, "Курс");
        require_sound(&kurso).await;
    }

    async fn deleting_the_account_deletes_the_certificate_and_revokes_its_badge(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        users::delete_me(&kurso, &world.anna).await.unwrap();
        assert!(is_missing(&certificates::read_public(&kurso, &Origin::default(), issued.id).await));
        let count = async |table: &'static str| sql!(table).fetch_one::<(i64,)>(&kurso.db).await.unwrap().0;
        assert_eq!(count("SELECT COUNT(*) FROM certificates").await, 0);
        assert_eq!(count("SELECT COUNT(*) FROM revoked_statuses").await, 1);
        // The position in the status list is not reused.
        let boris = kurso.person("boris").await;
        world.enroll(&kurso, &boris).await;
        world.complete(&kurso, &boris).await;
        world.issue(&kurso, &boris).await.unwrap();
        assert_eq!(count("SELECT status_position FROM certificates").await, 1);
        // Whoever revoked a certificate may go.
        let teacher = world.member(&kurso, "teacher").await;
        let own = certificates::list_own(&kurso, &boris, Page::default()).await.unwrap().data.remove(0);
        revoke(&kurso, &teacher, own.id).await.unwrap();
        users::delete_me(&kurso, &teacher).await.unwrap();
        assert_eq!(public(&kurso, own.id).await.state, State::Revoked);
        let listed = certificates::list(&kurso, &world.owner, world.course, &kurso_base::search::Search::ALL, Page::default()).await.unwrap();
        assert!(listed.data[0].revoked_by.is_none() && listed.data[0].certificate.revoke_reason.is_some());
        require_sound(&kurso).await;
    }

    async fn pictures_are_kept_while_a_certificate_has_them(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let with_logo = upload(&kurso, &world, Picture::Logo).await;
        assert!(with_logo.logo_url.as_deref().is_some_and(|url| url.starts_with("/files/") && url.ends_with("/logo.jpg")));
        let both = upload(&kurso, &world, Picture::Signature).await;
        assert!(both.logo_url == with_logo.logo_url && both.signature_url.is_some());
        world.issue(&kurso, &world.anna).await.unwrap();
        let copy = duplicate::course(&kurso, &world.owner, world.course, Default::default()).await.unwrap().id;
        let copied = design::read(&kurso, &world.owner, copy).await.unwrap();
        assert_eq!(Design { course_id: world.course, ..copied }, both, "a copy has the design");
        let listed = certificates::list(&kurso, &world.owner, copy, &kurso_base::search::Search::ALL, Page::default()).await.unwrap();
        assert_eq!(listed.count, 0, "and no certificates");
        for course in [copy, world.course] {
            for picture in [Picture::Logo, Picture::Signature] {
                let without = pictures::remove(&kurso, &world.owner, course, picture).await.unwrap();
                assert!(picture != Picture::Signature || (without.logo_url.is_none() && without.signature_url.is_none()));
            }
        }
        require_sound(&kurso).await;
        let unused = async || {
            cleanup::delete_unused(&kurso).await.unwrap();
            kurso.clock.advance(Duration::days(8));
            cleanup::delete_unused(&kurso).await.unwrap()
        };
        assert_eq!(unused().await, 0, "the certificate has them");
        users::delete_me(&kurso, &world.anna).await.unwrap();
        assert_eq!(unused().await, 2);
    }
}
