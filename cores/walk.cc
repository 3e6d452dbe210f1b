// Copies the registers and the stack of a core's thread, and walks the copy.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walk.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "core/record.h"
#include "core/seam/extend_copy.h"
#include "core/seam/space.h"
#include "core/seam/thread.h"

#include "registers.h"

namespace stack9::cores {
namespace {

// Most stacks are smaller; others are copied further as the walk asks for them.
constexpr std::size_t first_copy = 16 << 10;

class copier {
public:
	copier(core_process &p, user_copy &to) noexcept : core_(p), to_(to) {}

	void take(const thread &) noexcept;
	int extend(std::uint64_t wanted, stack_record &) noexcept;

private:
	fetched
	fetch(std::uint64_t from, void *to, std::size_t size) noexcept
	{
		const ssize_t n = core_.peek(from, to, size);
		return n <= 0 ? fetched{0, 0, false} :
		    fetched{0, static_cast<std::size_t>(n),
		    static_cast<std::size_t>(n) == size};
	}

	core_process	&core_;
	user_copy	&to_;
	std::size_t	red_zone_ = 0;
};

// The page below sp may not be mapped.
void
copier::take(const thread &t) noexcept
{
	to_.clear();
	const int machine = core_.has().about.machine;
	std::uint64_t sp = 0;
	to_.what = kind_of_copy(machine);
	arch::with_described(machine, [&](auto cpu) {
		using described = decltype(cpu);
		for (int n = 0; n < described::registers::count; n++)
			to_.set(n, register_of<described>(t, n));
		sp = register_of<described>(t, described::sp);
		red_zone_ = described::red_zone;
	});
	for (const std::size_t below : {red_zone_, std::size_t{0}}) {
		to_.stack.at = sp - std::min<std::uint64_t>(sp, below);
		if (!to_.stack.bytes.resize(first_copy))
			return;
		const fetched got = fetch(to_.stack.at, to_.stack.bytes.data(),
		    first_copy);
		to_.stack.bytes.resize(got.size);
		to_.stack.more = got.more;
		if (got.size > below)
			return;
	}
}

int
copier::extend(std::uint64_t wanted, stack_record &rec) noexcept
{
	std::uint64_t all = 0;
	for (const copied_piece *p : to_.pieces())
		all += p->bytes.size();
	if (budgets::exceeds(2 * all + piece_near, budgets::stack_copy)) {
		leave_out(budgets::left_out::stacks);
		rec.why = STACK9_WHY_TRUNCATED;
		rec.reason = "more of its stack was in use than is copied";
		return ENODATA;
	}
	return fetch_more(to_, wanted, red_zone_, first_copy,
	    [this](std::uint64_t from, void *to, std::size_t size) {
		    return fetch(from, to, size);
	    }) == 0 ? 0 : ENODATA;
}

// All memory of a core is of one moment.
void
add_written(const thread &t, const user_copy &copy, stack_record &rec) noexcept
{
	if (rec.written == nullptr)
		return;
	rec.written->clear();
	if (rec.depth != 0 && !is_silent(*rec.space) &&
	    walk_written(*rec.space, copy, {.thread_pointer = t.pointer}, rec,
	    *rec.written) ==
	    written_search::failed)
		rec.written->clear();
}

} // namespace

void
walk_thread(core_process &p, const thread &t, user_copy &copy,
    stack_record &rec) noexcept
{
	copier c(p, copy);
	const facts &f = p.has().about;
	reset(rec, {t.tid, f.pid > 0 ? f.pid : t.tid, p.mark}, STACK9_USER);
	rec.route = "core";
	rec.space = &p.space();
	copy_name(rec.comm, f.name);
	c.take(t);
	const int error = walk_and_extend(rec.space, copy, rec,
	    [](stack9_space *&) { return false; },
	    [&](std::uint64_t wanted) { return c.extend(wanted, rec); });
	if (error == 0)
		add_written(t, copy, rec);
	finish(rec, error);
}

} // namespace stack9::cores
