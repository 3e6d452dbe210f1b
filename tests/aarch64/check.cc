// Runs the scenarios, and compares stacks with backtrace(3)'s.  The program's
// first argument names the way in which it was built.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "check.h"

#include <cstdio>
#include <cstring>
#include <string>

#include <execinfo.h>
#include <sys/auxv.h>

#include "unwind/registers.h"
#include "unwind/stacks.h"

using namespace stack9::unwind;

namespace {

const scenario *first_scenario;
unsigned int complaints;
std::string told;

[[gnu::noinline]] void
tell(const char *where, const frames &ours, const frames &theirs,
    std::uint32_t skip)
{
	char line[80];
	std::snprintf(line, sizeof line, "#   %s: ours and theirs, %u and %u\n",
	    where, ours.depth, theirs.depth - skip);
	told += line;
	for (std::uint32_t i = 0; i < ours.depth || i + skip < theirs.depth;
	    i++) {
		std::snprintf(line, sizeof line, "#   %#14lx %#14lx\n",
		    i < ours.depth ? ours.pcs[i] : 0,
		    i + skip < theirs.depth ? theirs.pcs[i + skip] : 0);
		told += line;
	}
}

// glibc has the frame that a return address of 0 leads to.
void
their_frames(frames &f, int n)
{
	f.depth = static_cast<std::uint32_t>(n);
	if (f.depth != 0 && f.pcs[f.depth - 1] == 0)
		f.depth--;
}

#define	THEIR_FRAMES(f)							\
	their_frames(f, backtrace(reinterpret_cast<void **>((f).pcs),	\
	    frames_room))

} // namespace

scenario::scenario(const char *what, void (*how)()) noexcept
    : sentence(what), run(how), next(first_scenario)
{
	first_scenario = this;
}

void
must(bool so, const char *what)
{
	if (!so && ++complaints <= 3)
		told += std::string("#   not so: ") + what + "\n";
}

std::uint32_t
must_continue(const char *where, const frames &ours, const frames &theirs)
{
	std::uint32_t skip = 0;
	while (skip < theirs.depth && theirs.pcs[skip] != ours.pcs[0])
		skip++;
	if (ours.depth != 0 && theirs.depth - skip == ours.depth &&
	    std::memcmp(ours.pcs, theirs.pcs + skip,
	    ours.depth * sizeof ours.pcs[0]) == 0)
		return skip;
	if (++complaints <= 3)
		tell(where, ours, theirs, skip);
	return skip;
}

void
must_agree(const char *where, int times)
{
	static thread_local frames ours, theirs;
	const frame first = CALLER();
	THEIR_FRAMES(theirs);
	for (int i = 0; i < times; i++) {
		const walked w = walk_own(first, ours.pcs, frames_room,
		    counting::yes);
		ours.depth = w.depth;
		must(w.dropped == 0 && !w.guessed, "nothing is dropped");
		if (must_continue(where, ours, theirs) != 1)
			must(false, where);
	}
}

void
must_agree_interrupted(const char *where, const ucontext_t &uc)
{
	static thread_local frames ours, theirs;
	THEIR_FRAMES(theirs);
	ours.depth = walk_interrupted(uc, ours.pcs, frames_room).depth;
	must_continue(where, ours, theirs);
	registers all;
	own_memory words;
	for (int r = 0; r < register_count; r++)
		all.set(r, register_of(uc, r));
	all.exact = true;
	ours.depth = walk_memory(words, all, ours.pcs, frames_room).depth;
	must_continue(where, ours, theirs);
	must_agree(where, 2);
	keep(&all);
}

// The order of files and of scenarios in them is not worth a promise.
int
main(int, char **argv)
{
	unsigned int failed = 0;
	for (const scenario *s = first_scenario; s != nullptr; s = s->next) {
		complaints = 0;
		told.clear();
		std::fprintf(stderr, "%s\n", s->sentence);
		s->run();
		std::printf("%s %s (%s)\n%s", complaints == 0 ? "ok" : "not ok",
		    s->sentence, argv[1], told.c_str());
		std::fflush(stdout);
		failed += complaints != 0;
	}
	return failed != 0;
}
