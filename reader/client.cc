// Asks another process about files and copied stacks, for one thread at a time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "client.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "questions.h"

namespace stack9::sandbox {

pid_t
client::pid() noexcept
{
	return locked(pid_t{-1}, [&] {
		child &it = by_.reader();
		if (!it.is_forked() && !it.has_ended() &&
		    !it.greet(by_.answer()))
			by_.give_up();
		return it.pid();
	});
}

void
client::end() noexcept
{
	if (!by_.reader().is_ours())
		return;
	const std::unique_lock hold(lock_, std::try_to_lock);
	by_.reader().end(hold.owns_lock());
}

space_walk
client::walk(stack9_space &space, const user_copy &copy, stack_record &rec,
    std::uint64_t &wanted) noexcept
{
	space_walk how = space_walk::done;
	if (rec.max == 0)
		return how;
	const bool is_said = locked(false, [&] {
		if (!by_.twice([&] {
			if (walks_.walk(space, copy, rec, how, wanted))
				return !by_.reader().was_killed();
			if (!ask_walk(by_, space, copy, rec, how, wanted))
				return false;
			if (how == space_walk::done)
				names_.expect(space.number(), rec);
			return true;
		}))
			how = by_.nothing(space, rec);
		return true;
	});
	return is_said ? how : by_.nothing(rec);
}

walk_begun
client::begin_walk(stack9_space &space, const user_copy &copy,
    const stack_record &rec, const written_question &asked) noexcept
{
	return locked(walk_begun::never, [&] {
		return walks_.begin(space, copy, rec, asked);
	});
}

space_walk
client::end_walk(stack_record &rec, std::uint64_t &wanted,
    written_search &written) noexcept
{
	bool ended = false;
	written = written_search::unasked;
	const space_walk how = locked(space_walk::done, [&] {
		const space_walk found = walks_.end(rec, wanted, written);
		ended = true;
		return found;
	});
	return ended ? how : by_.nothing(rec);
}

// If the mutex fails they stay claimed.
void
client::release_walks() noexcept
{
	locked(0, [&] { return walks_.forget(), 0; });
}

written_search
client::written(stack9_space &space, const user_copy &copy,
    const written_question &asked, stack_record &rec, written_stack &to)
    noexcept
{
	written_search found = written_search::failed;
	return locked(false, [&] {
		return by_.twice([&] {
			return ask_written(by_, space, copy, asked, rec, to,
			    found);
		});
	}) ? found : written_search::failed;
}

written_search
client::tasks(stack9_space &space, written_tasks &to) noexcept
{
	written_search found = written_search::failed;
	if (!locked(false, [&] {
		return by_.twice([&] {
			return ask_tasks(by_, space, to, found);
		});
	}))
		found = written_search::failed;
	if (found != written_search::done)
		to.clear();
	return found;
}

bool
client::rules(stack9_space &space, const std::uintptr_t *pcs, std::uint32_t n,
    std::uint32_t *rules) noexcept
{
	return locked(false, [&] {
		return n != 0 && ((n == 1 && names_.rule(space, pcs[0],
		    rules[0])) || ask_rules(by_, space, pcs, n, rules));
	});
}

bool
client::code_rules(stack9_space &space, std::uintptr_t from,
    std::uint32_t size, std::vector<rule_run> &to)
try {
	const std::lock_guard hold(lock_);
	return ask_code_rules(by_, space, from, size, to);
} catch (const std::system_error &) {	// from a mutex
	return false;
}

int
client::function(stack9_space &space, std::uintptr_t pc, bool return_address,
    std::string &name, std::uintptr_t &offset, std::uintptr_t &size)
try {
	const std::lock_guard hold(lock_);
	return names_.function(space, pc, return_address, name, offset, size);
} catch (const std::system_error &) {
	return ENOENT;
}

void
client::module(stack9_space &space, std::uintptr_t pc, mapped_module &m)
    noexcept
{
	locked(0, [&] { return names_.module(space, pc, m), 0; });
}

// The lock is not held while fn is called, because it may ask for lines itself.
int
client::lines(stack9_space &space, std::uintptr_t pc, unsigned int flags,
    source_line_fn *fn, void *arg) noexcept
{
	std::vector<line> all;
	if (!locked(false, [&] {
		return names_.lines(space, pc, flags, all);
	}))
		return ENOENT;
	for (const line &l : all) {
		const source_line shown{l.function.c_str(), l.file.c_str(),
		    l.number, l.column, l.inlined};
		if (const int stop = fn(arg, &shown); stop != 0)
			return stop;
	}
	return all.empty() ? ENOENT : 0;
}

int
client::demangle(const char *name, char *text, std::size_t size) noexcept
{
	std::string shown;
	const int error = locked(ENOMEM, [&] {
		return names_.demangle(name, size, shown);
	});
	const std::string_view from = error == 0 ? std::string_view(shown) :
	    error == ENOENT ? std::string_view(name) : std::string_view();
	const std::size_t fits = std::min(from.size(), size - 1);
	std::memcpy(text, from.data(), fits);
	text[fits] = '\0';
	return error == 0 ? 0 : ENOENT;
}

// The other process is a copy of this one, and has its functions at the same
// addresses.
bool
client::run(file_task *task, int fd, const std::string &question,
    std::string &answer)
{
	const std::lock_guard hold(lock_);
	if (!by_.is_there())
		return false;
	message &m = by_.question(kind::run, nullptr);
	m.put(task);
	m.put_text(question);
	if (!by_.ask({}, fd))
		return false;
	answer = by_.answer().get_text();
	return by_.answer().whole();
}

} // namespace stack9::sandbox
