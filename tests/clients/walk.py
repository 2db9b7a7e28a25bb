"""Calls every operation through the generated Python client, in the same steps as walk.ts: accounts, items, files, and what the clients promise."""

import os
import re
from importlib import import_module

import httpx
from client import (
    NOWHERE,
    PASSWORD,
    PICTURE,
    URL,
    address,
    courses,
    files,
    items,
    login,
    mailed_token,
    ok,
    person,
    private,
    refused,
    signed_in,
    superuser,
    upload,
    users,
    utils,
)
from kurso_client import models as m


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


def test_files() -> None:
    uploaded = ok(courses.upload_file, person()[0], body=upload())
    assert (uploaded.filename, uploaded.content_type) == ("dot.png", "image/png")
    assert uploaded.size == len(PICTURE)
    key, filename = os.environ["KURSO_FILE"].split("/")
    assert len(ok(files.read_file, key=key, filename=filename).payload.read()) > 4
    part = ok(files.read_file, key=key, filename=filename, range_="bytes=0-3")
    assert len(part.payload.read()) == 4
    refused(404, files.read_file, key=str(NOWHERE), filename=filename)


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
