"""The part of walk.py about courses, their teams, learners, dates and files."""

import time
from io import BytesIO
from typing import Any
from uuid import UUID

from client import (
    address,
    calendar,
    course,
    courses,
    document,
    learner_of,
    login,
    mailed_token,
    ok,
    person,
    post,
    refused,
    superuser,
    upload,
    users,
)
from feed import read_feed
from kurso_client import models as m
from kurso_client.types import File


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
    show(client, course_id)
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


def show(client: Any, course_id: Any) -> None:
    refused(404, courses.public_course, course_id=course_id)
    body = m.VisibilityUpdate.from_dict({"visibility": "public"})
    assert ok(courses.set_visibility, client, course_id=course_id, body=body).visibility == "public"
    assert ok(courses.upload_cover, client, course_id=course_id, body=upload()).cover_url
    assert ok(courses.public_page, client, course_id=course_id).visibility == "public"
    shown = ok(courses.public_course, course_id=course_id)
    assert shown.is_enrollment_open and shown.cover.url.startswith(f"/courses/{course_id}/cover")
    assert course_id in [course.id for course in ok(courses.catalogue, limit=1000).data]
    learner, _, _ = person()
    assert ok(courses.join_course, learner, course_id=course_id).course.my_role.value == "learner"
    assert ok(courses.remove_cover, client, course_id=course_id).cover_url is None
    start_as_guest(client, course_id)
    body = m.VisibilityUpdate.from_dict({"visibility": "private"})
    ok(courses.set_visibility, client, course_id=course_id, body=body)
    refused(404, courses.public_course, course_id=course_id)


def start_as_guest(client: Any, course_id: Any) -> None:
    code = ok(courses.generate_share_code, client, course_id=course_id).share_code
    refused(404, courses.guest_course, share_code=code)
    body = m.VisibilityUpdate.from_dict({"visibility": "public", "allows_guests": True})
    assert ok(courses.set_visibility, client, course_id=course_id, body=body).allows_guests
    assert ok(courses.guest_course, share_code=code).id == course_id
    started = ok(login.start_as_guest, body=m.GuestStart(course_id=course_id))
    account, _, _ = person()
    merged = ok(users.merge_guest, account, body=m.GuestMerge(guest_token=started.access_token))
    assert (merged.course_ids, merged.uncounted_attempts) == ([course_id], 0)


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
    learner = learner_of(client, course_id)
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
    assert {"question", "answer"} <= {text.kind for text in ok(users.texts_of_me, client).data}
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
    lesson_id = ok(courses.get_page, client, page_id=page_id).lesson_id
    words = [{"type": "paragraph", "content": [{"type": "text", "text": "Tie it"}]}]
    tasks = {"type": "doc", "content": [{"type": "taskList", "content": [{"type": "taskItem", "content": words}]}]}
    steps = m.PageCreate.from_dict({"title": "Steps", "kind": "content", "content": tasks})
    page = ok(courses.create_page, client, lesson_id=lesson_id, body=steps)
    tick = m.TaskTick(version=page.version, task=0, is_ticked=True)
    assert ok(courses.tick_task, client, page_id=page.id, body=tick).ticked_tasks == [0]
    tick = m.TaskTick(version=page.version, task=999, is_ticked=True)
    refused(422, courses.tick_task, client, page_id=page.id, body=tick)
    ok(courses.delete_page, client, page_id=page.id)
    listed = ok(courses.course_notes, client, course_id=course_id, color="pink", search="again")
    assert (listed.count, listed.data[0].page.id, len(listed.bookmarks)) == (1, page_id, 1)
    noted = ok(courses.noted_courses, client).data
    assert [(str(each.course_id), each.notes, each.has_left) for each in noted] == [(str(course_id), 1, False)]
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
    client = learner_of(owner, course_id)
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
