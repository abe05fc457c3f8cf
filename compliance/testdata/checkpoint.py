"""Signs a checkpoint in the C2SP note format with an independent Ed25519 implementation.

    pip install cryptography; python3 checkpoint.py
"""

import base64
import hashlib
import pathlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

NAME = "example/log"
ROOT = bytes.fromhex("5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328")

key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
public = b"\x01" + key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
key_id = hashlib.sha256(NAME.encode() + b"\n" + public).digest()[:4]
text = f"{NAME}\n8\n{base64.b64encode(ROOT).decode()}\n"
signature = base64.b64encode(key_id + key.sign(text.encode())).decode()
here = pathlib.Path(__file__).parent
(here / "checkpoint.vkey").write_text(f"{NAME}+{key_id.hex()}+{base64.b64encode(public).decode()}\n")
(here / "checkpoint.note").write_text(f"{text}\n\u2014 {NAME} {signature}\n")
