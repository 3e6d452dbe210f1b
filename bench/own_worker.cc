// Measures one figure of the own-stack benchmark in a process of its own: the
// places where the loader happens to put things make a process's captures
// faster or slower as long as it lives.
//
//	own_worker peer row frames	prints a value and how many frames
//	own_worker - counts 0		prints stack9_stats()
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include "own_rows.h"

namespace {

constexpr struct {
	std::string_view	name;
	row_call		call;
} rows[] = {
	{"fence", row_fence},
	{"unchanged", row_unchanged},
	{"changing", row_changing},
	{"changing-less", row_changing_less},
	{"eight-paths", row_eight_paths},
	{"many-paths", row_many_paths},
	{"alone", row_alone},
	{"handler", row_handler},
	{"two-stacks", row_two_stacks},
	{"eight-stacks", row_eight_stacks},
	{"two-told", row_two_switched},
	{"eight-told", row_eight_reported},
	{"first-of-thread", row_first_of_thread},
	{"bytes-of-thread", row_bytes_of_thread},
	{"one-thread", row_one_thread},
	{"two-threads", row_two_threads},
	{"never-seen", row_never_seen},
};

int
print_count(void *, const char *name, uint64_t value, const char *meaning)
{
	std::printf("  %-28s %9llu  %s\n", name,
	    static_cast<unsigned long long>(value), meaning);
	return 0;
}

// Prints the counts of one thread that has captured 32 frames.
int
print_counts()
{
	row_unchanged(peer_called("stack9", 32), 32);
	stack9_stats(print_count, nullptr);
	return 0;
}

} // namespace

int
main(int argc, char **argv)
{
	alarm(20);	// whatever goes wrong, the benchmark ends
	if (argc != 4)
		return 64;
	if (std::string_view(argv[2]) == "counts")
		return print_counts();
	const unsigned frames = static_cast<unsigned>(std::atoi(argv[3]));
	const capture peer = peer_called(argv[1], frames);
	for (const auto &row : rows) {
		if (row.name != argv[2] || peer == nullptr)
			continue;
		const figure f = row.call(peer, frames);
		if (f.value < 0)
			return 1;
		std::printf("%.3f %.1f\n", f.value, f.frames);
		return 0;
	}
	return 64;
}
