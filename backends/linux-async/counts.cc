// Reads the counts from the memory that the programs write to.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "counts.h"

#include "state.h"

namespace stack9::bpf {

int
async_counts(stack9_count_fn *fn, void *arg) noexcept
{
	async_state *const st = current_state();
	s9_control none{};
	s9_control &c = st != nullptr ? st->table.control() : none;
	const auto now = [](__u64 &n) {
		return std::atomic_ref<__u64>(n).load();
	};
	const struct {
		const char	*name;
		std::uint64_t	 value;
		const char	*meaning;
	} all[] = {
		{"async-captured", now(c.captured),
		    "user stacks that threads took of themselves"},
		{"async-inside-ns", now(c.inside_ns),
		    "nanoseconds that it took them"},
		{"async-dropped", now(c.dropped),
		    "events for which there was no room"},
	};
	int stop = 0;
	for (const auto &n : all)
		if (stop == 0)
			stop = fn(arg, n.name, n.value, n.meaning);
	return stop;
}

} // namespace stack9::bpf
