"""Calls every operation through the generated Python client, in the same steps as walk.ts."""

import base64
import hashlib
import hmac
import json
import os
import re
import time
from email import message_from_bytes, policy
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import httpx
from feed import read_feed
from kurso_client import models as m
from kurso_client.client import AuthenticatedClient, Client
from kurso_client.types import File

URL = os.environ["KURSO_URL"]
PASSWORD = "correct-horse-battery"
# A PNG of one red dot.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
NOWHERE = UUID("01890a5d-ac96-774b-bcce-b302099a8057")


def operations(tag: str) -> Any:
    """`courses.get_course` for the operation `courses-get_course`."""

    class Tag:
        def __getattr__(self, name: str) -> ModuleType:
            return import_module(f"kurso_client.api.{tag}.{tag}_{name}")

    return Tag()


banks, calendar, courses, files, items, login, notices, private, users, utils = map(
    operations, ["banks", "calendar", "courses", "files", "items", "login", "notices", "private", "users", "utils"]
)


def note(answer: httpx.Response) -> None:
    call = [answer.request.method, urlsplit(str(answer.request.url)).path, answer.status_code]
    with open(os.environ["KURSO_CALLS"], "a") as calls:
        calls.write(json.dumps(call) + "\n")


OPTIONS: dict[str, Any] = {
    "base_url": URL,
    "headers": {"Accept-Language": "en"},
    "httpx_args": {"event_hooks": {"response": [note]}},
    "raise_on_unexpected_status": True,
}
ANONYMOUS = Client(**OPTIONS)


def ok(operation: ModuleType, client: Any = ANONYMOUS, **given: Any) -> Any:
    """The body of a documented success; fails otherwise."""
    answer = operation.sync_detailed(client=client, **given)
    assert 200 <= answer.status_code < 300, answer
    assert answer.parsed is not None
    assert not isinstance(answer.parsed, m.HTTPError | m.HTTPValidationError), answer
    return answer.parsed


def refused(status: int, operation: ModuleType, client: Any = ANONYMOUS, **given: Any) -> Any:
    """The body of a documented error; fails otherwise."""
    answer = operation.sync_detailed(client=client, **given)
    assert answer.status_code == status, answer
    conflicts = (
        m.HTTPError
        | m.PageConflict
        | m.QuizConflict
        | m.GradeConflict
        | m.GradeTableConflict
        | m.DatesConflict
        | m.OverrideConflict
        | m.OverridesConflict
        | m.MoveConflict
        | m.AssessmentConflict
        | m.AnswerDraftConflict
        | m.BankQuestionConflict
    )
    expected = {409: conflicts, 422: m.HTTPValidationError}
    assert isinstance(answer.parsed, expected.get(status, m.HTTPError)), answer
    return answer.parsed


made = 0


def address() -> str:
    global made
    made += 1
    return f"py-{os.getpid()}-{made}@example.com"


def signed_in(email: str, password: str = PASSWORD) -> AuthenticatedClient:
    form = m.BodyLoginLoginAccessToken(username=email, password=password)
    token = ok(login.login_access_token, body=form)
    assert token.token_type == "bearer"
    return AuthenticatedClient(token=token.access_token, **OPTIONS)


def person() -> tuple[AuthenticatedClient, str, UUID]:
    """Signs up a new user: the client, the address, the id."""
    email = address()
    body = m.UserRegister(email=email, password=PASSWORD, full_name="Ann Example")
    user = ok(users.register_user, body=body)
    return signed_in(email), email, user.id


def superuser() -> AuthenticatedClient:
    return signed_in("admin@example.com")


def mailed_token(to: str, page: str) -> str:
    """The token in the link to a page of the web app, from a mail to an address."""
    for _ in range(100):
        for file in Path(os.environ["KURSO_OUTBOX"]).glob("*.eml"):
            mail = message_from_bytes(file.read_bytes(), policy=policy.default)
            text = mail.get_body(("plain",))
            token = re.search(rf"/{page}\?token=([\w.-]+)", text.get_content() if text else "")
            if token and mail["To"] == to:
                return token[1]
        time.sleep(0.05)
    raise AssertionError(f"no mail to {to}")


def notice_token(user: UUID, email: str) -> str:
    """The unsubscribe token of a mail about graded work. The server creates it when the mail is sent, minutes after the work was graded."""

    def part(value: bytes) -> bytes:
        return base64.urlsafe_b64encode(value).rstrip(b"=")

    digest = hashlib.sha256(email.encode()).hexdigest()[:32]
    now = int(time.time())
    claims = {"exp": now + 3600, "iat": now, "sub": str(user), "state": f"{digest} 1 ", "purpose": "notice_mails"}
    signed = b".".join(part(json.dumps(value).encode()) for value in [{"typ": "JWT", "alg": "HS256"}, claims])
    signature = hmac.digest(os.environ["KURSO_SECRET"].encode(), signed, "sha256")
    return b".".join([signed, part(signature)]).decode()


def test_the_server_is_up() -> None:
    assert ok(utils.health_check) is True


def test_an_account() -> None:
    client, email, id = person()
    assert ok(login.test_token, client).email == email
    assert ok(users.read_user_me, client).id == id
    assert ok(users.texts_of_me, client).count == 0
    assert ok(users.update_user_me, client, body=m.UserUpdateMe(full_name="Анна")).full_name == "Анна"

    taken = m.UserRegister(email=email, password=PASSWORD)
    refusal = refused(400, users.register_user, body=taken)
    assert refusal.detail == "The user with this email already exists in the system"
    _, others, _ = person()
    conflict = refused(409, users.update_user_me, client, body=m.UserUpdateMe(email=others))
    assert conflict.detail == "User with this email already exists"
    unfit = refused(422, users.register_user, body=m.UserRegister(email="no address", password="short"))
    assert [(error.loc, error.type_) for error in unfit.detail] == [
        (["body", "email"], "value_error"),
        (["body", "password"], "string_too_short"),
    ]

    elsewhere = signed_in(email)
    sessions = ok(login.read_sessions, client, limit=10)
    assert sessions.count == 2
    other = next(session for session in sessions.data if not session.current)
    ok(login.end_session, client, session_id=other.id)
    refused(403, users.read_user_me, elsewhere)

    body = m.UpdatePassword(current_password=PASSWORD, new_password="another-one")
    ok(users.update_password_me, client, body=body)
    again = signed_in(email, "another-one")
    ok(login.logout, again)
    refused(403, login.test_token, again)
    ok(users.delete_user_me, client)
    refused(401, users.read_user_me)


def test_what_mails_bring_back() -> None:
    client, email, _ = person()
    ok(login.recover_password, email=email)
    admin = superuser()
    letter = ok(login.recover_password_html_content, admin, email=email)
    token = re.search(r"token=([\w.-]+)", letter)
    assert token
    ok(login.reset_password, body=m.NewPassword(token=token[1], new_password="a-new-password"))
    refused(403, users.read_user_me, client)

    back = signed_in(email, "a-new-password")
    ok(users.update_user_me, back, body=m.UserUpdateMe(email=address()))
    undo = m.UndoEmailChange(token=mailed_token(email, "undo-email-change"))
    ok(login.undo_email_change, body=undo)
    refused(400, login.undo_email_change, body=undo)
    ok(utils.test_email, admin, email_to=email)


