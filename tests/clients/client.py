"""The server under test, and people who use it through the generated Python client."""

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
from uuid import UUID

import httpx
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


def learner_of(owner: AuthenticatedClient, course_id: UUID) -> AuthenticatedClient:
    """Signs up a new user who enrolls in the course of the owner by its code."""
    code = ok(courses.generate_share_code, owner, course_id=course_id).share_code
    learner, _, _ = person()
    ok(courses.enroll, learner, body=m.EnrollRequest(share_code=code))
    return learner


def post(text: str) -> dict[str, Any]:
    return {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]}
