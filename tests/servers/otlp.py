# Reads a message of OTLP profiles as servers do, and refuses what they refuse:
# a dictionary without its zero element, more than one kind of value a profile,
# no period, values by timestamp, numbers that name nothing.
#
# SPDX-License-Identifier: BSD-2-Clause
import struct


class Refused(Exception):
    pass


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """A message's fields: a list of values for each number."""
    all, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        elif kind == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            if len(value) != size:
                raise Refused("a field ends behind its message")
        else:
            raise Refused("wire type %d" % kind)
        all.setdefault(key >> 3, []).append(value)
    return all


def one(message, number, default=0):
    return message.get(number, [default])[-1]


def packed(message, number):
    values = []
    for each in message.get(number, []):
        if isinstance(each, int):
            values.append(each)
            continue
        at = 0
        while at < len(each):
            value, at = varint(each, at)
            values.append(value)
    return values


class Dictionary:
    tables = {"mapping": 1, "location": 2, "function": 3, "link": 4,
              "string": 5, "attribute": 6, "stack": 7}

    def __init__(self, data):
        self.raw = {}
        message = fields(data)
        for name, number in self.tables.items():
            table = message.get(number, [])
            if not table or table[0] != b"":
                raise Refused("the first element of %s_table is not the "
                              "zero element" % name)
            if len(set(table)) != len(table):
                raise Refused("%s_table has an element twice" % name)
            self.raw[name] = table

    def get(self, table, number):
        if number >= len(self.raw[table]):
            raise Refused("%s %d is not in the table" % (table, number))
        return self.raw[table][number]

    def string(self, number):
        return self.get("string", number).decode("utf-8")

    def attributes(self, message, number):
        found = {}
        for index in packed(message, number):
            kv = fields(self.get("attribute", index))
            key = self.string(one(kv, 1))
            if index == 0 or key in found:
                raise Refused("an attribute is there twice or empty")
            found[key] = any_value(fields(one(kv, 2, b"")))
        return found

    def value_type(self, profile, number, what):
        message = fields(profile.get(number, [b""])[0])
        name = self.string(one(message, 1)), self.string(one(message, 2))
        if len(profile.get(number, [])) != 1 or not name[0] or not name[1]:
            raise Refused("a profile has one %s" % what)
        return "/".join(name)

    def frames(self, number):
        """Names, the outermost first."""
        names = []
        for index in packed(fields(self.get("stack", number)), 1):
            place = fields(self.get("location", index))
            mapping = fields(self.get("mapping", one(place, 1)))
            self.string(one(mapping, 4))
            kinds = self.attributes(place, 4)
            for line in place.get(3, []):
                name = fields(self.get("function", one(fields(line), 1)))
                names.append(self.string(one(name, 1)))
            if not place.get(3):
                names.append("%#x" % one(place, 2))
            if kinds.get("profile.frame.type") == "kernel":
                names[-1] += "_[k]"
        return ";".join(reversed(names))

    def build_ids(self):
        return sorted(filter(None, (self.attributes(fields(m), 5).get(
            "process.executable.build_id.gnu")
            for m in self.raw["mapping"])))


def any_value(message):
    return message[1][0].decode("utf-8") if 1 in message else one(message, 3)


def read_sample(d, data):
    sample = fields(data)
    if sample.get(5):
        raise Refused("values by timestamp")
    values = packed(sample, 4)
    if len(values) != 1:
        raise Refused("a sample has %d values" % len(values))
    about = d.attributes(sample, 2)
    return "%s %s %d" % (d.frames(one(sample, 1)), " ".join(
        "%s=%s" % kv for kv in sorted(about.items())), values[0])


def read_profile(d, data):
    profile = fields(data)
    kind = d.value_type(profile, 1, "sample_type")
    period = d.value_type(profile, 5, "period_type")
    if one(profile, 6) <= 0:
        raise Refused("the period is 0")
    if one(profile, 3) == 0:
        raise Refused("there is no time")
    if len(one(profile, 7, b"")) != 16:
        raise Refused("profile_id has not 16 bytes")
    lines = ["profile %s period %s %d duration %d" % (
        kind, period, one(profile, 6), one(profile, 4))]
    return lines + sorted(read_sample(d, s) for s in profile.get(2, []))


def read(data):
    """The lines that a request says, or Refused."""
    request = fields(data)
    d = Dictionary(one(request, 2, b""))
    lines = ["build-ids " + " ".join(d.build_ids())]
    for resource in request.get(1, []):
        message = fields(resource)
        about = {}
        for kv in fields(one(message, 1, b"")).get(1, []):
            kv = fields(kv)
            about[kv[1][0].decode()] = any_value(fields(kv[2][0]))
        if not about.get("service.name"):
            raise Refused("a resource has no service.name")
        lines.append("resource " + " ".join(
            "%s=%s" % each for each in sorted(about.items())))
        for scope in message.get(2, []):
            for profile in fields(scope).get(2, []):
                lines += read_profile(d, profile)
    return lines
