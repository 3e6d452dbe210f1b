// Checks that a copy has what the threads have noted, and what /proc says of
// them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "noted.h"

#include <cstdlib>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <sched.h>

#include "lib/text.h"

std::uint64_t
word_at(const stack9::user_copy &copy, std::uintptr_t where)
{
	std::uint64_t word = 0;
	for (const stack9::copied_piece *p : {&copy.stack, &copy.other})
		if (p->holds(where, sizeof word))
			std::memcpy(&word, p->bytes.data() + (where - p->at),
			    sizeof word);
	return word;
}

std::string
fault_of(const stack9::user_copy &copy, const notes &n)
{
	std::string faults;
	for (const note &r : n.returns)
		if (word_at(copy, r.where) != r.what)
			faults += fmt::format("{:#x}: {:#x} for {:#x}\n",
			    r.where, word_at(copy, r.where), r.what);
	for (std::size_t i = 0; i < stamp_count; i++)
		if (word_at(copy, n.stamps + i * 8) != stamp(n.tid, i))
			faults += fmt::format("stamp {}: {:#x}\n", i,
			    word_at(copy, n.stamps + i * 8));
	return faults;
}

std::uint64_t
status_number(pid_t tid, const char *key)
{
	return std::strtoull(lib::status_value(tid, key).c_str(), nullptr, 10);
}

void
wait_until_it_goes_on(const notes &n)
{
	const std::uint64_t before = n.rounds;
	while (n.rounds == before || status_number(n.tid, "TracerPid") != 0)
		sched_yield();
}
