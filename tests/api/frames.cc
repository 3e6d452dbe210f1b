// Tests stack9_frames(3): addresses become frames.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstring>
#include <fstream>

#include <boost/test/unit_test.hpp>
#include <pthread.h>
#include <unistd.h>

#include "cancellation.h"
#include "child.h"
#include "long_name.h"
#include "require.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(frames)

namespace {

struct seen {
	std::vector<std::string>	names, linkage, modules, files;
	std::vector<std::uint64_t>	pcs;
	std::vector<std::uint32_t>	kinds, flags, lines, build_ids;
};

int
keep(void *arg, const stack9_frame *f)
{
	seen &to = *static_cast<seen *>(arg);
	to.names.push_back(f->name);
	to.linkage.push_back(f->linkage);
	to.modules.push_back(f->module);
	to.files.push_back(f->file);
	to.pcs.push_back(f->pc);
	to.kinds.push_back(f->kind);
	to.flags.push_back(f->flags);
	to.lines.push_back(f->line);
	to.build_ids.push_back(f->build_id_size);
	return 0;
}

seen
frames_of(const stack9_stack *s, unsigned int flags = 0)
{
	seen all;
	BOOST_TEST(stack9_frames(s, flags, keep, &all) == 0);
	return all;
}

seen
frames_at(stack9_space *space, std::uint64_t pc, unsigned int flags)
{
	seen all;
	BOOST_TEST(stack9_frame_at(space, pc, flags, keep, &all) == 0);
	return all;
}

[[gnu::always_inline]] inline void
inlined_waits(int fd)
{
	char byte;
	while (read(fd, &byte, 1) == 1)
		asm volatile("" : : : "memory");
}

[[gnu::noinline]] void
holds_inlined(int fd)
{
	inlined_waits(fd);
	asm volatile("" : : : "memory");
}

} // namespace

BOOST_AUTO_TEST_CASE(one_answer, *description(
    "an address of this process has one answer, by its space and without"))
{
	std::uint64_t pcs[64];
	stack9_self self{sizeof self, 0, 0, 0, 0, 0};
	BOOST_REQUIRE(stack9_save_self(pcs, 64, 0, &self) == 0);
	stack9_thread td{};
	stack9_thread_self(&td);
	stack9_space *opened = nullptr;
	BOOST_REQUIRE(stack9_space_open(&td, &opened) == 0);
	const api::space space(opened);
	for (std::uint32_t i = 0; i < self.depth; i++) {
		const seen a = frames_at(nullptr, pcs[i], STACK9_FRAMES_RETURN);
		const seen b = frames_at(opened, pcs[i], STACK9_FRAMES_RETURN);
		BOOST_TEST(a.names == b.names);
		BOOST_TEST(a.modules == b.modules);
		BOOST_TEST(!a.modules[0].empty());
	}
}

BOOST_AUTO_TEST_CASE(by_text, *needs("bpf") *description(
    "a stack that is text has frames with names, never zeros"))
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	BOOST_REQUIRE(stack9_force("procfs") == 0);
	const api::sample s = api::save(c.thread(), STACK9_KERNEL);
	BOOST_REQUIRE(stack9_force(nullptr) == 0);
	BOOST_TEST(s->kernel->pcs == nullptr);
	BOOST_REQUIRE(s->kernel->text != nullptr);
	const seen all = frames_of(s->kernel);
	BOOST_TEST(all.names.size() == s->kernel->depth);
	for (std::size_t i = 0; i < all.names.size(); i++) {
		BOOST_TEST(!all.names[i].empty());
		BOOST_TEST(all.names[i].find('+') == std::string::npos);
		BOOST_TEST((all.flags[i] & STACK9_FRAME_NO_PC) != 0);
		BOOST_TEST((all.flags[i] & STACK9_FRAME_KERNEL) != 0);
	}
	// The same by addresses.
	const api::sample by_pcs = api::save(c.thread(), STACK9_KERNEL);
	BOOST_REQUIRE(by_pcs->kernel->pcs != nullptr);
	BOOST_TEST(frames_of(by_pcs->kernel).names == all.names);
}

BOOST_AUTO_TEST_CASE(long_names, *needs("bpf") *description(
    "a name is never cut"))
{
	const api::child c(api::long_named_waits);
	c.wait_for_sleep();
	const api::sample s = api::save(c.thread(), STACK9_USER);
	const seen all = frames_of(s->user);
	BOOST_TEST(std::string(LONG_NAME).size() > 1400);
	BOOST_TEST(api::has(all.linkage, std::string(LONG_NAME)));
	std::string readable;
	for (int i = 0; i < 14; i++)
		readable += (i == 0 ? "" : "::") + std::string(100, 'y');
	BOOST_TEST(api::has(all.names, readable + "()"));
	std::size_t need = 0;
	BOOST_TEST(stack9_demangle("_ZN3foo3barEv", nullptr, 0, &need) == 0);
	BOOST_TEST(need == sizeof "foo::bar()");
	char text[8];
	BOOST_TEST(stack9_demangle("_ZN3foo3barEv", text, sizeof text, &need)
	    == ENOSPC);
	BOOST_TEST(text == std::string("foo::ba"));
	BOOST_TEST(need == sizeof "foo::bar()");
	BOOST_TEST(stack9_demangle("main", text, sizeof text, nullptr) ==
	    ENOENT);
	BOOST_TEST(text == std::string("main"));
	BOOST_TEST(stack9_demangle("main", nullptr, 0, nullptr) == EINVAL);
}

