// Compares stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "robust_truth.h"

#include <algorithm>
#include <cstdio>

#include <dlfcn.h>
#include <stack9/sys/stack.h>

#include "robust_child.h"

// libgcc's, called by backtrace(3).
extern "C" const void *_Unwind_Find_FDE(void *pc, void *bases);

namespace {

using backtrace_fn = int (*)(void **, int);

// Its first call loads libgcc_s.  That takes locks and memory.
backtrace_fn
find_backtrace()
{
	const auto fn = reinterpret_cast<backtrace_fn>(dlsym(
	    dlopen("libc.so.6", RTLD_NOW), "backtrace"));
	void *some[4];
	fn(some, 4);
	return fn;
}

class line {
public:
	void
	add(const frames &f)
	{
		for (std::uint32_t i = 0; i < std::min(f.depth, 20u); i++)
			add(f.pcs[i]);
	}
	const char *text() const { return text_; }

private:
	void
	add(std::uintptr_t pc)
	{
		Dl_info info{};
		dladdr(reinterpret_cast<void *>(pc - 1), &info);
		size_ += static_cast<std::size_t>(std::snprintf(text_ + size_,
		    sizeof text_ - size_, " %lx(%.12s)", pc,
		    info.dli_sname == nullptr ? "" : info.dli_sname));
		size_ = std::min(size_, sizeof text_);
	}

	char		 text_[440] = "";
	std::size_t	 size_ = 0;
};

[[noreturn]] void
differ(const char *where, const frames &ours, const frames &theirs)
{
	line our_line, their_line;
	our_line.add(ours);
	their_line.add(theirs);
	broken("%s: %u frames%s, but are %u%s", where, ours.depth,
	    our_line.text(), theirs.depth, their_line.text());
}

void
must_begin_equal(const char *where, const struct stack &st, const frames &ours)
{
	const auto depth = std::min<std::uint32_t>(ours.depth, STACK_MAX);
	if (static_cast<std::uint32_t>(st.depth) != depth)
		broken("%s: stack_save() finds %d frames, stack9_save_self() "
		    "%u", where, st.depth, ours.depth);
	if (!near(st.pcs[0], ours.pcs[0]) ||
	    !std::equal(st.pcs + 1, st.pcs + depth, ours.pcs + 1))
		broken("%s: stack_save() and stack9_save_self() differ", where);
}

void
must_be_complete(const char *where, const stack9::stack_record &rec,
    outermost end)
{
	if (end == outermost::unmarked && rec.why == STACK9_WHY_UNWIND)
		must(rec.reason != nullptr, "why the walk ended is told");
	else if (rec.why != STACK9_WHY_NONE || rec.dropped != 0)
		broken("%s: all %u frames, and yet why %d, %s, dropped %u",
		    where, rec.depth, rec.why, rec.reason, rec.dropped);
}

// True if glibc's answer ends at a frame without unwind information.
bool
ends_early(const frames &theirs)
{
	struct {
		void *text, *data, *function;
	} bases;
	return theirs.depth != 0 && _Unwind_Find_FDE(reinterpret_cast<void *>(
	    theirs.pcs[theirs.depth - 1]), &bases) == nullptr;
}

// Ours begins with theirs from the second frame on, and ends with outer's.
void
must_complete(const char *where, const frames &ours, const frames &theirs,
    const frames &outer)
{
	if (ours.depth < theirs.depth + outer.depth ||
	    !std::equal(theirs.pcs + 1, theirs.pcs + theirs.depth,
	    ours.pcs + 1))
		differ(where, ours, theirs);
	const std::uintptr_t *const tail =
	    ours.pcs + ours.depth - outer.depth;
	if (!near(tail[0], outer.pcs[0]) || !std::equal(outer.pcs + 1,
	    outer.pcs + outer.depth, tail + 1))
		differ(where, ours, outer);
}

} // namespace

int (*const glibc_backtrace)(void **, int) = find_backtrace();

bool
near(std::uintptr_t a, std::uintptr_t b)
{
	return (a > b ? a - b : b - a) < 1024;
}

void
must_equal(const char *where, const frames &ours, std::uint32_t our_skip,
    const frames &theirs, std::uint32_t their_skip)
{
	if (ours.depth - our_skip != theirs.depth - their_skip ||
	    !std::equal(ours.pcs + our_skip, ours.pcs + ours.depth,
	    theirs.pcs + their_skip))
		differ(where, ours, theirs);
}

void
must_agree(const char *where, outermost end, const frames *outer)
{
	frames ours, theirs;
	stack9::stack_record rec;
	struct stack st;
	OUR_FRAMES(ours, rec);
	stack_save(&st);
	TRUE_FRAMES(theirs);
	if (rec.error != 0 || rec.depth == 0)
		broken("%s: stack9_save_self() says %d", where, rec.error);
	if (!near(ours.pcs[0], theirs.pcs[0]))
		differ(where, ours, theirs);
	if (outer != nullptr && ends_early(theirs))
		must_complete(where, ours, theirs, *outer);
	else
		must_equal(where, ours, 1, theirs, 1);
	must_be_complete(where, rec, end);
	must_begin_equal(where, st, ours);
}

void
under(unsigned int depth, void (*last)(void *), void *arg)
{
	char frame[32];
	keep(frame);
	if (depth == 0)
		last(arg);
	else
		under(depth - 1, last, arg);
	keep(frame);
}

void
under_by_fp(unsigned int depth, void (*last)(void *), void *arg)
{
	void *const frame = __builtin_alloca(16 + depth % 2 * 16);
	keep(frame);
	if (depth == 0)
		last(arg);
	else
		under_by_fp(depth - 1, last, arg);
	keep(frame);
}
