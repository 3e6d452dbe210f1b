# Plays the servers that profiles are sent to.
#
# usage: receiver.py DIRECTORY
#
# It writes its port to DIRECTORY/port.  DIRECTORY/plan has a word for each
# request that comes, and "take" stands for all that have none:
#	take		as the server would
#	busy		503, try again at once
#	cut		the connection is closed without an answer
#	lost		taken, and then as cut
#	refuse		400, with a sentence
#	part		200, and a sentence about what was rejected
#	wrong		200, and an answer whose fields have other types
#	hold		taken, and answered when DIRECTORY/go is there
#	endless		200, and an answer that never ends
#	headers		200, and headers that never end
# What was taken is appended to DIRECTORY/taken, refusals to DIRECTORY/refused,
# the last body is DIRECTORY/body, and its Authorization is DIRECTORY/rights.  Rows for ClickHouse are in
# DIRECTORY/samples, as "weight frames": one that comes again replaces the one
# before.
#
# SPDX-License-Identifier: BSD-2-Clause
import base64
import gzip
import http.server
import json
import os
import re
import sys
import time
import urllib.parse

sys.path.insert(0, os.path.dirname(__file__))
import otlp  # noqa: E402

where = sys.argv[1]


def path(name):
    return os.path.join(where, name)


def note(name, text):
    with open(path(name), "a") as out:
        out.write(text + "\n")


def next_word():
    try:
        with open(path("plan")) as plan:
            words = plan.read().split()
    except FileNotFoundError:
        return "take"
    with open(path("plan"), "w") as plan:
        plan.write(" ".join(words[1:]))
    return words[0] if words else "take"


def pprof_lines(data):
    """What is in a profile of pprof: its types and the sum of its values."""
    profile = otlp.fields(gzip.decompress(data))
    strings = [s.decode("utf-8") for s in profile[6]]
    if strings[0] != "":
        raise otlp.Refused("string_table[0] is not empty")
    for number, name in ((3, "mapping"), (4, "location"), (5, "function")):
        ids = [otlp.one(otlp.fields(m), 1) for m in profile.get(number, [])]
        if ids != list(range(1, len(ids) + 1)):
            raise otlp.Refused("the ids of each %s are not in turn" % name)
    kinds = [strings[otlp.one(otlp.fields(t), 1)] for t in profile[1]]
    sums = [0] * len(kinds)
    for sample in profile[2]:
        values = otlp.packed(otlp.fields(sample), 2)
        if len(values) != len(kinds):
            raise otlp.Refused("a sample has too few values")
        sums = [a + b for a, b in zip(sums, values)]
    if 11 not in profile or otlp.one(profile, 12) <= 0:
        raise otlp.Refused("there is no period")
    return " ".join("%s=%d" % kv for kv in zip(kinds, sums))


def only(message, *names):
    """Servers refuse members that they do not know."""
    if set(message) - set(names):
        raise otlp.Refused("unknown member %s" % sorted(message))
    return message


def take_series(body, parca):
    lines = []
    message = json.loads(body)
    for series in only(message, "series", "normalized")["series"]:
        only(series, "labels", "samples")
        pairs = series["labels"]
        if parca:
            pairs = only(pairs, "labels")["labels"]
        labels = {only(p, "name", "value")["name"]: p["value"] for p in pairs}
        for name in labels:
            if not re.fullmatch("[a-zA-Z_][a-zA-Z0-9_]*", name):
                raise otlp.Refused("label " + name)
        if not labels.get("__name__") or not labels.get("service_name"):
            raise otlp.Refused("__name__ or service_name is missing")
        for sample in series["samples"]:
            only(sample, "rawProfile", *([] if parca else ["ID"]))
            lines.append(" ".join("%s=%s" % kv for kv in sorted(
                labels.items())) + " " + pprof_lines(
                base64.b64decode(sample["rawProfile"], validate=True)))
    return sorted(lines)


