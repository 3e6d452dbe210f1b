// Names what runs the code of a frame, as OpenTelemetry does.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <utility>

#include "pprof_places.h"

namespace profiles {

// For some languages the word is the name of a runtime.
inline std::string
otlp_frame_type(const pprof_location &l)
{
	static constexpr std::pair<const char *, const char *> words[] = {
	    {"python", "cpython"}, {"java", "jvm"}, {"node", "v8js"},
	    {"javascript", "v8js"}, {"erlang", "beam"}};
	if (l.kind == frame_kind::kernel)
		return "kernel";
	if (l.language.empty())
		return "native";
	for (const auto &[language, word] : words)
		if (l.language == language)
			return word;
	return l.language;
}

} // namespace profiles
