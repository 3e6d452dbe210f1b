// Runs the crowd: thread 3 is somewhere in root<3>, link<3, 1>, link<3, 2>...
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core_calls.h"
#include "crowd.h"

#include <cstdio>
#include <ctime>
#include <thread>
#include <utility>

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "as_it_stands.h"	// of tests/user

namespace {

crowd::page *all;

struct random_numbers {
	std::uint64_t state;

	std::uint64_t
	below(std::uint64_t n)
	{
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		return state % n;
	}
};

constexpr int
links_of(int number)
{
	return 2 + number;
}

long
futex(int what, std::uint32_t value, const timespec *time)
{
	return syscall(SYS_futex, &all->napping, what, value, time, nullptr, 0);
}

AS_IT_STANDS void
act(random_numbers &dice)
{
	static constexpr long naps[] = {50'000, 300'000, 2'000'000, 20'000'000};
	const timespec nap{0, naps[dice.below(std::size(naps))]};
	switch (dice.below(4)) {
	case 0:
		if (!all->ends)
			futex(FUTEX_WAIT, 0, &nap);
		break;
	case 1:
		futex(FUTEX_WAKE, 1, nullptr);
		break;
	case 2:
		for (std::uint64_t i = dice.below(20000); i > 0; i--)
			asm volatile("");
		break;
	default:
		for (std::uint64_t i = dice.below(100); i > 0; i--)
			syscall(SYS_getppid);
	}
}

template <int number, int depth> AS_IT_STANDS void
link(random_numbers &dice)
{
	volatile char frame[24 + 72 * number + 8 * depth];
	frame[0] = static_cast<char>(depth);
	if constexpr (depth < links_of(number))
		link<number, depth + 1>(dice);
	act(dice);
	asm volatile("" :: "r"(frame) : "memory");
}

template <int number> AS_IT_STANDS void
root()
{
	all->tid[number] = gettid();
	random_numbers dice{0x9e3779b97f4a7c15 * (all->lives.fetch_add(1) + 1)};
	while (!all->ends && dice.below(100) != 0)
		link<number, 1>(dice);
	if (all->ends)
		all->left--;
	else
		std::thread(root<number>).detach();
}

template <int... numbers> void
begin(std::integer_sequence<int, numbers...>)
{
	(std::thread(root<numbers>).detach(), ...);
}

} // namespace

crowd::crowd()
    : child_([this] {
	    all = &*page_;
	    page_->left = threads;
	    begin(std::make_integer_sequence<int, threads>());
    })
{
	for (const std::atomic<pid_t> &t : page_->tid)
		while (t == 0)
			sched_yield();
}

void
crowd::end()
{
	page_->ends = true;
	while (page_->left != 0) {
		syscall(SYS_futex, &page_->napping, FUTEX_WAKE, threads,
		    nullptr, nullptr, 0);
		sched_yield();
	}
}

const crowd_reader::place &
crowd_reader::at(std::uintptr_t pc, bool exact)
{
	const auto [known, is_new] = seen_[exact].try_emplace(pc,
	    place{-1, 0});
	if (!is_new)
		return known->second;
	stack9::symbol_name sym;
	char text[stack9::name_max];
	place &p = known->second;
	if (core::space_name(in_, pc, exact ? 0 : stack9::name_return_address,
	    &sym) != 0 || stack9::demangle(sym.name, text, sizeof text) != 0)
		return p;
	const std::string name = text;
	if (const auto i = name.find("::link<"); i != name.npos)
		std::sscanf(name.c_str() + i, "::link<%d, %d>", &p.whose,
		    &p.link);
	else if (const auto j = name.find("::root<"); j != name.npos)
		std::sscanf(name.c_str() + j, "::root<%d>", &p.whose);
	return p;
}

std::string
crowd_reader::told(const stack9::stack_record &user) const
{
	return joined(names_in(in_, user));
}

// Returns true if it is on its way out of clone3(2).  There is no unwind
// information for that place: no more of the stack can be captured, and its
// reason says so.
bool
crowd_reader::in_clone(const stack9::stack_record &user) const
{
	return user.why == STACK9_WHY_UNWIND && user.depth == 1 &&
	    in_the_manual(told(user)).starts_with("clone");
}

std::string
crowd_reader::fault(const stack9::stack_record &user, int &whose)
{
	whose = -1;
	if (in_clone(user))
		return "";
	if (user.why != STACK9_WHY_NONE || user.depth == 0)
		return std::string(stack9_why_text(user.why)) + ": " +
		    told(user);
	int link = -1;
	for (std::uint32_t i = 0; i < user.depth; i++) {
		const place &p = at(user.pcs[i], i == 0 &&
		    (user.flags & STACK9_STACK_EXACT));
		if (p.whose < 0 && link > 0)
			return "a link is missing: " + told(user);
		if (p.whose < 0)
			continue;
		if (whose >= 0 && p.whose != whose)
			return "two threads' functions: " + told(user);
		if (whose >= 0 && p.link != link - 1)
			return "not the next link: " + told(user);
		whose = p.whose;
		link = p.link;
	}
	return link > 0 ? "its root is missing: " + told(user) : "";
}