class Rows:
    """Reads ClickHouse's format RowBinary."""
    samples = ("time", "u4"), ("ns", "u4"), ("host", "s"), ("boot", "u8"), \
        ("pid", "u4"), ("tid", "u4"), ("comm", "s"), ("cgroup", "s"), \
        ("event", "s"), ("state", "s"), ("wait", "s"), ("stack", "id"), \
        ("weight", "u8"), ("period_us", "u4")
    stacks = ("stack", "id"), ("frames", "a"), ("places", "a")

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        if self.at + size > len(self.data):
            raise otlp.Refused("a row is cut")
        self.at += size
        return self.data[self.at - size:self.at]

    def value(self, kind):
        if kind[0] == "u":
            return int.from_bytes(self.take(int(kind[1])), "little")
        if kind == "id":
            return self.take(16)
        size, self.at = otlp.varint(self.data, self.at)
        if kind == "a":
            return [self.value("s") for _ in range(size)]
        return self.take(size).decode("utf-8")

    def read(self, columns):
        while self.at < len(self.data):
            yield {name: self.value(kind) for name, kind in columns}


samples, stacks = {}, {}


def take_rows(url, body):
    asked = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)
    table, rest = asked["query"][0][len("INSERT INTO "):].split(" ", 1)
    columns = getattr(Rows, table)
    names = "(%s) FORMAT RowBinary" % ", ".join(n for n, _ in columns)
    if rest != names or asked["insert_distributed_sync"] != ["1"]:
        raise otlp.Refused("query " + url)
    for row in Rows(body).read(columns):
        if table == "stacks":
            stacks[row["stack"]] = row["frames"]
            if len(row["places"]) != len(row["frames"]):
                raise otlp.Refused("a frame has no place")
            continue
        key = tuple(row[n] for n in ("host", "time", "tid", "ns", "boot",
                                     "event", "stack"))
        if row["weight"] == 0 or row["stack"] not in stacks:
            raise otlp.Refused("a sample has no weight or no stack")
        samples[key] = max(samples.get(key, (0,)),
                           (row["weight"], row["comm"], row["stack"]))
    with open(path("samples"), "w") as out:
        for key, (weight, comm, stack) in samples.items():
            if key[5] != "threads":
                continue
            out.write("%d %s;%s\n" % (weight, comm, ";".join(
                f.removesuffix("_[k]") for f in stacks[stack])))
    return ["%s of %s" % (table, asked["database"][0])]


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def never_end(self, word):
        self.close_connection = True
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        part = b"X-A: " + b"y" * 4096 + b"\r\n"
        if word == "endless":
            self.wfile.write(b"\r\n")
            part = b"x" * 65536
        sent = 0
        try:
            while sent < 1 << 36:
                self.wfile.write(part)
                sent += len(part)
        except OSError:
            pass
        note("sent", str(sent))

    def take(self, body):
        kind = self.headers.get("Content-Type")
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        with open(path("body"), "wb") as out:
            out.write(body)
        with open(path("rights"), "w") as out:
            out.write(self.headers.get("Authorization", ""))
        if self.path.endswith("/v1development/profiles") and \
                kind == "application/x-protobuf":
            return otlp.read(body)
        if kind == "application/json" and self.path in (
                "/push.v1.PusherService/Push", "/api/profiles/writeraw"):
            return take_series(body, "writeraw" in self.path)
        if self.path.startswith("/?"):
            return take_rows(self.path, body)
        raise otlp.Refused("%s %s" % (self.path, kind))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        word = next_word()
        if word == "busy":
            return self.answer(503, b"busy")
        if word == "cut":
            self.close_connection = True
            return None
        if word in ("endless", "headers"):
            return self.never_end(word)
        if word == "refuse":
            return self.answer(400, b"no such tenant")
        try:
            for line in self.take(body):
                note("taken", line)
        except otlp.Refused as why:
            note("refused", str(why))
            return self.answer(400, str(why).encode())
        while word == "hold" and not os.path.exists(path("go")):
            time.sleep(0.01)
        if word == "lost":
            self.close_connection = True
            return None
        # partial_success {rejected_profiles: 3, error_message: "too old"}
        part = b"\x0a\x0b\x08\x03\x12\x07too old"
        # The same with the types of both fields exchanged, and a count below 0.
        wrong = (b"\x0a\x07\x0a\x01x\x10\x05\x08\x01"
                 b"\x0a\x10\x08" + b"\xff" * 9 + b"\x01\x12\x03odd")
        bodies = {"part": part, "wrong": wrong}
        try:
            return self.answer(200, bodies.get(word, b""))
        except OSError:  # the client was killed
            return None


server = http.server.HTTPServer(("127.0.0.1", 0), Server)
with open(path("port.new"), "w") as port:
    port.write(str(server.server_address[1]))
os.rename(path("port.new"), path("port"))
server.serve_forever()
