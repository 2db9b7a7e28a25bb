//! Imports, for tests: they are uploaded as a client does it, and waited for.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use kurso_base::ids::JobId;

use super::import_plan;
use crate::Kurso;
use crate::access::Viewer;
use crate::files::upload::Sink as _;
use crate::imports::{self, Import, ImportUpload};
use crate::jobs::State;

/// Uploads a file, with these fields of a form before it, and starts its import.
pub async fn begin_import(
    kurso: &Arc<Kurso>,
    who: &Viewer,
    filename: &str,
    bytes: impl Into<Bytes>,
    fields: &[(&str, &str)],
) -> Import {
    let mut upload = ImportUpload::begin(kurso, who, None).await.unwrap();
    for (name, value) in fields {
        upload.field(name, value).await.unwrap();
    }
    upload.write(bytes.into()).await.unwrap();
    upload.finish(filename, import_plan(fields)).await.unwrap()
}

/// Waits, at most 30 seconds, until `wanted` holds for an import.
pub async fn import_when(kurso: &Kurso, who: &Viewer, id: JobId, wanted: impl Fn(&Import) -> bool) -> Import {
    for _ in 0..600 {
        let import = imports::get(kurso, who, id).await.unwrap();
        if wanted(&import) {
            return import;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{:?}", imports::get(kurso, who, id).await);
}

/// Waits until an import has ended or waits for its confirmation.
pub async fn settled_import(kurso: &Kurso, who: &Viewer, id: JobId) -> Import {
    import_when(kurso, who, id, |import| {
        import.state.is_final() || import.state == State::Ready
    })
    .await
}
