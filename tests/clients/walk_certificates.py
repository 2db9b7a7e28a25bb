"""The part of walk.py about certificates."""

from typing import Any

from client import course, courses, learner_of, ok, person, refused, upload, users
from kurso_client import models as m


def test_a_certificate() -> None:
    owner, _, _ = person()
    course_id, _, _, page_id = course(owner)
    assert ok(courses.certificate_design, owner, course_id=course_id).is_on is False
    body = m.CertificateDesignUpdate.from_dict({"is_on": True, "basis": "completion", "valid_months": 12, "accent": "#1c6a52"})
    design = ok(courses.set_certificate_design, owner, course_id=course_id, body=body)
    assert (design.is_on, design.valid_months) == (True, 12)
    picture: Any = {"course_id": course_id, "picture": "logo"}
    assert ok(courses.upload_certificate_picture, owner, **picture, body=upload()).logo_url
    assert ok(courses.remove_certificate_picture, owner, **picture).logo_url is None

    learner = learner_of(owner, course_id)
    open_ = ok(courses.my_certificate, learner, course_id=course_id)
    assert (open_.state, open_.pages_left) == ("not_yet", 1)
    refused(409, courses.issue_certificate, learner, course_id=course_id)
    ok(courses.mark_page_visited, learner, page_id=page_id)
    issued = ok(courses.issue_certificate, learner, course_id=course_id)
    assert (issued.name, issued.state) == ("Ann Example", "valid")
    assert ok(courses.certificate_badge, learner, certificate_id=issued.id).jwt.count(".") == 2
    refused(404, courses.certificate_badge, owner, certificate_id=issued.id)
    assert ok(courses.public_certificate, certificate_id=issued.id).name == "Ann Example"
    hide = m.CertificatePrivacyUpdate(is_name_shown=False)
    ok(courses.set_certificate_privacy, learner, certificate_id=issued.id, body=hide)
    assert ok(courses.public_certificate, certificate_id=issued.id).name is None

    ok(users.update_user_me, learner, body=m.UserUpdateMe(full_name="Ann Other"))
    again = ok(courses.reissue_certificate, learner, certificate_id=issued.id)
    assert (again.name, again.awarded_at) == ("Ann Other", issued.awarded_at)
    own = ok(courses.my_certificates, learner)
    assert (own.count, own.data[1].replaced_by) == (2, again.id)
    why = m.CertificateRevocation(reason="A mistake")
    revoked = ok(courses.revoke_certificate, owner, certificate_id=again.id, body=why)
    assert (revoked.state, revoked.holder.full_name) == ("revoked", "Ann Other")
    listed = ok(courses.certificates, owner, course_id=course_id, search="other")
    assert listed.data[0].revoke_reason == "A mistake"
    assert ok(courses.restore_certificate, owner, certificate_id=again.id).state == "valid"
