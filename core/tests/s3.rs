//! Files in an S3 bucket, tested against a local server that verifies every signature.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

use bytes::Bytes;
use chrono::Duration;
use futures_util::TryStreamExt as _;
use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_core::files::upload::{Sink as _, Upload};
use kurso_core::files::{FileStore, cleanup};
use kurso_core::testing::bucket::Bucket;
use kurso_core::testing::{Backend, TestKurso};

async fn read(store: &FileStore, key: &str, range: Option<std::ops::Range<u64>>) -> Result<Vec<u8>, Error> {
    let parts: Vec<Bytes> = store.get(key, range).await?.try_collect().await?;
    Ok(parts.concat())
}

const KEY: &str = "0123456789abcdef0123456789abcdef";

#[tokio::test]
async fn whole_files_and_ranges_are_read() {
    let bucket = Bucket::start().await;
    let spool = tempfile::tempdir().unwrap();
    let store = bucket.store(spool.path());
    store.check().await.unwrap();
    for size in [1_usize, 5 << 20, (12 << 20) + 345] {
        let bytes: Vec<u8> = (0..size).map(|i| (i % 251) as u8).collect();
        let mut writer = store.write(KEY).await.unwrap();
        for part in bytes.chunks(100_000) {
            writer.write(Bytes::copy_from_slice(part)).await.unwrap();
        }
        assert_eq!(
            std::fs::read_dir(spool.path()).unwrap().count(),
            0,
            "it waits without a name"
        );
        writer.finish().await.unwrap();
        assert!(read(&store, KEY, None).await.unwrap() == bytes, "{size}");
        let middle = size as u64 / 2;
        let part = read(&store, KEY, Some(middle..size as u64)).await.unwrap();
        assert!(part == bytes[size / 2..], "{size}");
    }
    assert_eq!(bucket.stored(), 1);
    store.delete(KEY).await.unwrap();
    store.delete(KEY).await.unwrap();
    let gone = read(&store, KEY, None).await;
    assert!(matches!(gone, Err(Error::NotFound(Message::FileNotFound))), "{gone:?}");
}

#[tokio::test]
async fn a_wrong_key_and_a_silent_server_are_errors() {
    let bucket = Bucket::start().await;
    let spool = tempfile::tempdir().unwrap();
    let mut options = bucket.options.clone();
    options[4].1 = "another".to_owned();
    let forged = FileStore::s3("s3://school", &options, spool.path()).unwrap();
    assert!(forged.check().await.is_err());
    assert!(forged.put(KEY, Bytes::from_static(b"x")).await.is_err());
    for bad in ["s3:school", "http://school/x", "s3://"] {
        assert!(FileStore::s3(bad, &options, spool.path()).is_err(), "{bad}");
    }
}

#[tokio::test]
async fn uploads_and_cleanup_work_on_a_bucket() {
    let bucket = Bucket::start().await;
    let kurso = TestKurso::new(Backend::Sqlite).await;
    let files = bucket.store(&kurso.folder.path().join("uploads"));
    let kurso = kurso.configured(|kurso| kurso_core::Kurso { files, ..kurso });
    let ann = kurso.person("ann").await;
    let mut dropped = Upload::begin(&kurso.kurso, &ann, None).await.unwrap();
    dropped.write(Bytes::from(vec![1; 7 << 20])).await.unwrap();
    drop(dropped);
    assert_eq!(bucket.stored(), 0);

    let mut upload = Upload::begin(&kurso.kurso, &ann, None).await.unwrap();
    upload.write(Bytes::from(vec![1; 7 << 20])).await.unwrap();
    let file = upload.finish("a.bin").await.unwrap();
    assert_eq!(read(&kurso.files, &file.key, Some(0..3)).await.unwrap(), [1, 1, 1]);
    kurso.files.put(KEY, Bytes::from_static(b"no row")).await.unwrap();
    assert_eq!(bucket.stored(), 2);

    kurso.clock.advance(Duration::days(3650));
    assert_eq!(cleanup::delete_strays(&kurso).await.unwrap(), 1);
    assert_eq!(cleanup::delete_unused(&kurso).await.unwrap(), 0);
    kurso.clock.advance(Duration::days(7));
    assert_eq!(cleanup::delete_unused(&kurso).await.unwrap(), 1);
    assert_eq!(bucket.stored(), 0);
}
