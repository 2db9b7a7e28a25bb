"""Authentication of fuzzed calls: the persona of the run, or a new account where the call would end the session."""

import os
from uuid import uuid4

import requests
import schemathesis

URL = os.environ["KURSO_URL"]
TOKEN = os.environ.get("KURSO_TOKEN", "")
SUPERUSER = os.environ.get("KURSO_SUPERUSER_TOKEN", "")
PASSWORD = "correct-horse-battery"
# Operations that end or change the caller's own session or account.
SELF_HARM = [
    "login-logout",
    "login-end_session",
    "users-delete_user_me",
    "users-update_user_me",
    "users-update_password_me",
]


def call(path: str, **given) -> dict:
    answer = requests.post(f"{URL}/api/v1{path}", timeout=30, **given)
    answer.raise_for_status()
    return answer.json()


class Bearer:
    def set(self, case, token, context):
        case.headers["Authorization"] = f"Bearer {token}"


if TOKEN:

    @schemathesis.auth(refresh_interval=None).skip_for(operation_id=SELF_HARM)
    class Persona(Bearer):
        def get(self, case, context):
            return TOKEN

    @schemathesis.auth(refresh_interval=None).apply_to(operation_id=SELF_HARM)
    class SomebodyNew(Bearer):
        def get(self, case, context):
            email = f"{uuid4()}@example.com"
            account = {"email": email, "password": PASSWORD, "is_superuser": bool(SUPERUSER)}
            if SUPERUSER:
                call("/users/", json=account, headers={"Authorization": f"Bearer {SUPERUSER}"})
            else:
                call("/users/signup", json=account)
            form = {"username": email, "password": PASSWORD}
            return call("/login/access-token", data=form)["access_token"]
