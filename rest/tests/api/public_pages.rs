//! Tests public pages, the catalogue and joining over REST. The core tests cover their rules.

use kurso_core::both;
use kurso_db::sql;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Persona, School, Sent as _, Server};
use crate::uploads::form;

/// 80 by 60 pixels.
const PICTURE: &[u8] = include_bytes!("../../../core/tests/pictures/red-blue-420.avif");

async fn show(school: &School<'_>, to: &str) -> Value {
    let path = format!("/courses/set_visibility/{}", school.course);
    school.owner.put_json(&path, json!({"visibility": to})).await.ok()
}

async fn upload_cover(who: &Persona<'_>, school: &School<'_>) -> Answer {
    let path = format!("/courses/upload_cover/{}", school.course);
    let request = who.request(Method::POST, &path).multipart(form("a.avif", PICTURE));
    request.answer().await
}

async fn set_texts(server: &Server, title: &str, description: &str) {
    sql!("UPDATE courses SET title = $1, description = $2", title, description)
        .execute(&server.kurso.db)
        .await
        .unwrap();
}

/// A page for visitors, in a language.
async fn page(server: &Server, path: &str, lang: &str) -> Answer {
    let url = format!("{}{path}", server.url);
    let request = reqwest::Client::new().get(url).header("accept-language", lang);
    request.answer().await
}

/// What only people in the course know.
async fn secrets(server: &Server, school: &School<'_>) -> Vec<String> {
    let emails = sql!("SELECT email FROM users")
        .fetch_all::<(String,)>(&server.kurso.db)
        .await
        .unwrap();
    let pages = sql!("SELECT id FROM pages")
        .fetch_all::<(uuid::Uuid,)>(&server.kurso.db)
        .await
        .unwrap();
    let mut secrets: Vec<String> = emails.into_iter().map(|(email,)| email).collect();
    secrets.extend(pages.into_iter().map(|(id,)| id.to_string()));
    secrets.push(school.share_code.clone());
    secrets.push(school.lesson.to_string());
    secrets
}

