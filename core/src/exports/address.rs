//! Addresses from which a browser downloads an export: a token allows one export of one course for a few minutes.

use std::str::FromStr as _;

use chrono::Duration as Span;

use super::Request;
use crate::access::Viewer;
use crate::auth::tokens::{Link, LinkPurpose};
use crate::courses::Course;
use crate::courses::groups::GroupFilter;
use crate::{Kurso, auth};
use kurso_base::error::{Error, Result};
use kurso_base::ids::SessionId;
use kurso_base::messages::Message;
use kurso_formats::DateForm;

/// How long a download address remains valid for starting the download.
const ADDRESS_LIFETIME: Span = Span::minutes(5);

/// The download address of an export, `/api/v1/courses/export/…`, valid for five minutes; None without the right to
/// export. No statements.
pub fn address(kurso: &Kurso, viewer: &Viewer, course: &Course, request: Request) -> Result<Option<String>> {
    if !course.role.may(request.format.right()) {
        return Ok(None);
    }
    let now = kurso.clock.now();
    let link = Link {
        user: viewer.id(),
        state: state(viewer.session, request),
    };
    let token = kurso
        .tokens
        .issue_link(LinkPurpose::Export, &link, now, now + ADDRESS_LIFETIME)?;
    let group = match request.group {
        GroupFilter::All => String::new(),
        group => format!("&group_id={group}"),
    };
    let dates = match request.dates {
        DateForm::Moments => "",
        DateForm::FromStart => "&relative_dates=true",
    };
    let drafts = if request.drafts { "&drafts=true" } else { "" };
    // No part of what the token allows: it decides only how a table is written.
    let separator = request.separator;
    let separator = separator.map_or(String::new(), |separator| format!("&separator={}", separator.name()));
    Ok(Some(format!(
        "/api/v1/courses/export/{}?format={}{group}{dates}{drafts}{separator}&token={token}",
        course.id,
        request.format.name()
    )))
}

fn state(session: SessionId, request: Request) -> String {
    let Request {
        course,
        format,
        group,
        dates,
        drafts,
        ..
    } = request;
    let group = match group {
        GroupFilter::All => String::new(),
        group => format!("/{group}"),
    };
    let dates = match dates {
        DateForm::Moments => "",
        DateForm::FromStart => "/relative",
    };
    let drafts = if drafts { "/drafts" } else { "" };
    format!("{session}/{course}/{}{group}{dates}{drafts}", format.name())
}

/// The viewer behind a download address. Fails with 403 if the token is forged, expired, or for another request, or if the session has ended.
pub async fn viewer_of(kurso: &Kurso, token: &str, request: Request) -> Result<Viewer> {
    let address_expired = || Error::Forbidden(Message::ExportLinkGone);
    let link = kurso
        .tokens
        .read_link(LinkPurpose::Export, token, kurso.clock.now())
        .ok_or_else(address_expired)?;
    let session = link.state.split('/').next().map(SessionId::from_str);
    let session = session.and_then(Result::ok).ok_or_else(address_expired)?;
    if link.state != state(session, request) {
        return Err(address_expired());
    }
    match auth::of_session(kurso, link.user, session).await {
        Ok((viewer, _)) => Ok(viewer),
        Err(Error::BadCredentials) => Err(address_expired()),
        Err(error) => Err(error),
    }
}
