// Writes the whole profile for programs.
//
// SPDX-License-Identifier: BSD-2-Clause

#include <fmt/format.h>

#include "tools/lib/text.h"
#include "tools/lib/json.h"
#include "words.h"
#include "writers.h"

namespace profiles {
namespace {

using tools::append;
using tools::append_numbers;
using tools::json_address;
using tools::json_member;

constexpr int schema = 1;

std::string
known_member(const char *key, const std::string &value)
{
	return value.empty() ? "" : "," + json_member(key, value);
}

std::string
known_member(const char *key, std::uint64_t value)
{
	return value == 0 ? "" : fmt::format(",\"{}\":{}", key, value);
}

const char *
deleted_member(const frame &f)
{
	return (f.flags & tools::frame_deleted) != 0 ? ",\"deleted\":true" :
	    "";
}

std::string
frame_object(const frame &f)
{
	return fmt::format("{{\"kind\":\"{}\",", word(f.kind)) +
	    json_member("name", name_of(f)) +
	    known_member("linkage", f.linkage) +
	    known_member("module", f.module) +
	    known_member("build_id", f.build_id) + deleted_member(f) +
	    (f.address != 0 ? "," + json_address("address", f.address) : "") +
	    known_member("offset", f.offset) + known_member("file", f.file) +
	    known_member("line", f.line) +
	    known_member("language", f.language) + "}";
}

std::string
head(const profile &p)
{
	std::uint64_t events = 0, weight = 0;
	for (const stack &s : p.stacks) {
		events += s.events;
		weight += s.weight;
	}
	return fmt::format("{{\"schema\":{},{},{},\"began_ns\":{},"
	    "\"took_ns\":{}{},\"total\":{{\"events\":{},\"weight\":{}}},{}",
	    schema, json_member("event", p.event), json_member("unit", p.unit),
	    p.began_ns, p.took_ns, known_member("period_ns", p.period_ns),
	    events, weight, json_member("note", p.note));
}

} // namespace

std::string
json(const profile &p)
{
	fmt::memory_buffer out;
	append(out, "{},\n\"frames\":[", head(p));
	const char *comma = "\n";
	for (const frame &f : p.frames) {
		append(out, "{}{}", comma, frame_object(f));
		comma = ",\n";
	}
	append(out, "\n],\n\"stacks\":[");
	comma = "\n";
	for (const stack &s : p.stacks) {
		append(out, "{}{{\"events\":{},\"weight\":{}{}{},"
		    "\"frames\":[", comma, s.events, s.weight,
		    known_member("comm", s.comm),
		    known_member("pid", static_cast<std::uint64_t>(s.pid)));
		append_numbers(out, s.frames);
		append(out, "]}}");
		comma = ",\n";
	}
	append(out, "\n]}}\n");
	return fmt::to_string(out);
}

} // namespace profiles
