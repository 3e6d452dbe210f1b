// Makes a record of each task: it has frames of its language alone.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tasks.h"

#include <algorithm>
#include <cerrno>
#include <span>
#include <string_view>

#include "api/sample.h"
#include "core/reason.h"
#include "core/record.h"
#include "core/seam/kept_process.h"
#include "os/clocks.h"
#include "os/refusals.h"

namespace stack9::coroutines {
namespace {

constexpr const char *always_ran = "it ran each time that it was read";

void
copy_frames(const written_stack &from, std::span<const written_frame> some,
    written_stack &to)
{
	to.clear();
	for (const written_frame &f : some)
		to.add(0, f.flags, from.text_of(f.language),
		    from.text_of(f.name), from.text_of(f.file), f.line);
}

void
fill_task(stack_record &rec, const written_task &t, std::uint32_t most)
{
	rec.when_ns = boot_ns();
	if (t.frames > most)
		rec.why = STACK9_WHY_TRUNCATED;
	if (t.is_torn == 0)
		return;
	rec.error = EAGAIN;
	rec.why = STACK9_WHY_TORN;
	rec.reason = always_ran;
}

} // namespace

int
no_maps(int error)
{
	return error == EPERM ? failed(error, maps_refused) : error;
}

int
space_to_read(const stack9_thread &process, stack9_space *of_caller,
    unique_space &to)
{
	kept_process *const k = kept_process_of(process.start);
	if (stack9_space *const known = k != nullptr ? &k->space() : of_caller;
	    known != nullptr) {
		space_hold(*known);
		to.reset(known);
		return 0;
	}
	const int error = space_of_now(process, to);
	return error == 0 ? 0 : no_maps(error);
}

int
deliver_tasks(const stack9_thread &process, const thread_stat &stat,
    unique_space space, std::uint32_t most, stack9_coroutine_fn *fn, void *arg)
{
	written_tasks found;
	written_stack own;
	lent_sample lent;
	if (is_silent(*space))
		return ENOENT;
	if (find_tasks(*space, found) == written_search::failed)
		return failed(EIO, "its tasks could not be read");
	std::span<const written_frame> rest(found.stack.frames);
	for (const written_task &t : found.all) {
		stack_record rec{};
		reset(rec, {0, process.pid, process.start}, STACK9_USER);
		rec.route = "asyncio";
		rec.space = space.get();
		copy_name(rec.comm, stat.comm);
		rec.state = found.stack.text_of(t.state) == "pending" ? 'R' :
		    'S';
		fill_task(rec, t, most);
		copy_frames(found.stack, rest.first(std::min(t.frames, most)),
		    own);
		rest = rest.subspan(t.frames);
		rec.written = &own;
		lent.show(nullptr, &rec);
		const stack9_coroutine c{t.id,
		    found.stack.text_of(t.runtime).data(),
		    found.stack.text_of(t.state).data(), &lent.sample(),
		    found.stack.text_of(t.name).data(), t.waits_for};
		if (fn(arg, &c) != 0)
			return ECANCELED;
	}
	return found.all.empty() ? ENOENT : 0;
}

} // namespace stack9::coroutines