// Each argument is a pair of the argument before, and so twice as long.
BOOST_AUTO_TEST_CASE(endless_names, *description(
    "a name of more than 32 KiB is not demangled, nor is one whose readable "
    "form has 256 KiB or more"))
{
	std::string name = "_Z1fSt4pairIiiE";
	for (const char before : std::string_view("0123456789ABCDEFGHIJKLMNO"))
		name += std::string("S_IS") + before + "_S" + before + "_E";
	std::size_t need = 0;
	BOOST_TEST(stack9_demangle(name.c_str(), nullptr, 0, &need) == ENOENT);
	BOOST_TEST(need == name.size() + 1);
	const std::string longest = "_Z1f" + std::string(32765, 'v');
	BOOST_TEST(stack9_demangle(longest.c_str(), nullptr, 0, &need) ==
	    ENOENT);
}

BOOST_AUTO_TEST_CASE(small_stack, *description(
    "one of 1024 bytes or more is demangled on a thread's own stack only, and "
    "if 1 KiB of that stack is left for each byte of the name"))
{
	const auto ask = [](std::size_t stack) {
		pthread_attr_t attr;
		pthread_attr_init(&attr);
		pthread_attr_setstacksize(&attr, stack);
		int error = -1;
		pthread_t t;
		const auto run = [](void *to) -> void * {
			std::size_t need;
			*static_cast<int *>(to) = stack9_demangle(LONG_NAME,
			    nullptr, 0, &need);
			return nullptr;
		};
		BOOST_REQUIRE(pthread_create(&t, &attr, run, &error) == 0);
		pthread_join(t, nullptr);
		pthread_attr_destroy(&attr);
		return error;
	};
	BOOST_TEST(ask(256 << 10) == ENOENT);
	BOOST_TEST(ask(4 << 20) == 0);
}

BOOST_AUTO_TEST_CASE(inlined, *needs("bpf") *description(
    "with lines, inlined calls come before the function that has them"))
{
	const api::child c(holds_inlined);
	c.wait_for_sleep();
	const api::sample s = api::save(c.thread(), STACK9_USER);
	const seen all = frames_of(s->user, STACK9_FRAMES_LINES);
	for (std::size_t i = 1; i < all.names.size(); i++) {
		if (all.names[i].find("holds_inlined") == std::string::npos)
			continue;
		BOOST_TEST(all.names[i - 1].find("inlined_waits") !=
		    std::string::npos);
		BOOST_TEST(all.kinds[i - 1] == STACK9_FRAME_INLINED);
		BOOST_TEST(all.kinds[i] == STACK9_FRAME_FUNCTION);
		BOOST_TEST(all.pcs[i - 1] == all.pcs[i]);
		BOOST_TEST(all.files[i].find("frames.cc") !=
		    std::string::npos);
		BOOST_TEST(all.lines[i] != 0);
		return;
	}
	BOOST_FAIL("no frame of holds_inlined()");
}

BOOST_AUTO_TEST_CASE(modules, *needs("bpf") *description(
    "a frame has the file that it was mapped from, and its build-id"))
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const api::sample s = api::save(c.thread(), STACK9_USER);
	const seen all = frames_of(s->user);
	BOOST_TEST(all.modules[0].find("/libc.so") != std::string::npos);
	BOOST_TEST(all.build_ids[0] >= 16);
	BOOST_TEST((all.flags[0] & STACK9_FRAME_EXACT) != 0);
	BOOST_TEST((all.flags[1] & STACK9_FRAME_EXACT) == 0);
}

BOOST_AUTO_TEST_CASE(no_symbol, *description(
    "an address without a symbol is a frame whose name is empty"))
{
	const seen all = frames_at(nullptr, 16, 0);
	BOOST_TEST(all.names == std::vector<std::string>{""},
	    boost::test_tools::per_element());
	BOOST_TEST(all.modules[0].empty());
}

BOOST_AUTO_TEST_CASE(arguments)
{
	BOOST_TEST(stack9_frames(nullptr, 0, keep, nullptr) == EINVAL);
	BOOST_TEST(stack9_frame_at(nullptr, 1, 0x1000, keep, nullptr) ==
	    EINVAL);
	BOOST_TEST(stack9_frame_at(nullptr, 1, 0, nullptr, nullptr) == EINVAL);
	BOOST_TEST(stack9_frame_at(nullptr, 1, 0,
	    [](void *, const stack9_frame *) { return 7; }, nullptr) ==
	    ECANCELED);
}

BOOST_AUTO_TEST_CASE(printed, *needs("bpf") *description(
    "stack9_print() prints the thread, its frames, and how each side ends"))
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const api::sample s = api::save(c.thread(), STACK9_BOTH);
	std::string text;
	BOOST_TEST(stack9_print(s.get(), 0,
	    [](void *to, const char *part, std::size_t n) {
		    static_cast<std::string *>(to)->append(part, n);
	    }, &text) == 0);
	BOOST_TEST(text.find("  pid " + std::to_string(c.pid()) + "  tid " +
	    std::to_string(c.pid()) + "  sleeping in ") != text.npos, text);
	BOOST_TEST(text.find("\n  kernel  ") != text.npos);
	text = without_cancellation(text);
	BOOST_TEST(text.find("\n  user    read+0x") != text.npos, text);
	BOOST_TEST(text.find("api::child_waits(int)+0x") != text.npos);
	BOOST_TEST(text.find("\n          complete\n") != text.npos);
	BOOST_TEST(stack9_print(nullptr, 0, nullptr, nullptr) == EINVAL);
}

BOOST_AUTO_TEST_SUITE_END()