def test_people_as_a_superuser_manages_them() -> None:
    client = superuser()
    email = address()
    user = ok(users.create_user, client, body=m.UserCreate(email=email, password=PASSWORD, is_superuser=False))
    assert user.id in [each.id for each in ok(users.read_users, client, skip=0, limit=1000).data]
    assert ok(users.read_user_by_id, client, user_id=user.id).email == email
    changed = ok(users.update_user, client, user_id=user.id, body=m.UserUpdate(is_active=False))
    assert changed.is_active is False
    ok(users.delete_user, client, user_id=user.id)
    assert refused(404, users.read_user_by_id, client, user_id=user.id).detail == "User not found"
    log = ok(utils.read_audit_log, client, kind=m.UtilsReadAuditLogKind("user_deleted"), user_id=user.id, skip=0, limit=10)
    assert (log.count, log.data[0].text) == (1, "An account was deleted")
    status = ok(utils.server_status, client)
    assert status.requests > 0 and status.statements > 0
    refused(403, utils.server_status, person()[0])
    refused(403, users.read_users, person()[0])
    body = m.PrivateUserCreate(email=address(), password=PASSWORD, full_name="Of a test")
    assert ok(private.create_user, body=body).email == body.email


def test_items() -> None:
    client, _, owner = person()
    item = ok(items.create_item, client, body=m.ItemCreate(title="Ink", description=None))
    assert item.owner_id == owner
    assert ok(items.read_items, client).count == 1
    assert ok(items.read_item, client, id=item.id).title == "Ink"
    changed = ok(items.update_item, client, id=item.id, body=m.ItemUpdate(description="black"))
    assert (changed.title, changed.description) == ("Ink", "black")
    refused(403, items.read_item, person()[0], id=item.id)
    unfit = refused(422, items.create_item, client, body=m.ItemCreate(title=""))
    assert unfit.detail[0].ctx["min_length"] == 1
    ok(items.delete_item, client, id=item.id)
    assert refused(404, items.read_item, client, id=item.id).detail == "Item not found"


def upload() -> m.FileUpload:
    return m.FileUpload(file=File(payload=BytesIO(PICTURE), file_name="dot.png"))


def document(words: str) -> dict[str, Any]:
    return {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": words}]}]}


def course(client: AuthenticatedClient) -> tuple[UUID, UUID, UUID, UUID]:
    """Creates a course of one module, one lesson and one page; returns their ids."""
    made = ok(courses.create_course, client, body=m.CourseCreate(title="Knots", description=None))
    module = ok(courses.create_module, client, course_id=made.id, body=m.ModuleCreate(title="Bends"))
    lesson = ok(courses.create_lesson, client, module_id=module.id, body=m.LessonCreate(title="Two ropes"))
    body = m.PageCreate.from_dict(
        {"title": "Sheet bend", "kind": "content", "content": document("Over and under.")}
    )
    page = ok(courses.create_page, client, lesson_id=lesson.id, body=body)
    return made.id, module.id, lesson.id, page.id


def test_a_course_as_its_owner_makes_it() -> None:
    client, email, _ = person()
    course_id, module_id, lesson_id, page_id = course(client)
    tree = ok(courses.get_course, client, course_id=course_id)
    assert (tree.owner.email, tree.my_role.value) == (email, "owner")
    assert tree.modules[0].lessons[0].pages[0].id == page_id
    assert ok(courses.list_courses, client).count == 1
    found = ok(courses.search, client, search=tree.title).data[0]
    assert (found.kind.value, found.id, found.page_id) == ("course", course_id, None)
    match = ok(courses.search_content, client, text="unders", course_id=course_id).data[0]
    assert (match.page_id, match.fragments[0].block) == (page_id, 0)
    body: Any = m.CourseUpdate(title="All about knots")
    assert ok(courses.update_course, client, course_id=course_id, body=body).title == body.title

    ok(courses.update_module, client, module_id=module_id, body=m.ModuleUpdate(position=0))
    assert ok(courses.get_module, client, module_id=module_id).course_id == course_id
    assert ok(courses.upload_module_avatar, client, module_id=module_id, body=upload()).avatar_url
    ok(courses.update_lesson, client, lesson_id=lesson_id, body=m.LessonUpdate(title="Bends of two"))
    assert ok(courses.get_lesson, client, lesson_id=lesson_id).title == "Bends of two"

    page = ok(courses.get_page, client, page_id=page_id)
    assert page.kind.value == "content"
    body = m.PageUpdate.from_dict({"content": document("Twice around."), "version": page.version})
    saved = ok(courses.update_page, client, page_id=page_id, user_session_id="tab-1", body=body)
    assert saved.version == page.version + 1
    stale = refused(409, courses.update_page, client, page_id=page_id, user_session_id="tab-2", body=body)
    assert stale.page.version == saved.version
    oldest = ok(courses.page_versions, client, page_id=page_id).data[-1]
    restored = ok(courses.restore_page_version, client, page_id=page_id, version=oldest.version)

    for title in ("Later", "Much later"):
        body = m.PageUpdate.from_dict({"title": title, "draft": True})
        draft = ok(courses.update_page, client, page_id=page_id, body=body)
        assert draft.draft and ok(courses.page_draft, client, page_id=page_id).version == draft.version
        if title == "Later":
            ok(courses.discard_page_draft, client, page_id=page_id, version=draft.version)
    change = ok(courses.unpublished_changes, client, course_id=course_id).data[0]
    shown = {"page_id": str(page_id), "version": change.version, "page_version": restored.version}
    told = ok(courses.consequences, client, course_id=course_id, body=m.ConsequencesRead.from_dict({"pages": [shown]}))
    assert (told.affected, told.learners) == (0, [])
    body = m.PageDraftsPublish.from_dict({"pages": [shown], "past_attempts": "regrade", "digest": told.digest})
    assert ok(courses.publish_page_drafts, client, course_id=course_id, body=body).pages[0].page_version == change.version
    assert ok(courses.regrades, client, course_id=course_id).count == 0
    refused(404, courses.undo_regrade, client, regrade_id=page_id)

    comment_on(client, course_id, page_id)
    discuss(client, course_id, page_id)
    keep(client, course_id, page_id)
    taken = ok(courses.take_snapshot, client, course_id=course_id, body=m.SnapshotNamed(name="Before"))
    assert ok(courses.snapshots, client, course_id=course_id).data[0].id == taken.id
    renamed = ok(courses.rename_snapshot, client, snapshot_id=taken.id, body=m.SnapshotNamed(name="Before all"))
    assert (renamed.name, renamed.reason, renamed.expires_at) == ("Before all", "named", None)
    ok(courses.update_page, client, page_id=page_id, body=m.PageUpdate.from_dict({"title": "Spoilt"}))
    told = ok(courses.snapshot_changes, client, snapshot_id=taken.id)
    assert [(change.part, change.fields) for change in told.changed] == [("page", ["title"])]
    assert ok(courses.snapshot, client, snapshot_id=taken.id).snapshot.page_count == taken.page_count
    old = ok(courses.snapshot_page, client, snapshot_id=taken.id, page_id=page_id)
    refused(409, courses.restore_snapshot, client, snapshot_id=taken.id, body=m.SnapshotRestore(digest="x"))
    restored = ok(courses.restore_snapshot, client, snapshot_id=taken.id, body=m.SnapshotRestore(digest=told.digest))
    assert (restored.before.reason, restored.unpublished_page_ids) == ("before_restore", [])
    assert ok(courses.get_page, client, page_id=page_id).title == old.title
    ok(courses.delete_snapshot, client, snapshot_id=taken.id)

    page = ok(courses.duplicate_page, client, page_id=page_id)
    lesson = ok(courses.duplicate_lesson, client, lesson_id=lesson_id)
    module = ok(courses.duplicate_module, client, module_id=module_id)
    copy = ok(courses.duplicate_course, client, course_id=course_id, shift_days=7)
    ok(courses.delete_page, client, page_id=page.id)
    entry = ok(courses.trash, client, course_id=course_id).data[0]
    assert (entry.kind, entry.place[-1], entry.parent_is_gone) == ("page", "Bends of two", False)
    ok(courses.restore_from_trash, client, entry_id=entry.id, body=m.TrashRestore())
    ok(courses.delete_page, client, page_id=page.id)
    entry = ok(courses.trash, client, course_id=course_id).data[0]
    ok(courses.delete_forever, client, entry_id=entry.id)
    ok(courses.delete_lesson, client, lesson_id=lesson.id)
    ok(courses.delete_module, client, module_id=module.id)
    ok(courses.delete_course, client, course_id=copy.id)
    refused(404, courses.get_course, client, course_id=copy.id)
    assert copy.id in [entry.course_id for entry in ok(courses.deleted_courses, client).data]


def post(text: str) -> dict[str, Any]:
    return {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]}


