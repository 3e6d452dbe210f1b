// Writes speedscope's own file format: frames, stacks and weights.
//
// SPDX-License-Identifier: BSD-2-Clause

#include <fmt/format.h>

#include "tools/lib/text.h"
#include "tools/lib/json.h"
#include "profile.h"
#include "text.h"
#include "words.h"
#include "writers.h"

namespace profiles {
namespace {

using tools::append;
using tools::append_numbers;
using tools::json_member;

// The text is valid UTF-8, so that there is no second member.
std::string
member(const char *key, const std::string &value)
{
	return json_member(key, utf8(value));
}

// The format knows these units of time, and bytes; any other unit is "none".
const char *
unit_word(const profile &p)
{
	for (const char *unit : {"nanoseconds", "microseconds", "milliseconds",
		 "seconds"})
		if (p.unit == unit)
			return unit;
	return "none";
}

// Lines are left out: a function has another line for each call, and it would
// be shown as many functions.  That of a language's function is what readers of
// such profiles look for.
std::string
speedscope_frame(const frame &f)
{
	const std::string &file = f.file.empty() ? f.module : f.file;
	const bool language = f.kind == frame_kind::language;
	return "{" + member("name", language ? name_of(f) : label(f)) +
	    (file.empty() ? "" : "," + member("file", file)) +
	    (language && f.line != 0 ? fmt::format(",\"line\":{}", f.line) :
	    "") + "}";
}

void
put_samples(fmt::memory_buffer &out, const profile &p, const distinct &all)
{
	std::vector<std::uint32_t> frames;
	const char *comma = "\n";
	for (const stack &s : p.stacks) {
		frames.clear();
		for (const std::uint32_t f : s.frames)
			frames.push_back(all.of[f]);
		append(out, "{}[", comma);
		append_numbers(out, frames);
		append(out, "]");
		comma = ",\n";
	}
}

std::uint64_t
put_weights(fmt::memory_buffer &out, const profile &p)
{
	std::uint64_t sum = 0;
	const char *comma = "";
	for (const stack &s : p.stacks) {
		append(out, "{}{}", comma, s.weight);
		comma = ",";
		sum += s.weight;
	}
	return sum;
}

} // namespace

std::string
speedscope(const profile &given)
{
	profile copy;
	const profile &p = with_processes(given, copy);
	const distinct all = distinct_frames(p);
	fmt::memory_buffer out;
	append(out, "{{\"$schema\":"
	    "\"https://www.speedscope.app/file-format-schema.json\","
	    "\"exporter\":\"stack9\",{},\"activeProfileIndex\":0,\n"
	    "\"shared\":{{\"frames\":[", member("name", p.event));
	const char *comma = "\n";
	for (const std::uint32_t f : all.first) {
		append(out, "{}{}", comma, speedscope_frame(p.frames[f]));
		comma = ",\n";
	}
	append(out, "\n]}},\n\"profiles\":[{{\"type\":\"sampled\",{},"
	    "\"unit\":\"{}\",\"startValue\":0,\"samples\":[",
	    member("name", p.event), unit_word(p));
	put_samples(out, p, all);
	append(out, "\n],\n\"weights\":[");
	const std::uint64_t sum = put_weights(out, p);
	append(out, "],\"endValue\":{}}}]}}\n", sum);
	return fmt::to_string(out);
}

} // namespace profiles
