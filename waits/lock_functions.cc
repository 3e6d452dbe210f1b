// Finds by the innermost frames of a user stack which function of the C library
// waits.  Exported functions are enough, so it works without debug files.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "lock_functions.h"

#include <algorithm>
#include <string_view>

#include "os/process_memory.h"
#include "unwind/call.h"

namespace stack9::waits {
namespace {

struct beginning {
	std::string_view	text;
	lock_function		function;
};

constexpr beginning beginnings[] = {
	{"pthread_mutex_", lock_function::mutex},
	{"pthread_rwlock_rd", lock_function::read},
	{"pthread_rwlock_timedrd", lock_function::read},
	{"pthread_rwlock_clockrd", lock_function::read},
	{"pthread_rwlock_wr", lock_function::write},
	{"pthread_rwlock_timedwr", lock_function::write},
	{"pthread_rwlock_clockwr", lock_function::write},
	{"pthread_join", lock_function::join},
	{"pthread_timedjoin", lock_function::join},
	{"pthread_clockjoin", lock_function::join},
	{"thrd_join", lock_function::join},
	{"pthread_cond_", lock_function::condition},
	{"sem_wait", lock_function::semaphore},
	{"sem_timedwait", lock_function::semaphore},
	{"sem_clockwait", lock_function::semaphore},
	{"new_sem_wait", lock_function::semaphore},
	{"pthread_once", lock_function::once},
	{"call_once", lock_function::once},
	{"cxa_guard_acquire", lock_function::once},
	{"pthread_barrier_wait", lock_function::barrier},
};

constexpr beginning names[] = {
	{"poll", lock_function::poll},
	{"ppoll", lock_function::poll},
	{"nanosleep", lock_function::sleep},
	{"clock_nanosleep", lock_function::sleep},
};

// A function of the C library has its name with and without these.
std::string_view
bare(std::string_view name) noexcept
{
	const auto pass = [&name] {
		name.remove_prefix(std::min(name.find_first_not_of('_'),
		    name.size()));
	};
	pass();
	if (name.starts_with("GI_")) {
		name.remove_prefix(3);
		pass();
	}
	return name;
}

class process_code final : public unwind::memory {
public:
	process_code(pid_t pid, kept_process *kept) noexcept
	    : from_(kept != nullptr ? process_memory() :
	      process_memory(pid)), kept_(kept) {}

	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		return (kept_ != nullptr ? kept_->read(from, to, size) :
		    from_.read_present(from, to, size)) ==
		    static_cast<ssize_t>(size);
	}

private:
	const process_memory	from_;
	kept_process		*const kept_;	// of a core; or NULL
};

int
classify(void *arg, const stack9_frame *f)
{
	auto &to = *static_cast<lock_functions::known *>(arg);
	const std::string_view name = bare(f->linkage);
	for (const beginning &b : beginnings)
		if (name.starts_with(b.text))
			to.function = b.function;
	for (const beginning &b : names)
		if (name == b.text)
			to.function = b.function;
	to.mapping = f->start;
	return 0;
}

// The same of an address where a function begins.
int
classify_entry(void *arg, const stack9_frame *f)
{
	return f->offset == 0 ? classify(arg, f) : 0;
}

} // namespace

lock_functions::known
lock_functions::at(stack9_space *space, std::uint64_t pc, bool exact)
{
	const auto [it, is_new] = known_.try_emplace({space, pc});
	if (is_new)
		stack9_frame_at(space, pc, STACK9_FRAMES_LINKAGE |
		    (exact ? 0 : STACK9_FRAMES_RETURN), classify, &it->second);
	return it->second;
}

// A function that has left its work to another one by a jump is in no frame,
// and a stripped library does not name the other one if it is local.  The call
// of the first one still names it.
lock_function
lock_functions::called(stack9_space *space, pid_t pid, std::uint64_t pc)
{
	const auto [it, is_new] = known_calls_.try_emplace({space, pc});
	if (!is_new)
		return it->second.function;
	process_code code(pid, kept_);
	const std::uintptr_t entry = unwind::called_function(code, pc);
	if (entry != 0)
		stack9_frame_at(space, entry, STACK9_FRAMES_LINKAGE,
		    classify_entry, &it->second);
	return it->second.function;
}

// The function that waits is the caller of the frames of its own parts.  These
// have no name in a stripped library.  They are in its file, unless they are
// syscall(2) alone.
lock_function
lock_functions::of(const stack9_stack &s, pid_t pid)
{
	constexpr std::uint32_t parts = 8;
	const std::uint32_t most = s.pcs == nullptr ? 0 :
	    std::min(s.depth, parts);
	const bool exact = (s.flags & STACK9_STACK_EXACT) != 0;
	std::uint64_t mapping = 0;
	std::uint32_t depth = 0;
	while (depth < most) {
		const bool first = depth == 0;
		const known k = at(s.space, s.pcs[depth++], first && exact);
		if (k.function != lock_function::none)
			return k.function;
		if (first)
			mapping = k.mapping;
		else if (k.mapping != mapping)
			break;
	}
	lock_function f = lock_function::none;
	for (std::uint32_t i = exact; i < depth && f == lock_function::none;
	    i++)
		f = called(s.space, pid, s.pcs[i]);
	return f;
}

} // namespace stack9::waits