def discuss(client: Any, course_id: Any, page_id: Any) -> None:
    on = m.DiscussionSettingsUpdate(is_on=True, words=["spam"])
    assert ok(courses.set_discussions, client, course_id=course_id, body=on).words == ["spam"]
    assert ok(courses.discussion_settings, client, course_id=course_id).is_on
    page_on = m.PageDiscussionsUpdate(is_on=True)
    assert ok(courses.set_page_discussions, client, page_id=page_id, body=page_on).is_on
    start = m.DiscussionStart.from_dict({"body": post("Why?")})
    asked = ok(courses.start_discussion, client, page_id=page_id, body=start)
    reply = m.DiscussionReply.from_dict({"body": post("So.")})
    answer = ok(courses.reply_discussion, client, discussion_id=asked.id, body=reply).post
    ok(courses.edit_post, client, post_id=answer.id, body=m.PostChange.from_dict({"body": post("So!")}))
    refused(409, courses.mark_post, client, post_id=answer.id, body=m.PostUseful(is_useful=True))
    code = ok(courses.generate_share_code, client, course_id=course_id).share_code
    learner, _, _ = person()
    ok(courses.enroll, learner, body=m.EnrollRequest(share_code=code))
    marked = ok(courses.mark_post, learner, post_id=answer.id, body=m.PostUseful(is_useful=True))
    assert marked.post.useful_count == 1
    ok(courses.report_post, learner, post_id=answer.id, body=m.PostComplaint(reason="x"))
    ok(courses.moderate_post, client, post_id=answer.id, body=m.PostModeration.from_dict({"action": "dismiss"}))
    note = m.DiscussionNote(read_post_id=answer.id)
    assert not ok(courses.note_discussion, client, discussion_id=asked.id, body=note).is_unread
    accept = m.DiscussionChange(accepted_post_id=answer.id)
    assert ok(courses.change_discussion, client, discussion_id=asked.id, body=accept).resolved_at is not None
    assert ok(courses.discussion, client, discussion_id=asked.id).accepted_post_id == answer.id
    assert ok(courses.discussion_answers, client, discussion_id=asked.id, at=answer.id).data[0].is_accepted
    assert ok(courses.page_discussions, client, page_id=page_id, filter_="resolved").count == 1
    assert [text.kind for text in ok(users.texts_of_me, client).data][:2] == ["question", "answer"]
    assert ok(courses.course_discussions, client, course_id=course_id).count == 1
    assert ok(courses.page_questions, client, page_id=page_id).blocks == []
    assert ok(courses.delete_post, client, post_id=asked.question.id).discussion is None


def keep(client: Any, course_id: Any, page_id: Any) -> None:
    created = ok(courses.create_note, client, page_id=page_id, body=m.NoteCreate.from_dict({"color": "green", "body": "Read again"}))
    assert created.state == "page"
    update = m.NoteUpdate.from_dict({"version": 1, "color": "pink"})
    assert ok(courses.update_note, client, note_id=created.id, body=update).version == 2
    refused(409, courses.update_note, client, note_id=created.id, body=update)
    assert ok(courses.set_bookmark, client, page_id=page_id, body=m.BookmarkSet(is_bookmarked=True)).is_bookmarked
    kept = ok(courses.page_notes, client, page_id=page_id)
    assert (len(kept.notes), kept.is_bookmarked, kept.ticked_tasks) == (1, True, [])
    version = ok(courses.get_page, client, page_id=page_id).version
    tick = m.TaskTick(version=version, task=999, is_ticked=True)
    refused(422, courses.tick_task, client, page_id=page_id, body=tick)
    listed = ok(courses.course_notes, client, course_id=course_id, color="pink", search="again")
    assert (listed.count, listed.data[0].page.id, len(listed.bookmarks)) == (1, page_id, 1)
    ok(courses.export_notes, client, course_id=course_id)
    ok(courses.delete_note, client, note_id=created.id)


def comment_on(client: Any, course_id: Any, page_id: Any) -> None:
    assert len(ok(courses.commenters, client, course_id=course_id).data) == 1
    version = ok(courses.get_page, client, page_id=page_id).version
    body = m.ThreadStart.from_dict({"text": "Why?", "version": version, "block": 0, "suggestion": []})
    thread = ok(courses.start_thread, client, page_id=page_id, body=body)
    assert (thread.anchor.block, thread.suggestion.state) == (0, "pending")
    other = ok(courses.start_thread, client, page_id=page_id, body=body)
    assert ok(courses.reject_suggestion, client, thread_id=other.id).state == "resolved"
    comment = ok(courses.add_comment, client, thread_id=thread.id, body=m.CommentWrite(text="So?")).comments[-1]
    ok(courses.edit_comment, client, comment_id=comment.id, body=m.CommentWrite(text="So."))
    ok(courses.mark_thread_read, client, thread_id=thread.id, body=m.ThreadRead(comment_id=comment.id))
    assert ok(courses.resolve_thread, client, thread_id=thread.id).state == "resolved"
    assert ok(courses.reopen_thread, client, thread_id=thread.id).resolved_at is None
    assert len(ok(courses.page_threads, client, page_id=page_id, state="open").data) == 1
    assert ok(courses.course_threads, client, course_id=course_id, state="resolved").count == 1
    left = ok(courses.delete_comment, client, comment_id=comment.id).thread
    assert left is not None and len(left.comments) == 1
    refused(409, courses.accept_suggestion, client, thread_id=thread.id, body=m.SuggestionAccept(version=version + 1))
    accepted = ok(courses.accept_suggestion, client, thread_id=thread.id, body=m.SuggestionAccept(version=version))
    assert accepted.suggestion.state == "accepted"
    draft = ok(courses.page_draft, client, page_id=page_id)
    ok(courses.discard_page_draft, client, page_id=page_id, version=draft.version)