both! {
    async fn a_public_page_shows_only_public_information(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        upload_cover(&school.editor, &school).await.ok();
        let (api, html) = (format!("/courses/public_course/{}", school.course), format!("/courses/{}", school.course));
        let unknown = "/courses/01900000-0000-7000-8000-000000000000";
        let nothing = page(&server, unknown, "ru").await;
        assert_eq!(nothing.status, 404);
        let closed = async || {
            for who in [&school.anonymous, &school.stranger, &school.learner, &school.owner, &school.admin] {
                who.get(&api).await.refused(404, "Course not found");
            }
            let answer = page(&server, &html, "ru").await;
            assert_eq!((answer.status, answer.text()), (404, nothing.text()), "it looks as if there were no course");
            assert_eq!(page(&server, &format!("{html}/cover"), "ru").await.status, 404);
            let listed = school.anonymous.get("/courses/catalogue").await.ok();
            assert_eq!(listed, json!({"data": [], "count": 0}));
            assert!(!page(&server, "/courses", "ru").await.text().contains(&school.course.to_string()));
            assert!(!page(&server, "/sitemap.xml", "ru").await.text().contains(&school.course.to_string()));
            let joined = school.stranger.post(&format!("/courses/join_course/{}", school.course)).await;
            joined.refused(404, "Course not found");
        };
        closed().await;
        for to in ["link", "public"] {
            assert_eq!(show(&school, to).await["visibility"], to);
            let mut shown = vec![page(&server, &html, "ru").await.text(), page(&server, &html, "en").await.text()];
            for who in [&school.anonymous, &school.stranger, &school.owner] {
                let read = who.get(&api).await.ok();
                assert_eq!((&read["visibility"], &read["page_count"]), (&json!(to), &json!(4)));
                shown.push(read.to_string());
            }
            if to == "public" {
                let listed = school.anonymous.get("/courses/catalogue?search=курс&limit=1").await.ok();
                assert_eq!((&listed["count"], &listed["data"][0]["id"]), (&json!(1), &json!(school.course)));
                shown.push(listed.to_string());
                shown.push(page(&server, "/courses", "ru").await.text());
            }
            for secret in secrets(&server, &school).await {
                for text in &shown {
                    assert!(!text.contains(&secret), "{secret} in {text}");
                }
            }
        }
        let cover = page(&server, &format!("{html}/cover"), "ru").await;
        assert_eq!((cover.status, cover.header("content-type")), (200, "image/jpeg"));
        school.owner.delete(&format!("/courses/delete_course/{}", school.course)).await.ok();
        let entry = school.owner.get("/courses/deleted_courses").await.ok()["data"][0]["id"].clone();
        closed_but_for_roles(&server, &school, &api, &html).await;
        let restore = format!("/courses/restore_from_trash/{}", entry.as_str().unwrap());
        school.owner.post_json(&restore, json!({})).await.ok();
        assert_eq!(page(&server, &html, "ru").await.status, 200);
        show(&school, "private").await;
        closed().await;
    }

    async fn settings_are_for_the_staff_and_visibility_for_the_owner(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let settings = format!("/courses/public_page/{}", school.course);
        let none = json!({"visibility": "private", "cover_url": null, "allows_guests": false});
        for who in [&school.owner, &school.editor, &school.teacher, &school.admin] {
            assert_eq!(who.get(&settings).await.ok(), none);
        }
        let path = format!("/courses/set_visibility/{}", school.course);
        let body = json!({"visibility": "public"});
        for (who, status) in [(&school.editor, 403), (&school.teacher, 403), (&school.learner, 403), (&school.stranger, 404), (&school.anonymous, 401)] {
            assert_eq!(who.put_json(&path, body.clone()).await.status, status);
        }
        for (wrong, error) in [(json!({}), "missing at body.visibility"), (json!({"visibility": "secret"}), "enum at body.visibility"),
            (json!({"visibility": 1}), "enum at body.visibility"), (json!({"visibility": "link", "allows_guests": "x"}), "bool_parsing at body.allows_guests")] {
            assert_eq!(school.owner.put_json(&path, wrong).await.fields(), [error]);
        }
        assert_eq!(school.owner.get(&settings).await.ok(), none);
        let with_cover = upload_cover(&school.editor, &school).await.ok();
        let url = with_cover["cover_url"].as_str().unwrap();
        assert_eq!(server.anonymous().get(url).await.status, 200);
        for (who, status) in [(&school.teacher, 403), (&school.learner, 403), (&school.stranger, 404), (&school.anonymous, 401)] {
            assert_eq!(upload_cover(who, &school).await.status, status);
        }
        let remove = format!("/courses/remove_cover/{}", school.course);
        assert_eq!(school.teacher.delete(&remove).await.status, 403);
        assert_eq!(school.owner.delete(&remove).await.ok(), none);
    }

    async fn a_visitor_becomes_a_learner(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        show(&school, "link").await;
        let path = format!("/courses/join_course/{}", school.course);
        assert_eq!(school.anonymous.post(&path).await.status, 401);
        let enrollment = school.stranger.post(&path).await.ok();
        assert_eq!((&enrollment["course"]["my_role"], &enrollment["group_title"]), (&json!("learner"), &Value::Null));
        assert_eq!(school.stranger.post(&path).await.ok()["id"], enrollment["id"]);
        let tree = format!("/courses/enrolled_course/{}", school.course);
        assert_eq!(school.stranger.get(&tree).await.status, 200);
        let ended = json!({"enroll_until": "2020-01-01"});
        school.owner.put_json(&format!("/courses/update_course/{}", school.course), ended).await.ok();
        let late = server.person("late").await.post(&path).await;
        assert_eq!((late.status, &late.json()["code"]), (409, &json!("CLOSED")));
        let page = page(&server, &format!("/courses/{}", school.course), "ru").await.text();
        assert!(page.contains("Запись на курс закончилась.") && !page.contains("/join/"), "{page}");
    }

    async fn pages_escape_what_authors_write(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        show(&school, "public").await;
        let hostile = "\"><script>alert(1)</script><img src=x onerror=alert(2)>' </title> & {{x}} %3C";
        set_texts(&server, hostile, &format!("{hostile}\n\n</p>{hostile}")).await;
        for table in ["UPDATE modules SET title = $1", "UPDATE lessons SET title = $1", "UPDATE users SET full_name = $1"] {
            sql!(table, hostile).execute(&server.kurso.db).await.unwrap();
        }
        sql!("UPDATE courses SET structure_version = structure_version + 1").execute(&server.kurso.db).await.unwrap();
        let query = "%22%3E%3Cscript%3Ealert(3)%3C%2Fscript%3E";
        for path in [format!("/courses/{}", school.course), "/courses".to_owned(), format!("/courses?q={query}"), format!("/courses?lang={query}&page={query}")] {
            let answer = page(&server, &path, "ru").await;
            let text = answer.text();
            assert_eq!(answer.status, 200);
            let scripts: Vec<_> = text.match_indices("<script").map(|(at, _)| &text[at..at + 35]).collect();
            assert!(scripts.iter().all(|script| *script == "<script type=\"application/ld+json\">"), "{scripts:?}");
            assert!(!text.contains("<img src=x") && !text.contains("</p>\"") && !text.contains("onerror=alert(2)>'"), "{text}");
            assert_eq!(text.matches("<h1>").count(), 1);
            assert_eq!(text.matches("</title>").count(), 1);
            let policy = answer.header("content-security-policy");
            assert!(policy.starts_with("default-src 'none'") && !policy.contains("script-src") && !policy.contains("unsafe"), "{policy}");
        }
        let text = page(&server, &format!("/courses/{}", school.course), "ru").await.text();
        let (_, data) = text.split_once("<script type=\"application/ld+json\">").unwrap();
        let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        assert_eq!((&data["@type"], &data["name"], &data["author"][0]["name"]), (&json!("Course"), &json!(hostile), &json!(hostile)));
    }

    async fn search_engines_list_public_courses_only(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        set_texts(&server, "Knots & bends", "How to tie a knot.\nAnd another.").await;
        upload_cover(&school.owner, &school).await.ok();
        let (html, base) = (format!("/courses/{}", school.course), "https://kurso.example");
        for (to, is_indexed) in [("link", false), ("public", true)] {
            show(&school, to).await;
            let answer = page(&server, &html, "en").await;
            let text = answer.text();
            assert_eq!(text.contains("<meta name=\"robots\" content=\"noindex\">"), !is_indexed);
            assert_eq!(answer.header("x-robots-tag"), if is_indexed { "" } else { "noindex" });
            let sitemap = page(&server, "/sitemap.xml", "en").await;
            assert_eq!(sitemap.header("content-type"), "application/xml; charset=utf-8");
            assert_eq!(sitemap.text().contains(&format!("<loc>{base}{html}</loc><lastmod>")), is_indexed);
            assert!(sitemap.text().contains(&format!("<loc>{base}/courses</loc>")));
            for part in [
                "<html lang=\"en\">",
                "<title>Knots &amp; bends — Kurso</title>",
                "<meta name=\"description\" content=\"How to tie a knot. And another.\">",
                "<meta property=\"og:title\" content=\"Knots &amp; bends\">",
                &format!("<meta property=\"og:url\" content=\"{base}{html}\">"),
                &format!("<meta property=\"og:image\" content=\"{base}{html}/cover?v="),
                "<meta name=\"twitter:card\" content=\"summary_large_image\">",
                &format!("<link rel=\"canonical\" href=\"{base}{html}\">"),
                &format!("<a class=\"button\" href=\"/join/{}\">Start the course</a>", school.course),
            ] {
                assert!(text.contains(part), "{part}: {text}");
            }
        }
        let catalogue = page(&server, "/courses?q=knot", "en").await.text();
        assert!(catalogue.contains(&html) && catalogue.contains("noindex"), "results of a search are not indexed");
        assert!(!page(&server, "/courses?q=sail", "en").await.text().contains(&html));
        assert!(!page(&server, "/courses", "en").await.text().contains("noindex"));
        let robots = page(&server, "/robots.txt", "en").await.text();
        assert!(robots.contains(&format!("Sitemap: {base}/sitemap.xml")), "{robots}");
    }

    async fn pages_are_cached_by_language(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        show(&school, "public").await;
        let html = format!("/courses/{}", school.course);
        let russian = page(&server, &html, "de").await;
        assert!(russian.text().contains("<html lang=\"ru\">") && russian.text().contains("Начать"));
        assert_eq!((russian.header("vary"), russian.header("content-language")), ("accept-language", "ru"));
        assert_eq!(russian.header("cache-control"), "public, max-age=60");
        assert!(page(&server, &format!("{html}?lang=en"), "ru").await.text().contains("<html lang=\"en\">"));
        let tag = russian.header("etag").to_owned();
        assert!(tag.starts_with("W/\""), "{tag}");
        let again = async |lang: &str| {
            let request = reqwest::Client::new().get(format!("{}{html}", server.url));
            request.header("accept-language", lang).header("if-none-match", &tag).answer().await
        };
        assert_eq!(again("ru").await.status, 304);
        assert_eq!(again("en").await.status, 200);
        set_texts(&server, "Other", "").await;
        assert_eq!(again("ru").await.status, 200);
        let missing = page(&server, "/courses/nonsense", "ru").await;
        assert_eq!((missing.status, missing.header("cache-control")), (404, "no-cache"));
        assert!(missing.text().contains("Такого курса нет"));
        let beyond = page(&server, "/courses?page=2", "ru").await;
        assert!(beyond.status == 404 && beyond.text().contains("каталог закончился раньше"), "{}", beyond.text());
        let compressed = reqwest::Client::new().get(format!("{}{html}", server.url)).header("accept-encoding", "gzip");
        let compressed = compressed.answer().await;
        assert_eq!((compressed.status, compressed.header("content-encoding")), (200, "gzip"));
        show(&school, "private").await;
        assert_eq!(again("ru").await.status, 404, "a page that was cached is gone too");
    }

    async fn the_chosen_language_stays_on_the_next_page(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        show(&school, "public").await;
        let html = format!("/courses/{}", school.course);
        let (course, catalogue) = (page(&server, &format!("{html}?lang=en"), "ru").await.text(), page(&server, "/courses?q=%D0%BA%D1%83%D1%80%D1%81&lang=en", "ru").await.text());
        assert!(course.contains("href=\"/courses?lang=en\"") && course.contains(&format!("href=\"{html}?lang=ru\"")), "{course}");
        assert!(catalogue.contains(&format!("href=\"{html}?lang=en\"")) && catalogue.contains("name=\"lang\" value=\"en\""), "{catalogue}");
        let unnamed = page(&server, &html, "en").await.text();
        assert!(unnamed.contains("<a href=\"/courses\">"), "the language of the browser is in no address");
        // Search engines get both languages as one page.
        let base = format!("https://kurso.example{html}");
        for text in [&course, &unnamed] {
            for (lang, address) in [("ru", format!("{base}?lang=ru")), ("en", format!("{base}?lang=en")), ("x-default", base.clone())] {
                assert!(text.contains(&format!("<link rel=\"alternate\" hreflang=\"{lang}\" href=\"{address}\">")), "{text}");
            }
        }
        assert!(course.contains(&format!("<link rel=\"canonical\" href=\"{base}?lang=en\">")));
        assert!(unnamed.contains(&format!("<link rel=\"canonical\" href=\"{base}\">")));
    }

    async fn a_page_offers_to_start_without_an_account_where_guests_are_allowed(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        show(&school, "link").await;
        let (html, link) = (format!("/courses/{}", school.course), format!("/join/{}?guest=1", school.course));
        assert!(!page(&server, &html, "ru").await.text().contains(&link));
        let path = format!("/courses/set_visibility/{}", school.course);
        let set = school.owner.put_json(&path, json!({"visibility": "link", "allows_guests": true})).await.ok();
        assert_eq!(set["allows_guests"], true);
        assert!(page(&server, &html, "ru").await.text().contains(&link));
        let api = format!("/courses/public_course/{}", school.course);
        assert_eq!(school.anonymous.get(&api).await.ok()["allows_guests"], true);
    }
}

/// As to a private course; the roles of a deleted course are gone as well.
async fn closed_but_for_roles(server: &Server, school: &School<'_>, api: &str, html: &str) {
    for who in [&school.anonymous, &school.owner] {
        who.get(api).await.refused(404, "Course not found");
    }
    assert_eq!(page(server, html, "ru").await.status, 404);
    assert_eq!(page(server, &format!("{html}/cover"), "ru").await.status, 404);
}
