// Reads any bytes as a program whose probes and functions are looked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "backends/linux-events/probes/event_text.h"
#include "backends/linux-events/probes/file_search.h"

#include "fuzz.h"

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	namespace events = stack9::events;
	for (const char *const name : {"*", "hit"})
		for (const auto &search : {events::search_probes,
		    events::search_functions}) {
			events::event_text e;
			e.kind = search == events::search_probes ?
			    events::probe_kind::usdt :
			    events::probe_kind::user;
			e.name = name;
			std::vector<events::probe> probes;
			std::string why;
			const int error = search(e, false,
			    stack9::unique_fd(file_of(data, size)), "program",
			    probes, why);
			if (error == 0 && probes.empty())
				fail("no error and no point");
			if (error != 0 && why.empty())
				fail("refused without a sentence");
			for (const auto &p : probes)
				if (p.name.size() > size)
					fail("a name outside the file");
		}
	return 0;
}