def test_a_course_as_a_learner_goes_through_it() -> None:
    owner, _, _ = person()
    course_id, _, _, page_id = course(owner)
    code = ok(courses.generate_share_code, owner, course_id=course_id).share_code
    client, _, _ = person()
    refused(404, courses.enrolled_course, client, course_id=course_id)
    refused(404, courses.enroll, client, body=m.EnrollRequest(share_code="0000-0000"))
    enrollment = ok(courses.enroll, client, body=m.EnrollRequest(share_code=code))
    assert enrollment.course.my_role.value == "learner"
    assert ok(courses.my_enrolled_courses, client).data[0].progress.percent == 0
    tree = ok(courses.enrolled_course, client, course_id=course_id)
    assert tree.modules[0].lessons[0].pages[0].is_visited is False
    page = ok(courses.enrolled_page, client, page_id=page_id)
    assert page.breadcrumbs.lesson.title == "Two ropes"
    assert ok(courses.mark_page_visited, client, page_id=page_id).lesson.is_completed
    reread = m.RereadPage(version=page.version)
    assert ok(courses.mark_reread, client, page_id=page_id, body=reread).change_since_read is None
    assert ok(courses.important_changes, client).count == 0
    place = m.ReadingPlaceKeep(version=page.version, block=1, part=250)
    kept = ok(courses.keep_reading_place, client, page_id=page_id, body=place)
    assert ok(courses.enrolled_course, client, course_id=course_id).reading_place == kept
    assert ok(courses.my_progress, client, course_id=course_id).completed_at
    seen: dict[str, Any] = {"enrollment_id": enrollment.id, "at": "2026-12-12T10:00"}
    assert ok(courses.preview_course, owner, course_id=course_id, **seen).my_role.value == "learner"
    assert ok(courses.preview_page, owner, page_id=page_id, **seen).is_visited
    assert ok(courses.preview_progress, owner, course_id=course_id, **seen).pages_done == 1
    refused(403, courses.update_page, client, page_id=page_id, body=m.PageUpdate(title="Mine"))


def grades(owner: Any, learner: Any, course_id: UUID, enrollment_id: UUID) -> None:
    """The gradebook of a course with one learner."""
    category = m.GradeCategoryCreate(title="Tests", weight="62.5")
    made = ok(courses.create_grade_category, owner, course_id=course_id, body=category)
    category_id = made.categories[0].id
    heavy = m.GradeCategoryCreate(title="Tests", weight="100.5")
    refused(422, courses.create_grade_category, owner, course_id=course_id, body=heavy)
    change = m.GradeCategoryUpdate(drop_lowest=1)
    changed = ok(courses.update_grade_category, owner, category_id=category_id, body=change)
    assert (changed.categories[0].drop_lowest, changed.categories[0].weight) == (1, "62.5")
    five: Any = m.GradeSettingsUpdate.from_dict({"scheme": "five_point", "thresholds": ["90", "75", "60"]})
    settings = ok(courses.update_grade_settings, owner, course_id=course_id, body=five)
    assert settings.labels == ["5", "4", "3", "2"]
    page_ids = [item.page_id for item in settings.items]
    items = m.GradeItemsSet(page_ids=page_ids, category_id=category_id, points="12.5")
    assert ok(courses.set_grade_items, owner, course_id=course_id, body=items).items[0].points == "12.5"
    book = ok(courses.gradebook, owner, course_id=course_id, sort="-total")
    assert (book.count, book.data[0].enrollment_id) == (1, enrollment_id)
    assert ok(courses.grade_settings, owner, course_id=course_id).labels == settings.labels
    decision: Any = m.GradeDecide.from_dict(
        {"page_id": None, "version": 0, "kind": "override", "points": "75", "reason": "Effort"}
    )
    decided = ok(courses.decide_grade, owner, enrollment_id=enrollment_id, body=decision)
    assert (decided.row.total.label, decided.history[0].points) == ("4", "75")
    refused(409, courses.decide_grade, owner, enrollment_id=enrollment_id, body=decision)
    assert len(ok(courses.grade, owner, enrollment_id=enrollment_id).history) == 1
    own = ok(courses.my_grades, learner, course_id=course_id)
    assert (own.total.percent, own.reason) == ("75", "Effort")
    refused(403, courses.gradebook, learner, course_id=course_id)
    table = m.GradesImport(table="Email\nnobody@example.com\n", reason="A list")
    preview = ok(courses.import_grades, owner, course_id=course_id, body=table)
    assert (preview.changes, preview.refusals[0].line) == ([], 2)
    table.digest = "outdated"
    refused(409, courses.import_grades, owner, course_id=course_id, body=table)
    ok(courses.delete_grade_category, owner, category_id=category_id)


def test_an_essay_graded_by_a_person() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    essay = {"type": "essay", "prompt": document("Why?"), "points": 4, "min_words": 2}
    quiz = {"release": "together", "questions": [essay]}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": quiz})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    code = ok(courses.generate_share_code, owner, course_id=course_id).share_code
    client, _, _ = person()
    ok(courses.enroll, client, body=m.EnrollRequest(share_code=code))
    question = ok(courses.enrolled_page, client, page_id=page_id).quiz.questions[0]
    assert isinstance(question, m.LearnerEssay) and question.min_words == 2
    answers = [{"question_id": str(question.id), "content": document("Because of it")}]
    attempt = ok(courses.submit_quiz, client, page_id=page_id, body=m.SubmitQuiz.from_dict({"answers": answers}))
    assert (attempt.waiting_answers, attempt.results[0].is_waiting) == (1, True)
    queued = ok(courses.grading_queue, owner, course_id=course_id, state="waiting").data[0]
    answer: dict[str, Any] = {"attempt_id": queued.attempt_id, "question_id": queued.question_id}
    assert ok(courses.claim_next_answer, owner, course_id=course_id).attempt_id == attempt.attempt_id
    assert ok(courses.claim_answer, owner, **answer).words == 3
    body = m.AnswerAssess(version=0, points=3.5, comment="Good")
    assert ok(courses.assess_answer, owner, body=body, **answer).state.value == "graded"
    assert refused(409, courses.assess_answer, owner, body=body, **answer).answer.points == 3.5
    ok(courses.release_assessments, owner, page_id=page_id)
    assert ok(courses.open_answer, owner, **answer).history[0].comment == "Good"
    attempt = ok(courses.enrolled_page, client, page_id=page_id).attempts[0]
    assert (attempt.percent, attempt.results[0].comment) == (87, "Good")

    quiz = {**quiz, "questions": [{**essay, "id": str(question.id), "points": 8}]}
    draft = ok(courses.update_page, owner, page_id=page_id, body=m.PageUpdate.from_dict({"draft": True, "quiz": quiz}))
    shown = {"page_id": str(page_id), "version": draft.version, "page_version": 1}
    body = m.PageDraftsPublish.from_dict({"pages": [shown], "past_attempts": "regrade"})
    regrade = ok(courses.publish_page_drafts, owner, course_id=course_id, body=body).regrade
    assert (regrade.attempts, regrade.changed) == (1, 1)
    assert ok(courses.enrolled_page, client, page_id=page_id).attempts[0].score == 7
    assert ok(courses.undo_regrade, owner, regrade_id=regrade.id).left == 0


def test_an_essay_graded_by_a_rubric() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    criterion = {"name": "Idea", "levels": [{"name": "Clear", "points": 2}, {"name": "None", "points": 0}]}
    rubric = {"is_shown": True, "criteria": [criterion]}
    essay = {"type": "essay", "prompt": document("Why?"), "points": 2, "rubric": rubric}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": {"questions": [essay]}})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    used = ok(courses.rubrics, owner, course_id=course_id)[0]
    assert (used.page_id, used.number, used.prompt) == (page_id, 1, "Why?")
    code = ok(courses.generate_share_code, owner, course_id=course_id).share_code
    client, _, _ = person()
    ok(courses.enroll, client, body=m.EnrollRequest(share_code=code))
    refused(403, courses.rubrics, client, course_id=course_id)
    question = ok(courses.enrolled_page, client, page_id=page_id).quiz.questions[0]
    criterion = question.rubric.criteria[0]
    answers = [{"question_id": str(question.id), "content": document("Because of it")}]
    attempt = ok(courses.submit_quiz, client, page_id=page_id, body=m.SubmitQuiz.from_dict({"answers": answers}))
    answer: dict[str, Any] = {"attempt_id": attempt.attempt_id, "question_id": question.id}
    mark = m.MarkWrite(criterion_id=criterion.id, level_id=criterion.levels[0].id, comment="Well")
    pin = m.PinnedCommentWrite(start=0, end=7, comment="Here")
    graded = ok(courses.assess_answer, owner, body=m.AnswerAssess(version=0, marks=[mark], pins=[pin]), **answer)
    assert (graded.points, graded.marks[0].level_id, graded.pins[0].end) == (2, mark.level_id, 7)
    result = ok(courses.enrolled_page, client, page_id=page_id).attempts[0].results[0]
    assert (result.marks[0].level, result.marks[0].comment, result.pins[0].comment) == ("Clear", "Well", "Here")


