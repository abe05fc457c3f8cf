"""Countersigns `checkpoint.note` as a C2SP witness with an independent Ed25519 implementation.

    pip install cryptography; python3 cosignature.py
"""

import base64
import hashlib
import pathlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

NAME = "example/witness"
TIME = 1796032800

here = pathlib.Path(__file__).parent
key = Ed25519PrivateKey.from_private_bytes(bytes(range(32, 64)))
public = b"\x04" + key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
key_id = hashlib.sha256(NAME.encode() + b"\n" + public).digest()[:4]
note = (here / "checkpoint.note").read_text()
body = note.split("\n\n")[0] + "\n"
signature = key.sign(f"cosignature/v1\ntime {TIME}\n{body}".encode())
line = base64.b64encode(key_id + TIME.to_bytes(8, "big") + signature).decode()
(here / "cosignature.vkey").write_text(f"{NAME}+{key_id.hex()}+{base64.b64encode(public).decode()}\n")
(here / "cosignature.note").write_text(f"{note}\u2014 {NAME} {line}\n")
