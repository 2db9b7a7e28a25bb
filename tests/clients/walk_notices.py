"""The part of walk.py about notices, announcements and devices."""

from uuid import uuid4

from client import NOWHERE, course, courses, learner_of, notice_token, notices, ok, person, refused
from kurso_client import models as m


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
    learner = learner_of(owner, course_id)
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
    # Nothing listens there.
    added = m.NoticeDeviceAdded(endpoint=f"http://127.0.0.1:9/{uuid4()}", **keys)
    device = ok(notices.add_device, client, body=added)
    assert device.endpoint == added.endpoint
    elsewhere = m.NoticeDeviceAdded(endpoint="https://localhost/", **keys)
    refused(422, notices.add_device, client, body=elsewhere)
    ok(notices.test_device, client, device_id=device.id)
    refused(404, notices.test_device, client, device_id=NOWHERE)
    ok(notices.remove_device, client, device_id=device.id)
    refused(404, notices.remove_device, client, device_id=device.id)