def test_a_file_that_answers_a_question() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    files = {"type": "file_upload", "prompt": document("Your picture?"), "extensions": ["png"]}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": {"questions": [files]}})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    code = ok(courses.generate_share_code, owner, course_id=course_id).share_code
    client, _, _ = person()
    ok(courses.enroll, client, body=m.EnrollRequest(share_code=code))
    question = ok(courses.enrolled_page, client, page_id=page_id).quiz.questions[0]
    assert isinstance(question, m.LearnerFileUpload) and (question.max_files, question.extensions) == (1, ["png"])
    place = {"page_id": page_id, "question_id": question.id}
    file = ok(courses.upload_answer_file, client, body=upload(), **place)
    answers = [{"question_id": str(question.id), "file_ids": [str(file.id)]}]
    attempt = ok(courses.submit_quiz, client, page_id=page_id, body=m.SubmitQuiz.from_dict({"answers": answers}))
    read = ok(courses.open_answer, owner, attempt_id=attempt.attempt_id, question_id=question.id)
    assert (read.content, [one.id for one in read.files]) == (None, [file.id])


def test_places_on_a_picture_and_the_time_on_a_question() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    file = ok(courses.upload_file, owner, body=upload())
    picture = {"type": "doc", "content": [{"type": "image", "attrs": {"src": file.url}}]}
    zones = [
        {"shape": "rectangle", "x": 10, "y": 10, "width": 20.5, "height": 20},
        {"shape": "ellipse", "x": 70, "y": 70, "radius_x": 10, "radius_y": 5},
    ]
    hotspot = {"type": "hotspot", "prompt": document("Where?"), "picture": picture, "zones": zones, "mark_all": True}
    quiz = {"reveal": "after_submit", "questions": [hotspot]}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": quiz})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    code = ok(courses.generate_share_code, owner, course_id=course_id).share_code
    client, _, _ = person()
    ok(courses.enroll, client, body=m.EnrollRequest(share_code=code))
    question = ok(courses.enrolled_page, client, page_id=page_id).quiz.questions[0]
    assert isinstance(question, m.LearnerHotspot) and question.max_places == 2
    places = [m.MarkedPlace(x=50, y=50), m.MarkedPlace(x=30.5, y=30)]
    answer = m.HotspotAnswer(question_id=question.id, places=places, seconds=12.5)
    attempt = ok(courses.submit_quiz, client, page_id=page_id, body=m.SubmitQuiz(answers=[answer]))
    result = attempt.results[0]
    assert (attempt.percent, result.right_places) == (50, [False, True])
    assert isinstance(result.zones[0], m.RectangleZone) and result.zones[0].width == 20.5
    measured = ok(courses.quiz_analysis, owner, page_id=page_id).questions[0]
    assert (measured.median_seconds, measured.timed_count) == (12.5, 1)


def test_a_quiz_with_a_time_limit() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    questions = [{"type": "numeric", "prompt": document("2 + 2?"), "value": 4}]
    quiz = {"time_limit_seconds": 600, "grace_seconds": 5, "questions": questions}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": quiz})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    code = ok(courses.generate_share_code, owner, course_id=course_id).share_code
    client, _, _ = person()
    ok(courses.enroll, client, body=m.EnrollRequest(share_code=code))
    page = ok(courses.enrolled_page, client, page_id=page_id)
    assert (page.quiz.questions, page.quiz.question_count, page.running_attempt) == ([], 1, None)
    started = ok(courses.start_attempt, client, page_id=page_id)
    assert (started.attempt.attempt_no, started.attempt.duration_seconds) == (1, 600)
    answers = [{"question_id": str(started.quiz.questions[0].id), "number": "4"}]
    save = {"ticket": started.attempt.ticket, "elapsed_seconds": 0.5, "answers": answers}
    saved = ok(courses.save_answers, client, page_id=page_id, body=m.SaveAnswers.from_dict(save))
    assert saved.elapsed_seconds >= started.attempt.elapsed_seconds
    running = ok(courses.enrolled_page, client, page_id=page_id).running_attempt
    assert [one.to_dict() for one in running.answers] == answers
    assert ok(courses.submit_quiz, client, page_id=page_id, body=m.SubmitQuiz(answers=[])).passed
    refused(409, courses.save_answers, client, page_id=page_id, body=m.SaveAnswers.from_dict(save))
    refused(403, courses.start_attempt, owner, page_id=page_id)


def test_work_that_is_returned_and_handed_in_again() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    body: Any = m.PageCreate.from_dict({"kind": "assignment"})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    code = ok(courses.generate_share_code, owner, course_id=course_id).share_code
    client, _, _ = person()
    ok(courses.enroll, client, body=m.EnrollRequest(share_code=code))
    question = ok(courses.enrolled_page, client, page_id=page_id).quiz.questions[0]
    assert isinstance(question, m.LearnerHandIn) and (question.takes_text, question.max_files) == (True, 5)
    assert ok(courses.answer_draft, client, page_id=page_id).draft is None
    draft = m.AnswerDraftSave.from_dict({"version": 0, "content": document("So far")})
    saved = ok(courses.save_answer_draft, client, page_id=page_id, body=draft).draft
    assert (saved.version, saved.answer.question_id) == (1, question.id)
    other = m.AnswerDraftSave.from_dict({"version": 0, "content": document("Else")})
    assert refused(409, courses.save_answer_draft, client, page_id=page_id, body=other).stored.draft.version == 1
    refused(403, courses.answer_draft, owner, page_id=page_id)
    answers = [{"question_id": str(question.id), "content": document("Finished"), "file_ids": [], "links": []}]
    work = m.SubmitQuiz.from_dict({"answers": answers})
    first = ok(courses.submit_quiz, client, page_id=page_id, body=work)
    assert ok(courses.answer_draft, client, page_id=page_id).draft is None
    answer: dict[str, Any] = {"attempt_id": first.attempt_id, "question_id": question.id}
    back = m.AnswerAssess(version=0, is_returned=True, comment="Why?")
    returned = ok(courses.assess_answer, owner, body=back, **answer)
    assert (returned.is_returned, returned.points, returned.links) == (True, None, [])
    second = ok(courses.submit_quiz, client, page_id=page_id, body=work)
    answer["attempt_id"] = second.attempt_id
    ok(courses.assess_answer, owner, body=m.AnswerAssess(version=0, points=9, comment="Good"), **answer)
    attempts = ok(courses.enrolled_page, client, page_id=page_id).attempts
    assert [(attempt.is_returned, attempt.percent) for attempt in attempts] == [(True, 0), (False, 90)]


