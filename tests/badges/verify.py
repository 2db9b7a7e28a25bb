"""Verifies badges with the package openbadgeslib, offline. Called by verify.mjs: prints, for each file named, what it was refused for, or null.

verify.py FOLDER NAME...: FOLDER has jwk.json, the key of the server, and status.jwt, which stands for every address that is fetched.
"""

import json
import sys
from pathlib import Path

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt import PyJWK
from openbadgeslib.ob3.verifier import OB3VerificationError, OB3Verifier

folder = Path(sys.argv[1])
key = PyJWK(json.loads((folder / "jwk.json").read_text())).key
verifier = OB3Verifier(key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))


def refusal(name: str) -> str | None:
    token = (folder / name).read_text()
    try:
        verifier.verify(token, check_status=True, download=lambda _: (folder / "status.jwt").read_bytes())
    except OB3VerificationError as error:
        return str(error)
    return None


print(json.dumps({name: refusal(name) for name in sys.argv[2:]}))
