// Writes a profile in each of the formats that people's tools read.
//
// Names may hold any byte.  In a format whose text has to be UTF-8, U+FFFD
// replaces the bytes that are not; JSON has all bytes besides.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "profile.h"

namespace profiles {

// Writes a line "comm;outer;inner 12" for each stack, the usual input of flame
// graphs.  The number is the weight.  Stacks that read the same share a line,
// and lines are sorted.  In a name ";" becomes ":", and a control character
// becomes \ooo.  marked: kernel frames end in _[k], inlined ones in _[i].
std::string folded(const profile &, bool marked = false);

// Writes one object, with a line for each frame and stack:
//	schema		1
//	event, unit, note	as in profile
//	began_ns, took_ns; period_ns if there is one
//	total		{events, weight}: the sums of all stacks'
//	frames		[{kind: "kernel", "user", "inlined", "delimiter",
//			"process" or "note"; name, and where known linkage,
//			module, build_id, address: "0x1f", offset, file, line}]
//	stacks		[{events, weight, frames: [indexes into frames, the
//			outermost first], comm and pid if by process}]
// A string that is not UTF-8 is followed by NAME_hex, all of its bytes.
std::string json(const profile &);

// Writes the protocol buffer profile.proto, not compressed, for go tool pprof
// and others.  Only code becomes a location: comm and pid are labels.  The
// delimiter is left out, for its node would join stacks that have nothing in
// common.
std::string pprof(const profile &);

// Writes OTLP's message ExportProfilesServiceRequest: one profile for each
// container, one kind of value a profile.
std::string otlp(const profile &);

// The version of the messages that otlp() writes.
inline constexpr const char otlp_version[] =
    "opentelemetry-proto 1.11.0, profiles v1development";

// Writes JSON of https://www.speedscope.app/file-format-schema.json, "sampled".
std::string speedscope(const profile &);

// Writes an SVG that needs no other file.  It shows the whole graph without its
// script; with the script it zooms and searches.  Frames that are too narrow
// are left out, and the graph says so.
std::string flame_graph(const profile &);

// Writes the same in a page of HTML.
std::string flame_graph_html(const profile &);

} // namespace profiles