def test_a_quiz_taken_by_a_learner_and_seen_by_its_owner() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, _ = course(owner)
    quiz = {"max_attempts": 1, "questions": [{"type": "numeric", "prompt": document("2 + 2?"), "value": 4}]}
    body: Any = m.PageCreate.from_dict({"kind": "quiz", "quiz": quiz})
    page_id = ok(courses.create_page, owner, lesson_id=lesson_id, body=body).id
    code = ok(courses.generate_share_code, owner, course_id=course_id).share_code
    client, email, _ = person()
    enrollment_id = ok(courses.enroll, client, body=m.EnrollRequest(share_code=code)).id
    page = ok(courses.enrolled_page, client, page_id=page_id)
    question = page.quiz.questions[0]
    assert isinstance(question, m.LearnerNumeric)
    answer = m.NumberAnswer(question_id=question.id, number="4,0")
    body = m.SubmitQuiz(answers=[answer], version=page.version)
    attempt = ok(courses.submit_quiz, client, page_id=page_id, body=body)
    assert (attempt.passed, attempt.attempts_left, attempt.results[0].correct) == (True, 0, True)
    assert attempt.results[0].correct_answer.number == "4"
    refused(409, courses.submit_quiz, client, page_id=page_id, body=body)
    facts = ok(courses.debug_progress, client, course_id=course_id)
    assert (facts.percent, facts.pages[1].best_percent) == (50, 100)

    fixed = ok(courses.fix_progress, owner, course_id=course_id)
    assert (fixed.checked, fixed.changed) == (1, [])
    students = ok(courses.course_students, owner, course_id=course_id, search=email, sort="-percent")
    assert students.data[0].enrollment_id == enrollment_id
    student = ok(courses.student_detailed_progress, owner, enrollment_id=enrollment_id)
    assert student.modules[0].lessons[0].pages[1].attempts[0].percent == 100
    heat = ok(courses.course_heat_map, owner, course_id=course_id)
    assert heat.modules[0].lessons[0].pages[1].quiz.passed_percent == 100
    analysis = ok(courses.quiz_analysis, owner, page_id=page_id)
    assert (analysis.attempts, analysis.questions[0].facility) == (1, 1)
    assert analysis.flags == [m.QuizFlag.FEW_ATTEMPTS]
    refused(403, courses.quiz_analysis, client, page_id=page_id)
    group_id = ok(courses.create_group, owner, course_id=course_id, body=m.GroupCreate(title="Boats")).id
    ok(courses.update_group, owner, group_id=group_id, body=m.GroupUpdate(title="Rafts", position=0))
    code = ok(courses.generate_group_code, owner, group_id=group_id).share_code
    assert ok(courses.enroll, client, body=m.EnrollRequest(share_code=code)).group_title == "Rafts"
    assert ok(courses.groups, owner, course_id=course_id).data[0].students == 1
    move = m.StudentsMove(enrollment_ids=[enrollment_id], group_id=None)
    assert ok(courses.move_students, owner, course_id=course_id, body=move).moved == [enrollment_id]
    move = m.StudentsMoveByEmail(emails=f"{email}, nobody@example.com", group_id=group_id)
    moved = ok(courses.move_students_by_email, owner, course_id=course_id, body=move)
    assert (moved.moved, moved.not_found) == ([email], ["nobody@example.com"])
    move = m.StudentsMove(enrollment_ids=[enrollment_id], group_id=NOWHERE)
    refused(422, courses.move_students, owner, course_id=course_id, body=move)
    students = ok(courses.course_students, owner, course_id=course_id, group_id=str(group_id))
    assert students.data[0].group.title == "Rafts"
    assert ok(courses.remove_group_code, owner, group_id=group_id).share_code is None
    refused(403, courses.groups, client, course_id=course_id)
    longer = m.OverrideSet(enrollment_id=enrollment_id, available_until=None, time_factor=1.5)
    override = ok(courses.set_override, owner, course_id=course_id, body=longer)
    assert (override.time_factor, override.lifted, override.email) == (1.5, ["available_until"], email)
    unknown = m.OverrideSet(group_id=NOWHERE, due_at=None)
    refused(422, courses.set_override, owner, course_id=course_id, body=unknown)
    overrides = ok(courses.overrides, owner, course_id=course_id, enrollment_id=enrollment_id)
    assert (overrides.count, overrides.data[0].id) == (1, override.id)
    refused(403, courses.overrides, client, course_id=course_id)
    start = m.PartDatesChange(starts_at="2001-09-01T10:00:00Z", expected_dates=m.ExpectedDates(starts_at=None))
    dates = m.DatesSet(dates=[start, m.PartDatesChange(override_id=override.id)], shift_days=7)
    moved = ok(courses.set_dates, owner, course_id=course_id, body=dates)
    assert (len(moved.dates), str(moved.dates[1].override_id)) == (2, str(override.id))
    refused(409, courses.set_dates, owner, course_id=course_id, body=dates)
    due = m.DatesSet(dates=[m.PartDatesChange(due_at="2001-09-01")])
    refused(422, courses.set_dates, owner, course_id=course_id, body=due)
    refused(403, courses.set_dates, client, course_id=course_id, body=dates)
    entry = m.OverrideEntry(available_until=None, time_factor=1.5)
    many = m.OverridesSet(enrollment_id=enrollment_id, overrides=[entry])
    assert len(ok(courses.set_overrides, owner, course_id=course_id, body=many).overrides) == 1
    refused(403, courses.set_overrides, client, course_id=course_id, body=many)
    stale = m.OverridesSet(enrollment_id=enrollment_id, overrides=[m.OverrideEntry(expected=None)])
    refused(409, courses.set_overrides, owner, course_id=course_id, body=stale)
    times = ok(courses.override_times, owner, course_id=course_id, enrollment_id=enrollment_id)
    assert times.earlier_ends == []
    refused(403, courses.override_times, client, course_id=course_id)
    again = m.OverrideSet(enrollment_id=enrollment_id, time_factor=2, expected=None)
    refused(409, courses.set_override, owner, course_id=course_id, body=again)
    read = '{"available_until": null, "time_factor": 1.5}'
    refused(409, courses.delete_override, owner, override_id=override.id, expected="{}")
    ok(courses.delete_override, owner, override_id=override.id, expected=read)
    ok(courses.delete_group, owner, group_id=group_id)
    grades(owner, client, course_id, enrollment_id)
    ok(courses.grant_attempt, owner, enrollment_id=enrollment_id, page_id=page_id)
    refused(409, courses.grant_attempt, owner, enrollment_id=enrollment_id, page_id=page_id)
    ok(courses.take_back_attempt, owner, enrollment_id=enrollment_id, page_id=page_id)
    refused(409, courses.take_back_attempt, owner, enrollment_id=enrollment_id, page_id=page_id)
    ok(courses.reset_attempts, owner, enrollment_id=enrollment_id, page_id=page_id)
    read = ok(courses.read_questions, owner, body=m.QuestionsText(text="2 + 2 {=4}"))
    assert (len(read.questions), read.report) == (1, [])
    refused(422, courses.read_questions, owner, body=m.QuestionsText(text=""))
    tried = ok(courses.try_quiz, owner, page_id=page_id, body=body)
    assert (tried.passed, tried.attempts_left) == (True, 0)
    ok(courses.remove_student, owner, enrollment_id=enrollment_id)
    refused(404, courses.debug_progress, client, course_id=course_id)


