//! A local S3 server that verifies every signature.

use std::path::Path;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use tempfile::TempDir;

use crate::files::FileStore;

/// A server with the bucket `school`; it stops with the test's runtime.
pub struct Bucket {
    pub folder: TempDir,
    /// The environment variables with which clients find it and may write.
    pub options: Vec<(String, String)>,
}

impl Bucket {
    /// The address of the file store in the bucket.
    pub const URL: &str = "s3://school/files/of/kurso";

    pub async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("school")).unwrap();
        let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder.path()).unwrap());
        service.set_auth(SimpleAuth::from_single("an-access-key", "a-secret-key"));
        let service = service.build();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    let server = Builder::new(TokioExecutor::new());
                    let _ = server.serve_connection(TokioIo::new(socket), service).await;
                });
            }
        });
        let options = [
            ("AWS_ENDPOINT_URL", format!("http://{address}")),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", "an-access-key".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "a-secret-key".to_owned()),
            ("AWS_PROFILE", "somebody".to_owned()),
        ];
        Bucket {
            folder,
            options: options.map(|(name, value)| (name.to_owned(), value)).into(),
        }
    }

    pub fn store(&self, spool: &Path) -> FileStore {
        FileStore::s3(Self::URL, &self.options, spool).unwrap()
    }

    /// The number of objects in the bucket, with any prefix.
    pub fn stored(&self) -> usize {
        fn count(folder: &Path) -> usize {
            let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
            entries
                .map(|entry| {
                    if entry.file_type().unwrap().is_dir() {
                        count(&entry.path())
                    } else {
                        1
                    }
                })
                .sum()
        }
        count(&self.folder.path().join("school"))
    }
}
