// Tests stacks of programs whose return addresses a tracer's probes have
// replaced.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "return_probe.h"
#include "watching.h"

BOOST_AUTO_TEST_CASE(return_addresses_are_put_back, *needs("bpf") * copied()
    * boost::unit_test::description("Return addresses that probes at the "
    "returns of functions have replaced are put back."))
{
	constexpr std::uint64_t times = 1000, levels = 5;
	for (const char *const program : {"deep", "deep_lean"}) {
		staged p(program, {std::to_string(levels),
		    std::to_string(times)});
		const return_probe probe(p.pid(), staged::path(program),
		    "descend");
		if (!probe.is_there()) {
			BOOST_TEST_MESSAGE("skipped: this kernel has no "
			    "uretprobes");
			return;
		}
		watching w("syscall:getppid", only(p.pid()),
		    counted(STACK9_USER));
		w.all_of(p);
		w.end();
		BOOST_TEST(events_in(w.samples, "main") == times);
		for (const kept_sample &s : w.samples) {
			const auto names = s.user.names();
			BOOST_TEST(s.user.why == STACK9_WHY_NONE);
			BOOST_TEST(std::count(names.begin(), names.end(),
			    "descend") == levels + 1);
		}
	}
}
