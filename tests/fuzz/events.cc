// Reads any text as events: they are taken apart, or refused with a sentence.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>

#include "backends/linux-events/probes/event_text.h"

#include "fuzz.h"

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	namespace events = stack9::events;
	const std::string text(reinterpret_cast<const char *>(data), size);
	std::size_t length = 0;
	for (const std::string &one : events::split_events(text)) {
		length += one.size();
		for (const bool regex : {false, true}) {
			events::event_text e;
			std::string why;
			const int error = events::parse_event(one, regex, e,
			    why);
			if (error != 0 && (error != EINVAL || why.empty()))
				fail("refused without a sentence");
			// "profile" is another word for cpu-clock.
			if ((e.name.size() > one.size() &&
			    e.name != "cpu-clock") ||
			    e.path.size() > one.size())
				fail("a name that is not in the text");
		}
	}
	if (length > text.size())
		fail("more than the text");
	return 0;
}
