// Captures stacks in a process whose libraries come and go: own stacks with
// such a library on them, own stacks without, and those of every thread of the
// process.  Names are looked up meanwhile.  Each own stack is whole, and has
// the frames that the thread knows.  It takes a second; tests/tsan runs it,
// too.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <dlfcn.h>
#include <fmt/format.h>
#include <stack9.h>
#include <stack9/sys/sbuf.h>
#include <stack9/sys/stack.h>
#include <unistd.h>

#include "require.h"

namespace {

using steady = std::chrono::steady_clock;

double
seconds()
{
	const char *const wish = std::getenv("STACK9_STORM_SECONDS");
	return wish != nullptr ? std::atof(wish) : rounds(60, 1);
}

// The counts of all threads.
struct counts {
	std::atomic<bool>	end{false};
	std::atomic<long>	loads{0}, within{0}, outside{0}, others{0},
				passes{0}, named{0};
	std::atomic<long>	partial{0}, wrong{0}, unnamed{0}, failed{0};
};

// The calling thread's stack by both calls, with this frame on it.
bool
is_on_own_stack(counts &c, std::uintptr_t frame)
{
	std::uint64_t pcs[128];
	stack9_self self{};
	self.size = sizeof self;
	if (stack9_save_self(pcs, 128, 0, &self) != 0 ||
	    self.why != STACK9_WHY_NONE)
		c.partial++;
	struct stack st;
	stack_zero(&st);
	stack_save(&st);
	const auto has = [&](const auto *all, int n) {
		for (int i = 0; i < n; i++)
			if (all[i] == frame)
				return true;
		return false;
	};
	return has(pcs, static_cast<int>(self.depth)) &&
	    has(st.pcs, st.depth);
}

// Called by the library.
[[gnu::noinline]] int
save_within(void *arg)
{
	counts &c = *static_cast<counts *>(arg);
	const auto frame = reinterpret_cast<std::uintptr_t>(
	    __builtin_return_address(0));
	c.within++;
	c.wrong += !is_on_own_stack(c, frame);
	char name[64] = "";
	c.unnamed += stack9_name_self(frame, STACK9_FRAMES_RETURN, name,
	    sizeof name, nullptr) != 0 ||
	    std::strcmp(name, "storms_plugged") != 0;
	asm volatile("" ::: "memory");
	return 0;
}

void
load_and_unload(counts &c, const char *path)
{
	while (!c.end) {
		void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (library == nullptr) {
			c.failed++;
			return;
		}
		const auto call = reinterpret_cast<int (*)(int (*)(void *),
		    void *)>(dlsym(library, "storms_plugged"));
		for (int i = 0; i < 4; i++)
			call(save_within, &c);
		dlclose(library);
		c.loads++;
	}
}

[[gnu::noinline]] void
save_once(counts &c)
{
	c.wrong += !is_on_own_stack(c, reinterpret_cast<std::uintptr_t>(
	    __builtin_return_address(0)));
	c.outside++;
}

void
save_outside(counts &c)
{
	while (!c.end)
		save_once(c);
}

int
count_frame(void *to, const stack9_frame *f)
{
	static_cast<counts *>(to)->named += f->name[0] != '\0';
	return 0;
}

void
save_all(counts &c)
{
	const stack9_thread td{getpid(), getpid(), 0};
	while (!c.end) {
		c.failed += stack9_each(&td, STACK9_USER, nullptr,
		    [](void *to, const stack9_sample *s) {
			counts &in = *static_cast<counts *>(to);
			in.others += s->user->depth > 0;
			stack9_frames(s->user, STACK9_FRAMES_LINKAGE,
			    count_frame, to);
			return 0;
		}, &c) != 0;
		c.passes++;
	}
}

// By the other way that names have.
void
print_own(counts &c)
{
	while (!c.end) {
		struct stack st;
		stack_zero(&st);
		stack_save(&st);
		struct sbuf *const sb = sbuf_new_auto();
		stack_sbuf_print(sb, &st);
		c.failed += sbuf_finish(sb) != 0 || sbuf_len(sb) == 0;
		sbuf_delete(sb);
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(libraries_come_and_go, *boost::unit_test::description(
    "A library that replaces another at the same address is walked by its own "
    "rules."))
{
	counts c;
	std::vector<std::thread> all;
	for (const char *const path : {PLUGINS "storms_one.so", PLUGINS
	    "storms_two.so"})
		all.emplace_back([&c, path] { load_and_unload(c, path); });
	for (const auto what : {save_outside, save_all, print_own})
		all.emplace_back([&c, what] { what(c); });
	const auto until = steady::now() +
	    std::chrono::duration<double>(seconds());
	while (steady::now() < until || c.loads < 10 || c.passes < 10)
		std::this_thread::sleep_for(std::chrono::milliseconds(10));
	c.end = true;
	for (std::thread &one : all)
		one.join();
	fmt::print("    {} loads, {} stacks within, {} outside; {} passes, {} "
	    "of others, {} names\n", c.loads.load(), c.within.load(),
	    c.outside.load(), c.passes.load(), c.others.load(),
	    c.named.load());
	BOOST_TEST(c.partial == 0);
	BOOST_TEST(c.wrong == 0);
	BOOST_TEST(c.unnamed == 0);
	BOOST_TEST(c.failed == 0);
	BOOST_TEST(c.others > 0);
	BOOST_TEST(c.named > 0);
}
