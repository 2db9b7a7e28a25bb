//! Reports of exports: those of the files, without the files.

use std::fs::File;
use std::time::SystemTime;

use kurso_core::exports::{self, Format, How, Request};
use kurso_core::imports;
use kurso_db::sql;

use super::*;
use crate::exports::course as small_course;

const FORMS: [DateForm; 2] = [DateForm::Moments, DateForm::FromStart];

both! {
    async fn a_report_is_that_of_the_file(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let dir = tempfile::TempDir::new().unwrap();
        let at = |name: &str| dir.path().join(name);
        let whole = stored(&kurso, &owner, sample(&at("sample"))).await;
        // An unpublished page, and a film that is too large for the file for browsers.
        let lossy = stored(&kurso, &owner, small_course(&at("lossy"))).await;
        let mut lines = 0;
        // The second time, each course has a file whose bytes are lost.
        for are_lost in [false, true] {
            for course in [whole, lossy] {
                if are_lost {
                    let key = load(&kurso, course, None, &at("sample")).await.unwrap().files.remove(0).path;
                    kurso.files.delete(key.file_name().unwrap().to_str().unwrap()).await.unwrap();
                }
                for (format, dates) in Format::ALL.into_iter().flat_map(|format| FORMS.map(|dates| (format, dates))) {
                    let request = Request { dates, ..Request::of(course, format) };
                    let reported = exports::report(&kurso, &owner, request).await.unwrap();
                    let Some(write) = format.write() else {
                        assert_eq!(reported, [], "a table of learners");
                        continue;
                    };
                    let scratch = at(&format!("scratch-{}", Uuid::now_v7()));
                    let draft = loaded(&kurso, course, &scratch).await;
                    let how = How { dates, ..How::default() };
                    let written = write(&draft, how, &at(&format!("{}.zip", Uuid::now_v7()))).unwrap();
                    assert_eq!(reported, imports::lines(&written), "{format:?} {dates:?}");
                    lines += reported.len();
                }
            }
        }
        assert!(lines > 20, "{lines} lines");
    }

    async fn a_report_writes_nothing(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let dir = tempfile::TempDir::new().unwrap();
        let course = stored(&kurso, &owner, small_course(&dir.path().join("course"))).await;
        let reports = async || {
            for format in Format::ALL {
                exports::report(&kurso, &owner, Request::of(course, format)).await.unwrap();
            }
        };
        // Every folder for an export is made in one folder, whose time tells of it.
        drop(kurso.files.create_work_folder().await.unwrap());
        let work = kurso.folder.path().join(".kurso-work");
        let changed = || work.metadata().unwrap().modified().unwrap();
        File::open(&work).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        reports().await;
        assert_eq!(changed(), SystemTime::UNIX_EPOCH, "something was written");

        let exported = exports::export(&kurso, &owner, Request::of(course, Format::Html), kurso_base::messages::Lang::Ru).await.unwrap();
        assert!(exported.size > 1000);
        assert_ne!(changed(), SystemTime::UNIX_EPOCH, "the time tells nothing");
        let audited = sql!("SELECT COUNT(*) FROM audit WHERE kind = 'course_exported'");
        assert_eq!(audited.fetch_one::<(i64,)>(&kurso.db).await.unwrap().0, 1, "a report is no export");
    }
}
