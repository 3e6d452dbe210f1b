// A profile in each of the formats that people's tools read.
//
// Names may hold any byte.  A format whose text has to be UTF-8 gets U+FFFD
// where it is not, and JSON the bytes besides.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "profile.h"

namespace profiles {

// "comm;outer;inner 12" a line, as flame graphs are commonly made of: the
// weight is the number, what reads the same is one line, lines are sorted.  In
// a name ";" is ":", and a control character \ooo.  marked: kernel frames end
// in _[k], inlined ones in _[i].
std::string folded(const profile &, bool marked = false);

// One object, a line for each frame and stack:
//	schema		1
//	event, unit, note	as profile has them
//	began_ns, took_ns; period_ns if there is one
//	total		{events, weight}: the sums of all stacks'
//	frames		[{kind: "kernel", "user", "inlined", "delimiter",
//			"process" or "note"; name, and where known linkage,
//			module, build_id, address: "0x1f", offset, file, line}]
//	stacks		[{events, weight, frames: [indexes into frames, the
//			outermost first], and where told apart comm, pid}]
// A string that is not UTF-8 is followed by NAME_hex, all of its bytes.
std::string json(const profile &);

// Protocol buffer profile.proto, not compressed, of go tool pprof and others.
// What is no code is not there: comm and pid are labels, the delimiter is left
// out, for its node would join what has nothing in common.
std::string pprof(const profile &);

// JSON of https://www.speedscope.app/file-format-schema.json, "sampled".
std::string speedscope(const profile &);

// An SVG that needs nothing else.  It shows all without its script; with it, it
// zooms and searches.  Too narrow frames are left out, and it says so.
std::string flame_graph(const profile &);

// The same in a page of HTML.
std::string flame_graph_html(const profile &);

} // namespace profiles
