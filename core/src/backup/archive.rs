//! The single file of a backup: a zip64 archive, written and read in chunks on blocking threads.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::{Error, Result};

/// Chunks buffered between the two sides, and the size of a chunk read.
const BUFFERED_CHUNKS: usize = 8;
const CHUNK: usize = 256 << 10;

enum Step {
    Start { name: String, packed: bool },
    Bytes(Bytes),
}

/// A backup being written under a temporary name, renamed when complete.
pub struct ArchiveWriter {
    steps: mpsc::Sender<Step>,
    work: JoinHandle<io::Result<()>>,
    partial: PathBuf,
    path: PathBuf,
}

impl ArchiveWriter {
    /// Creates the file; fails if it exists.
    pub fn create(path: &Path) -> Result<Self> {
        if path.exists() {
            return Err(Error::Refused(format!("{} exists already", path.display())));
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let partial = path.with_file_name(name);
        let mut options = File::options();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600); // the backup contains password hashes and all answers
        }
        let file = options
            .open(&partial)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", partial.display())))?;
        let (steps, taken) = mpsc::channel(BUFFERED_CHUNKS);
        Ok(ArchiveWriter {
            steps,
            work: tokio::task::spawn_blocking(move || write_all(file, taken)),
            partial,
            path: path.to_owned(),
        })
    }

    /// Starts the next entry. `packed` compresses it: used for texts, not for media files.
    pub async fn start(&mut self, name: String, packed: bool) -> Result<()> {
        self.step(Step::Start { name, packed }).await
    }

    pub async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.step(Step::Bytes(bytes)).await
    }

    async fn step(&mut self, step: Step) -> Result<()> {
        if self.steps.send(step).await.is_ok() {
            return Ok(());
        }
        // The thread ends early only after an error.
        match (&mut self.work).await {
            Ok(Err(error)) => Err(error.into()),
            _ => Err(io::Error::other("the backup could not be written").into()),
        }
    }

    /// Completes the file and syncs it to disk.
    pub async fn finish(self) -> Result<()> {
        drop(self.steps);
        self.work.await.map_err(io::Error::other)??;
        let (partial, path) = (self.partial, self.path);
        let rename = move || {
            std::fs::rename(&partial, &path)?;
            // Syncs the folder too, so that the new name survives a power failure.
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
        };
        tokio::task::spawn_blocking(rename).await.map_err(io::Error::other)??;
        Ok(())
    }

    /// Deletes the incomplete file after an error.
    pub async fn discard(self) {
        drop(self.steps);
        let _ = self.work.await;
        if let Err(error) = tokio::fs::remove_file(&self.partial).await {
            tracing::warn!(%error, file = %self.partial.display(), "an incomplete backup could not be deleted");
        }
    }
}

fn write_all(file: File, mut steps: mpsc::Receiver<Step>) -> io::Result<()> {
    let mut zip = ZipWriter::new(BufWriter::with_capacity(CHUNK, file));
    while let Some(step) = steps.blocking_recv() {
        match step {
            Step::Start { name, packed } => {
                let method = if packed {
                    CompressionMethod::Deflated
                } else {
                    CompressionMethod::Stored
                };
                let options = SimpleFileOptions::default()
                    .compression_method(method)
                    .large_file(true)
                    .unix_permissions(0o600);
                zip.start_file(name, options).map_err(io::Error::other)?;
            }
            Step::Bytes(bytes) => zip.write_all(&bytes)?,
        }
    }
    let file = zip.finish().map_err(io::Error::other)?;
    file.into_inner().map_err(|error| error.into_error())?.sync_all()
}

/// A backup being read, one entry at a time. Clones share it.
#[derive(Clone)]
pub struct ArchiveReader(Arc<Mutex<ZipArchive<BufReader<File>>>>);

impl ArchiveReader {
    pub async fn open(path: &Path) -> Result<Self> {
        let path = path.to_owned();
        let open = move || {
            let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
            let file = File::open(&path).map_err(named)?;
            ZipArchive::new(BufReader::new(file))
                .map_err(|error| Error::Damaged(format!("{} is not a complete zip file: {error}", path.display())))
        };
        let zip = tokio::task::spawn_blocking(open).await.map_err(io::Error::other)??;
        Ok(ArchiveReader(Arc::new(Mutex::new(zip))))
    }

    /// Streams the bytes of an entry.
    pub fn entry(&self, name: &str) -> Entry {
        let (pieces, taken) = mpsc::channel(BUFFERED_CHUNKS);
        let (zip, name) = (self.0.clone(), name.to_owned());
        tokio::task::spawn_blocking(move || {
            let mut zip = zip.lock().unwrap_or_else(PoisonError::into_inner);
            let damaged = |why: String| Error::Damaged(format!("{name}: {why}"));
            let mut entry = match zip.by_name(&name) {
                Ok(entry) => entry,
                Err(error) => {
                    let _ = pieces.blocking_send(Err(damaged(error.to_string())));
                    return;
                }
            };
            loop {
                let mut piece = vec![0; CHUNK];
                let read = match entry.read(&mut piece) {
                    Ok(0) => return,
                    Ok(read) => read,
                    Err(error) => {
                        let _ = pieces.blocking_send(Err(damaged(error.to_string())));
                        return;
                    }
                };
                piece.truncate(read);
                if pieces.blocking_send(Ok(piece.into())).is_err() {
                    return; // the reader was dropped
                }
            }
        });
        Entry {
            pieces: taken,
            rest: Vec::new(),
        }
    }
}

/// An entry being read.
pub struct Entry {
    pieces: mpsc::Receiver<Result<Bytes>>,
    /// The start of an incomplete line.
    rest: Vec<u8>,
}

impl Entry {
    pub async fn next(&mut self) -> Result<Option<Bytes>> {
        self.pieces.recv().await.transpose()
    }

    /// Reads a whole entry of at most `limit` bytes.
    pub async fn read_all(mut self, limit: usize) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        while let Some(piece) = self.next().await? {
            all.extend_from_slice(&piece);
            if all.len() > limit {
                return Err(Error::Damaged("an entry exceeds its size limit".to_owned()));
            }
        }
        Ok(all)
    }

    /// The next complete lines, each with its line break; None after the last one.
    pub async fn lines(&mut self) -> Result<Option<Vec<Vec<u8>>>> {
        while let Some(piece) = self.next().await? {
            let mut lines = Vec::new();
            for part in piece.split_inclusive(|byte| *byte == b'\n') {
                self.rest.extend_from_slice(part);
                if part.ends_with(b"\n") {
                    lines.push(std::mem::take(&mut self.rest));
                }
            }
            if !lines.is_empty() {
                return Ok(Some(lines));
            }
        }
        if self.rest.is_empty() {
            return Ok(None);
        }
        Err(Error::Damaged("its last line is incomplete".to_owned()))
    }
}
