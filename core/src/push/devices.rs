//! The devices of a person: the browsers in which the person has turned pushes on.

use chrono::{DateTime, Duration, Utc};
use kurso_base::error::{Error, FieldError, Result};
use kurso_base::ids::DeviceId;
use kurso_base::messages::Message;
use kurso_base::values::{PushEndpoint, PushKey};
use kurso_db::{Executor, sql};
use serde_json::Value;

use super::encryption::{BadKey, BrowserKeys};
use super::queue;
use crate::Kurso;
use crate::access::Viewer;
use crate::auth::limits;

/// The maximum number of devices of a person; one more replaces the one that was not used for longest.
pub const MAX_DEVICES: i64 = 20;
/// Devices that were not renewed for this long are deleted: the web app renews its own at each start.
const RETENTION: Duration = Duration::days(180);

/// A device of a person.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Device {
    pub id: DeviceId,
    /// Its URL at the push service, by which a browser recognises its own device.
    pub endpoint: String,
    /// The User-Agent header of its session.
    pub user_agent: String,
    pub created_at: DateTime<Utc>,
}

/// What a browser needs to turn pushes on, and the devices of the viewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pushes {
    /// None if the server sends no pushes.
    pub public_key: Option<String>,
    /// Newest first.
    pub devices: Vec<Device>,
}

/// The subscription of a browser at its push service.
#[derive(Clone, Debug)]
pub struct AddDevice {
    pub endpoint: PushEndpoint,
    pub p256dh: PushKey,
    pub auth: PushKey,
}

/// The viewer's devices. One statement.
pub async fn get(kurso: &Kurso, viewer: &Viewer) -> Result<Pushes> {
    let devices = sql!(
        "SELECT id, endpoint, user_agent, created_at FROM push_devices WHERE user_id = $1 ORDER BY created_at DESC, id DESC",
        viewer.id()
    );
    let is_on = !kurso.push.hosts.is_empty();
    Ok(Pushes {
        public_key: is_on.then(|| kurso.push.key.public().to_owned()),
        devices: devices.fetch_all(&kurso.db).await?,
    })
}

/// Turns pushes on for the device of the viewer's session, or renews its keys. A device that another account has used on the same browser moves
/// to the viewer. Fails with 422 if the endpoint is not at an allowed push service, and with 409 if another account has it with other keys.
pub async fn add(kurso: &Kurso, viewer: &Viewer, new: &AddDevice) -> Result<Device> {
    viewer.require_account()?;
    let wrong = |field, message| {
        let error = FieldError::body("value_error", field, message, Value::Null);
        Error::Invalid(vec![error])
    };
    let endpoint = kurso.push.hosts.endpoint(new.endpoint.as_str());
    let endpoint = endpoint.ok_or_else(|| wrong("endpoint", Message::PushServiceNotAllowed))?;
    // One spelling for each address.
    let endpoint = endpoint.as_str();
    if endpoint.len() > PushEndpoint::MAX {
        return Err(wrong("endpoint", Message::TooLong(PushEndpoint::MAX)));
    }
    let (p256dh, auth) = (new.p256dh.as_str(), new.auth.as_str());
    BrowserKeys::read(p256dh, auth).map_err(|bad| match bad {
        BadKey::P256dh => wrong("p256dh", Message::BadPushKey),
        BadKey::Auth => wrong("auth", Message::BadPushKey),
    })?;
    let now = kurso.clock.now();
    let mut tx = kurso.db.begin().await?;
    // Written, not only read: whoever ends the session meanwhile waits, and then deletes the device.
    let session = sql!(
        "UPDATE sessions SET last_seen_at = last_seen_at WHERE id = $1 AND user_id = $2 AND ended_at IS NULL RETURNING device",
        viewer.session,
        viewer.id()
    );
    let session = session.fetch_optional::<(String,)>(&mut tx).await?;
    let (user_agent,) = session.ok_or(Error::BadCredentials)?;
    // With its pending pushes, which are not for the viewer. Only the browser itself has the keys.
    let of_others = sql!(
        "DELETE FROM push_devices WHERE endpoint = $1 AND user_id <> $2 AND p256dh = $3 AND auth = $4",
        endpoint,
        viewer.id(),
        p256dh,
        auth
    );
    of_others.execute(&mut tx).await?;
    let added = sql!(
        "INSERT INTO push_devices (id, user_id, session_id, endpoint, p256dh, auth, user_agent, created_at, renewed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
         ON CONFLICT (endpoint) DO UPDATE SET session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth,
           user_agent = excluded.user_agent, renewed_at = excluded.renewed_at WHERE push_devices.user_id = excluded.user_id
         RETURNING id, endpoint, user_agent, created_at",
        DeviceId::new(),
        viewer.id(),
        viewer.session,
        endpoint,
        p256dh,
        auth,
        user_agent,
        now
    );
    // None for the device of another account.
    let added = added.fetch_optional::<Device>(&mut tx).await?;
    let added = added.ok_or(Error::Conflict(Message::DeviceOfAnother))?;
    sql!(
        "DELETE FROM push_devices WHERE user_id = $1 AND id <> $2 AND id NOT IN (
           SELECT id FROM push_devices WHERE user_id = $1 AND id <> $2 ORDER BY renewed_at DESC, id DESC LIMIT $3)",
        viewer.id(),
        added.id,
        MAX_DEVICES - 1
    )
    .execute(&mut tx)
    .await?;
    tx.commit().await?;
    Ok(added)
}

/// Turns pushes off for a device of the viewer.
pub async fn remove(kurso: &Kurso, viewer: &Viewer, id: DeviceId) -> Result<()> {
    let removed = sql!(
        "DELETE FROM push_devices WHERE id = $1 AND user_id = $2",
        id,
        viewer.id()
    );
    match removed.execute(&kurso.db).await? {
        0 => Err(Error::NotFound(Message::DeviceNotFound)),
        _ => Ok(()),
    }
}

/// Deletes devices that were not used for [`RETENTION`]. Returns their number.
pub async fn delete_old(kurso: &Kurso) -> Result<u64> {
    let until = kurso.clock.now() - RETENTION;
    let delete = sql!("DELETE FROM push_devices WHERE renewed_at <= $1", until);
    Ok(delete.execute(&kurso.db).await?)
}

/// Sends a test push to a device of the viewer. Fails with 409 if the server sends no pushes.
pub async fn test(kurso: &Kurso, viewer: &Viewer, id: DeviceId) -> Result<()> {
    if !kurso.push.is_on() {
        return Err(Error::Conflict(Message::PushesOff));
    }
    let found = sql!(
        "SELECT id FROM push_devices WHERE id = $1 AND user_id = $2",
        id,
        viewer.id()
    );
    let found = found.fetch_optional::<(DeviceId,)>(&kurso.db).await?;
    found.ok_or(Error::NotFound(Message::DeviceNotFound))?;
    let now = kurso.clock.now();
    kurso.limits.acquire(&limits::test_pushes(viewer.id()), now)?;
    queue::enqueue(&kurso.db, &[id], &[], now).await?;
    kurso.push.wake.notify_one();
    Ok(())
}

/// Deletes a device that its push service no longer knows. Its pending pushes are deleted with it.
pub(super) async fn forget(on: impl Executor, id: DeviceId) -> Result<()> {
    sql!("DELETE FROM push_devices WHERE id = $1", id).execute(on).await?;
    Ok(())
}