def test_a_team() -> None:
    owner, _, _ = person()
    course_id = course(owner)[0]
    client, email, id = person()
    body: Any = m.CollaboratorInvite(email=email, role=m.CollaboratorInviteRole.EDITOR)
    invited = ok(courses.invite_collaborator, owner, course_id=course_id, body=body)
    assert (invited.state.value, invited.user_id) == ("pending", None)
    body = m.AcceptInvitation(token=mailed_token(email, "accept-invitation"))
    assert ok(courses.accept_invitation, client, body=body).my_role.value == "editor"
    refused(400, courses.accept_invitation, client, body=body)
    assert ok(courses.collaborators, client, course_id=course_id).data[0].user_id == id

    refused(409, courses.leave_course, owner, course_id=course_id)
    given = ok(courses.hand_over, owner, course_id=course_id, body=m.HandOver(user_id=id))
    assert (given.my_role.value, given.owner.email) == ("editor", email)
    ok(courses.leave_course, owner, course_id=course_id)
    body = m.CollaboratorInvite(email=address(), role=m.CollaboratorInviteRole.TEACHER)
    other = ok(courses.invite_collaborator, client, course_id=course_id, body=body)
    ok(courses.remove_collaborator, client, course_id=course_id, user_id=other.id)
    found = ok(courses.all_courses, superuser(), search=email)
    assert [each.id for each in found.data] == [course_id]


def test_courses_coming_in_and_going_out() -> None:
    client, *_ = person()

    def package() -> File:
        return File(payload=BytesIO(b"::Sum:: 2 + 2? {=4 ~5}\n"), file_name="questions.gift")

    def settled(job_id: UUID) -> m.ImportPreview:
        for _ in range(200):
            job = ok(courses.import_job, client, job_id=job_id)
            if job.state.value not in ("waiting", "running"):
                return job
            time.sleep(0.05)
        raise AssertionError("the import does not end")

    begun = ok(courses.import_course, client, body=m.ImportForm(file=package()))
    ready = settled(begun.id)
    assert ready.state.value == "ready" and ready.found.questions == 1
    ok(courses.confirm_import, client, job_id=begun.id, body=m.ImportTarget())
    done = settled(begun.id)
    assert done.state.value == "done"
    exported = ok(courses.export_course, client, course_id=done.course_id)
    taken = exported.payload.read()
    assert taken[:2] == b"PK"
    lost = ok(courses.export_report, client, course_id=done.course_id)
    assert lost.count == len(lost.data)
    again = ok(courses.import_course, client, body=m.ImportForm(file=package(), course_id=done.course_id))
    settled(again.id)
    assert ok(courses.cancel_import, client, job_id=again.id).state.value == "cancelled"
    refused(409, courses.cancel_import, client, job_id=again.id)

    # An update is previewed first.
    same = File(payload=BytesIO(taken), file_name="course.zip")
    body = m.ImportForm(file=same, course_id=done.course_id, mode=m.ImportFormMode.UPDATE)
    update = ok(courses.import_course, client, body=body)
    ready = settled(update.id)
    assert (ready.mode.value, ready.changes.stays, ready.changes.goes) == ("update", 1, 0)
    assert [page.change.value for page in ready.changes.pages] == ["stays"]
    ok(courses.confirm_import, client, job_id=update.id, body=m.ImportTarget())
    assert settled(update.id).state.value == "done"
    assert ok(courses.my_imports, client).count == 3


def test_icalendar_reads_the_same_events_as_the_api_after_50_changes_of_dates_and_zones() -> None:
    owner, _, _ = person()
    course_id, _, lesson_id, page_id = course(owner)
    code = ok(courses.generate_share_code, owner, course_id=course_id).share_code
    client, _, _ = person()
    ok(courses.enroll, client, body=m.EnrollRequest(share_code=code))
    version = ok(courses.get_page, owner, page_id=page_id).version
    assert ok(calendar.read_feed_state, client).is_active is False
    made = ok(calendar.create_feed, client)
    assert made.feed.is_active and made.feed.created_at
    token = made.url.split("/")[-2]
    zones = ["Europe/Moscow", "Australia/Lord_Howe", "Africa/Casablanca", "America/St_Johns", "Pacific/Apia"]
    last = 0
    for round in range(50):

        def day(add: int) -> str:
            return f"2026-{(round + add) % 12 + 1:02}-{(round * 7 + add) % 28 + 1:02}T02:30"

        dates = {"time_zone": zones[round % 5], "starts_at": "2026-01-01", "ends_at": day(11)}
        ok(courses.update_course, owner, course_id=course_id, body=m.CourseUpdate.from_dict(dates))
        title = f'{round}; "Буря", \\ мглою {"небо кроет, " * (round % 9)}'.strip()
        lesson = {"title": title, "available_from": None if round % 3 == 0 else day(0)}
        ok(courses.update_lesson, owner, lesson_id=lesson_id, body=m.LessonUpdate.from_dict(lesson))
        due = m.PageUpdate.from_dict({"due_at": day(5), "version": version})
        ok(courses.update_page, owner, page_id=page_id, body=due)
        listed = ok(calendar.read_events, client, limit=1000)
        assert listed.count == len(listed.data)
        expected = [
            (event.uid, event.at.strftime("%Y-%m-%dT%H:%M:%SZ"), f"{event.kind.value.title()}: {event.title}")
            for event in listed.data
        ]
        feed = ok(calendar.read_feed, token=token).payload.read()
        events, sequence = read_feed(feed)
        assert events == sorted(expected), round
        assert sequence > last
        last = sequence
    assert ok(calendar.read_upcoming, client, limit=3).overdue_count <= 1
    assert ok(calendar.read_feed_state, client).last_read_at
    ok(calendar.revoke_feed, client)
    refused(404, calendar.read_feed, token=token)
    refused(404, calendar.revoke_feed, client)


def test_notices() -> None:
    owner, _, _ = person()
    course_id = course(owner)[0]
    client, address_of_client, _ = person()
    body = m.CollaboratorInvite(email=address_of_client, role=m.CollaboratorInviteRole.EDITOR)
    ok(courses.invite_collaborator, owner, course_id=course_id, body=body)
    listed = ok(notices.list, client, unread_only=True, limit=10)
    assert (listed.unread, listed.has_more) == (1, False)
    notice = listed.data[0]
    assert (notice.kind.value, notice.is_read, notice.course, notice.subject_id) == ("invited", False, None, course_id)
    assert ok(notices.mark_read, client, body=m.NoticesRead(ids=[notice.id])).unread == 0
    assert ok(notices.mark_all_read, client, body=m.NoticesAllRead(before=notice.id)).unread == 0


def test_announcements_and_nudges() -> None:
    owner, _, _ = person()
    course_id = course(owner)[0]
    code = ok(courses.generate_share_code, owner, course_id=course_id).share_code
    learner, _, _ = person()
    ok(courses.enroll, learner, body=m.EnrollRequest(share_code=code))
    document = {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "On Friday"}]}]}
    new = m.AnnouncementCreate.from_dict({"title": "Exam", "content": document, "is_pinned": True})
    made = ok(courses.create_announcement, owner, course_id=course_id, body=new)
    assert (made.version, made.receivers, made.readers, made.publish_at, made.is_pinned) == (1, 1, 0, None, True)
    refused(403, courses.create_announcement, learner, course_id=course_id, body=new)
    listed = ok(courses.announcements, learner, course_id=course_id)
    assert (listed.count, listed.unread, listed.can_write, listed.data[0].readers) == (1, 1, False, None)
    read = m.AnnouncementsRead(announcement_ids=[made.id])
    assert ok(courses.mark_announcements_read, learner, course_id=course_id, body=read).unread == 0
    assert ok(courses.announcement, learner, announcement_id=made.id).is_read
    change = m.AnnouncementUpdate.from_dict({"version": 1, "title": "Exam on Friday"})
    changed = ok(courses.update_announcement, owner, announcement_id=made.id, body=change)
    assert (changed.version, changed.readers) == (2, 1)
    refused(409, courses.update_announcement, owner, announcement_id=made.id, body=change)
    student = ok(courses.course_students, owner, course_id=course_id, state="not_started").data[0]
    assert student.last_nudged_at is None
    nudge = m.Nudge(enrollment_ids=[student.enrollment_id], text="Begin!")
    assert ok(courses.nudge_students, owner, course_id=course_id, body=nudge).nudged == [student.enrollment_id]
    assert ok(courses.nudge_students, owner, course_id=course_id, body=nudge).skipped == [student.enrollment_id]
    assert ok(notices.list, learner).data[0].text == "Begin!"
    ok(courses.delete_announcement, owner, announcement_id=made.id)
    refused(404, courses.announcement, learner, announcement_id=made.id)


