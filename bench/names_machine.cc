// Names all user stacks of the machine with their lines, after they were
// captured.
//
//	names_machine collect file	captures; writes what is to be named
//	names_machine stack9 file	names it: ms of CPU, processes,
//	names_machine libdwfl file	addresses, and how many had a line
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <vector>

#include <stack9.h>
#include <unistd.h>

#include "names_libdwfl.h"
#include "own_clock.h"

namespace {

// Each address of a process once: who asks twice may remember it himself.
using addresses = std::map<pid_t, std::set<std::uintptr_t>>;

int
add_sample(void *arg, const stack9_sample *sample)
{
	auto &all = *static_cast<addresses *>(arg);
	const stack9_stack &user = *sample->user;
	const pid_t pid = sample->thread.pid;
	if (pid != getpid() && user.pcs != nullptr)
		all[pid].insert(user.pcs, user.pcs + user.depth);
	return 0;
}

// Nobody is stopped for it: they are strangers.
int
collect(const char *file)
{
	addresses all;
	if (stack9_force("user-iter,user-syscall,user-ipi") != 0 ||
	    stack9_each(nullptr, STACK9_USER, nullptr, add_sample, &all) != 0)
		return 1;
	std::ofstream out(file);
	for (const auto &[pid, pcs] : all) {
		out << pid << ' ' << pcs.size();
		for (const std::uintptr_t pc : pcs)
			out << ' ' << pc;
		out << '\n';
	}
	return out.good() ? 0 : 1;
}

addresses
read(const char *file)
{
	addresses all;
	std::ifstream in(file);
	pid_t pid;
	std::size_t n;
	while (in >> pid >> n)
		for (std::uintptr_t pc; n > 0 && in >> pc; n--)
			all[pid].insert(pc);
	return all;
}

// Names are not made readable, because libdwfl does not do it, either.
bool
has_line(stack9_space *space, std::uintptr_t pc)
{
	bool found = false;
	stack9_frame_at(space, pc, STACK9_FRAMES_RETURN | STACK9_FRAMES_LINES |
	    STACK9_FRAMES_LINKAGE, [](void *arg, const stack9_frame *f) {
		*static_cast<bool *>(arg) |= f->line != 0;
		return 0;
	}, &found);
	return found;
}

unsigned
by_stack9(const addresses &all)
{
	unsigned had = 0;
	std::vector<stack9_space *> open;
	for (const auto &[pid, pcs] : all) {
		stack9_thread td{};
		stack9_space *space = nullptr;
		if (stack9_thread_find(pid, &td) != 0 ||
		    stack9_space_open(&td, &space) != 0)
			continue;
		for (const std::uintptr_t pc : pcs)
			had += has_line(space, pc);
		open.push_back(space);
	}
	for (stack9_space *const space : open)
		stack9_space_close(space);
	return had;
}

unsigned
by_libdwfl(const addresses &all)
{
	unsigned had = 0;
	for (const auto &[pid, pcs] : all) {
		libdwfl_view view;
		if (!view.open(pid))
			continue;
		for (const std::uintptr_t pc : pcs)
			had += view.lines(pc) != 0;
	}
	return had;
}

} // namespace

int
main(int argc, char **argv)
{
	if (argc < 3)
		return 64;
	alarm(300);
	if (std::strcmp(argv[1], "collect") == 0)
		return collect(argv[2]);
	const addresses all = read(argv[2]);
	std::size_t count = 0;
	for (const auto &[pid, pcs] : all)
		count += pcs.size();
	const double begin = cpu_ns();
	const unsigned had = std::strcmp(argv[1], "stack9") == 0 ?
	    by_stack9(all) : by_libdwfl(all);
	std::printf("%.3f %zu %zu %u\n", (cpu_ns() - begin) / 1e6, all.size(),
	    count, had);
	return 0;
}
