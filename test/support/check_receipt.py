"""Checks a receipt file with nothing but Python's standard library, written from the rules and from RFC 8032 and RFC 9162,
not from the product's code: python3 check_receipt.py RECEIPT.json HMAC_KEY. Prints one word for each thing that holds."""

import base64
import hashlib
import hmac
import json
import sys

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)


def add(a, b):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = a, b
    e = (y1 + x1) * (y2 + x2) - (y1 - x1) * (y2 - x2)
    f, g, h = 2 * (z1 * z2 - D * t1 * t2), 2 * (z1 * z2 + D * t1 * t2), (y1 + x1) * (y2 + x2) + (y1 - x1) * (y2 - x2)
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(point, count):
    sum_ = (0, 1, 1, 0)
    while count:
        if count & 1:
            sum_ = add(sum_, point)
        point = add(point, point)
        count >>= 1
    return sum_


def decode(raw):
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * SQRT_M1 % P
    if y >= P or (x * x - x2) % P or (x == 0 and sign):
        raise ValueError("not a point")
    x = P - x if x & 1 != sign else x
    return (x, y, 1, x * y % P)


BASE = decode(bytes([0x58]) + bytes([0x66]) * 31)


def is_signed(public, data, signature):
    try:
        a, r = decode(public), decode(signature[:32])
    except ValueError:
        return False  # half of all changed signatures are no point of the curve
    s = int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + data).digest(), "little") % L
    (x1, y1, z1, _), (x2, y2, z2, _) = times(BASE, s), add(r, times(a, k))
    return s < L and (x1 * z2 - x2 * z1) % P == 0 and (y1 * z2 - y2 * z1) % P == 0


def canonical(value):
    """RFC 8785 for what receipts hold: names are ASCII, numbers are small."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sha256(data):
    return hashlib.sha256(data.encode() if isinstance(data, str) else data)


def pae(kind, body):
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(body), body)


APART = {"/receipt", "/receipt/policy", "/evidence", "/evidence/requester", "/evidence/workspace", "/evidence/policy"}
APART |= {"/evidence/approvals", "/evidence/approvals/*", "/evidence/stages", "/evidence/stages/*", "/evidence/stdout", "/evidence/stderr"}


def fields(value, pointer, pattern):
    parts = []
    if pattern in APART and isinstance(value, dict):
        parts = [(name, part, name) for name, part in value.items()]
    if pattern in APART and isinstance(value, list) and all(isinstance(part, dict) for part in value):
        parts = [(str(at), part, "*") for at, part in enumerate(value)]
    if not parts:
        return {pointer: value}
    found = {}
    for name, part, kind in parts:
        found.update(fields(part, f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}", f"{pattern}/{kind}"))
    return found


def root_of(index, size, leaf, path):
    place, last, node = index, size - 1, leaf
    for sibling in path:
        if place & 1 or place == last:
            node = sha256(b"\1" + sibling + node).digest()
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            node = sha256(b"\1" + node + sibling).digest()
        place, last = place >> 1, last >> 1
    return node if last == 0 else None


def main(path, key):
    with open(path, encoding="utf-8") as text:
        file = json.load(text)
    receipt, evidence, proof = file["receipt"], file["evidence"], file["proof"]
    unsigned = {name: value for name, value in receipt.items() if name != "signature"}
    text = json.dumps(unsigned, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    if hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest() == receipt["signature"]:
        print("hmac")
    public = base64.b64decode(proof["key"]["publicKey"])[-32:]
    envelope = proof["envelope"]
    payload = base64.b64decode(envelope["payload"])
    if is_signed(public, pae(envelope["payloadType"], payload), base64.b64decode(envelope["signatures"][0]["sig"])):
        print("signature")
    subjects = {subject["name"]: subject["digest"]["sha256"] for subject in json.loads(payload)["subject"]}
    if subjects["receipt"] == sha256(canonical(receipt)).hexdigest() and subjects["evidence"] == sha256(canonical(evidence)).hexdigest():
        print("statement")
    ledger = proof["ledger"]
    found = {**fields(receipt, "/receipt", "/receipt"), **fields(evidence, "/evidence", "/evidence"), "/envelope": envelope}
    seed = ledger["salts"]["*"]
    digests = {
        pointer: sha256(canonical([sha256(seed + pointer).hexdigest()[:32], pointer, value])).hexdigest() for pointer, value in found.items()
    }
    leaf = sha256(b"\0" + canonical({"fields": digests, "schema": "countersign/leaf/1"}).encode()).digest()
    if leaf.hex() == ledger["leafHash"]:
        print("leaf")
    origin, size, root, blank, signed = ledger["checkpoint"].rstrip("\n").split("\n")
    path_ = [bytes.fromhex(node) for node in ledger["inclusion"]["hashes"]]
    if root_of(ledger["index"], int(size), leaf, path_) == base64.b64decode(root):
        print("inclusion")
    dash, name, sig = signed.split(" ")
    head = base64.b64decode(ledger.get("checkpointKey", proof["key"])["publicKey"])[-32:]
    note = base64.b64decode(sig)
    is_named = note[:4] == sha256(name.encode() + b"\n\1" + head).digest()[:4] and (dash, blank, name) == ("\u2014", "", origin)
    if is_named and is_signed(head, f"{origin}\n{size}\n{root}\n".encode(), note[4:]):
        print("checkpoint")


main(*sys.argv[1:])