def test_how_a_user_is_told_of_notices_and_a_link_that_stops_mails() -> None:
    client, email, id = person()
    course_id, _, _, _ = course(client)
    first = ok(notices.read_preferences, client)
    assert first.is_stored is False
    assert all(choice.is_default and choice.in_app for choice in first.choices)
    settings = {
        "language": "en",
        "time_zone": "Europe/Moscow",
        "quiet_hours": {"from": "22:00", "until": "07:00"},
    }
    stored = ok(notices.set_settings, client, body=m.NoticeSettings.from_dict(settings))
    assert (stored.time_zone, stored.quiet_hours.until) == ("Europe/Moscow", "07:00")
    wrong = m.NoticeSettings.from_dict({**settings, "time_zone": "Europe/Kitezh"})
    refused(422, notices.set_settings, client, body=wrong)
    chosen = {"course_id": str(course_id), "kind": "graded", "in_app": False, "mail": "weekly"}
    after = ok(notices.choose, client, body=m.NoticeChosen.from_dict(chosen))
    assert after.courses[0].choices[0].mail.value == "weekly"
    elsewhere = m.NoticeChosen.from_dict({**chosen, "course_id": str(NOWHERE)})
    refused(404, notices.choose, client, body=elsewhere)
    kind = first.choices[0].kind
    assert ok(notices.reset, client, kind=kind, course_id=course_id).courses[0].choices == []
    token = notice_token(id, email)
    subscription = ok(notices.read_subscription, token=token)
    assert (subscription.email, subscription.course) == (f"{email[0]}***@example.com", None)
    assert [kind.value for kind in subscription.kinds] == ["graded"]
    assert f"/unsubscribe/{token}" in ok(notices.open_unsubscribe, token=token)
    ok(notices.unsubscribe, token=token, body=m.NoticeUnsubscribe.from_dict({"kind": "graded"}))
    graded = [choice.mail.value for choice in ok(notices.read_preferences, client).choices if choice.kind.value == "graded"]
    assert graded == ["off"]
    refused(404, notices.read_subscription, token=f"{token}x")
    refused(404, notices.unsubscribe, token="x", body=m.NoticeUnsubscribe())


def test_devices_that_receive_notices() -> None:
    client, _, _ = person()
    found = ok(notices.read_devices, client)
    assert found.public_key and found.devices == []
    # The keys of the example of RFC 8291.
    keys = {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    }
    added = m.NoticeDeviceAdded(endpoint=f"https://fcm.googleapis.com/{uuid4()}", **keys)
    device = ok(notices.add_device, client, body=added)
    assert device.endpoint == added.endpoint
    elsewhere = m.NoticeDeviceAdded(endpoint="https://localhost/", **keys)
    refused(422, notices.add_device, client, body=elsewhere)
    refused(404, notices.test_device, client, device_id=NOWHERE)
    ok(notices.remove_device, client, device_id=device.id)
    refused(404, notices.remove_device, client, device_id=device.id)


def test_files() -> None:
    uploaded = ok(courses.upload_file, person()[0], body=upload())
    assert (uploaded.filename, uploaded.content_type) == ("dot.png", "image/png")
    assert uploaded.size == len(PICTURE)
    key, filename = os.environ["KURSO_FILE"].split("/")
    assert len(ok(files.read_file, key=key, filename=filename).payload.read()) > 4
    part = ok(files.read_file, key=key, filename=filename, range_="bytes=0-3")
    assert len(part.payload.read()) == 4
    refused(404, files.read_file, key=str(NOWHERE), filename=filename)


def test_banks() -> None:
    client = person()[0]
    colleague, address_of_colleague, user_id = person()
    bank_id = ok(banks.create_bank, client, body=m.BankWrite(title="Algebra")).id
    ok(banks.update_bank, client, bank_id=bank_id, body=m.BankWrite(title="Geometry"))
    assert ok(banks.my_banks, client).data[0].title == "Geometry"
    question = {"type": "numeric", "prompt": "2 + 2?", "value": 4}
    body = m.BankQuestionsAdd.from_dict({"questions": [{"question": question, "tags": ["sums"]}]})
    question_id = ok(banks.add_questions, client, bank_id=bank_id, body=body).questions[0].id
    body = m.BankQuestionUpdate.from_dict({"version": 1, "question": {**question, "value": 5}})
    assert ok(banks.update_question, client, question_id=question_id, body=body).version == 2
    assert refused(409, banks.update_question, client, question_id=question_id, body=body).question.version == 2
    assert ok(banks.question_versions, client, question_id=question_id).count == 1
    found = ok(banks.questions, client, bank_id=bank_id, search="2", tag=["sums"], kind="numeric")
    assert (found.count, found.drawable) == (1, 1)
    assert len(ok(banks.questions_by_id, client, id=[question_id]).data) == 1
    body = m.BankQuestionsTag.from_dict({"question_ids": [str(question_id)], "add": ["easy"], "remove": ["sums"]})
    assert ok(banks.tag_questions, client, bank_id=bank_id, body=body).tags[0].name == "easy"
    upload_of = m.FileUpload(file=File(payload=BytesIO(b"3 + 3 {#6}"), file_name="sums.gift"))
    assert ok(banks.import_questions, client, bank_id=bank_id, body=upload_of).count == 1
    body = m.BankShare.from_dict({"email": address_of_colleague, "role": "viewer"})
    assert ok(banks.share, client, bank_id=bank_id, body=body).members[0].user_id == user_id
    assert ok(banks.get_bank, colleague, bank_id=bank_id).role == "viewer"
    refused(403, banks.delete_bank, colleague, bank_id=bank_id)
    ok(banks.unshare, colleague, bank_id=bank_id, user_id=user_id)
    body = m.BankQuestionsDelete(question_ids=[question_id])
    assert ok(banks.delete_questions, client, bank_id=bank_id, body=body).questions_count == 1
    ok(banks.delete_bank, client, bank_id=bank_id)
    refused(404, banks.get_bank, client, bank_id=bank_id)


def test_every_described_answer_has_a_type() -> None:
    """No documented response has the type `Any` in the client, except responses without a body."""
    document = httpx.get(f"{URL}/api/v1/openapi.json").json()
    untyped = []
    for methods in document["paths"].values():
        for operation in methods.values():
            name = operation["operationId"].replace("-", "_")
            module = import_module(f"kurso_client.api.{operation['tags'][0]}.{name}")
            hint = str(module.sync_detailed.__annotations__["return"])
            bodiless = any("content" not in answer for answer in operation["responses"].values())
            if "Any" in hint and not bodiless:
                untyped.append((name, hint))
    assert untyped == []
