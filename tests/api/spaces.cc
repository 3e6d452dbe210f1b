// Tests stack9_frames(3): spaces are never stale.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include "child.h"
#include "require.h"

using boost::unit_test::description;

namespace {

// Loads one plugin, waits in it, unloads it, and does so with the other one.
void
loads_one_after_the_other(int fd)
{
	for (const char *name : {"alpha", "bravo"}) {
		const std::string file = std::string(
		    PLUGINS) + "api_" + name + ".so";
		const std::string function = std::string(name) + "_waits";
		void *const plugin = dlopen(file.c_str(), RTLD_NOW);
		if (plugin == nullptr)
			_exit(2);
		reinterpret_cast<int (*)(int)>(dlsym(plugin,
		    function.c_str()))(fd);
		dlclose(plugin);
	}
}

// Captures until the thread waits in the function.  The thread needs some time.
api::sample
save_in(const api::child &c, const std::string &function)
{
	for (;;) {
		c.wait_for_sleep();
		api::sample s = api::save(c.thread(), STACK9_USER);
		if (s->user->depth > 1 &&
		    !api::has(api::names_of(s->user), "_dl_map_object"))
			for (const std::string &name : api::names_of(s->user))
				if (name == function)
					return s;
		if (api::names_of(s->user)[0] == "read" && function ==
		    "bravo_waits" && !api::has(api::names_of(s->user),
		    "alpha_waits"))
			return s;	// the answer is wrong
	}
}

} // namespace

BOOST_AUTO_TEST_SUITE(spaces, *needs("bpf"))

BOOST_AUTO_TEST_CASE(never_stale, *description(
    "a stack after dlclose(3) and dlopen(3) is named by what is mapped then, "
    "though the space of before is held"))
{
	const api::child c(loads_one_after_the_other);
	const api::sample before = save_in(c, "alpha_waits");
	const std::vector<std::string> names = api::names_of(before->user);
	c.send();
	const api::sample after = save_in(c, "bravo_waits");
	BOOST_TEST(api::has(api::names_of(after->user), "bravo_waits"));
	BOOST_TEST(!api::has(api::names_of(after->user), "alpha_waits"));
	BOOST_TEST(after->user->why == STACK9_WHY_NONE);
	// The earlier one still says what was.
	BOOST_TEST(api::names_of(before->user) == names,
	    boost::test_tools::per_element());
	BOOST_TEST(before->user->space != after->user->space);
	BOOST_TEST(stack9_stack_same(before->user, after->user) == 0);
}

namespace {

struct one_frame {
	std::string	name, module, build_id;
	std::uint64_t	vaddr = 0, offset = 0, start = 0, file_offset = 0;

	static int
	take(void *arg, const stack9_frame *f)
	{
		one_frame &to = *static_cast<one_frame *>(arg);
		to = {f->linkage, f->module, {f->build_id, f->build_id +
		    f->build_id_size}, f->vaddr, f->offset, f->start,
		    f->file_offset};
		return 0;
	}
};

} // namespace

BOOST_AUTO_TEST_CASE(of_a_file, *description(
    "stack9_space_open_file gives a space of one ELF file, or of a separate "
    "debug file.  In it each address is an address of the ELF image."))
{
	stack9_space *opened = nullptr;
	const auto pc = reinterpret_cast<std::uint64_t>(
	    &loads_one_after_the_other) + 9;
	one_frame lives, file, place;
	BOOST_REQUIRE(stack9_frame_at(nullptr, pc, STACK9_FRAMES_RETURN,
	    one_frame::take, &lives) == 0);
	BOOST_REQUIRE(lives.name != "");
	BOOST_REQUIRE(stack9_space_open_file("/proc/self/exe", &opened) == 0);
	const api::space owner(opened);
	BOOST_TEST(stack9_frame_at(opened, lives.vaddr, STACK9_FRAMES_RETURN,
	    one_frame::take, &file) == 0);
	BOOST_TEST(file.name == lives.name);
	BOOST_TEST(file.offset == lives.offset);
	BOOST_TEST(file.vaddr == lives.vaddr);
	BOOST_TEST(file.build_id == lives.build_id);
	BOOST_TEST(file.module == "/proc/self/exe");
	BOOST_TEST(file.start == 0U);
	BOOST_TEST(file.file_offset == 0U);
	BOOST_TEST(stack9_frame_at(opened, lives.vaddr, STACK9_FRAMES_PLACES,
	    one_frame::take, &place) == 0);
	BOOST_TEST(place.name == "");
	BOOST_TEST(place.build_id == lives.build_id);

	stack9_space *none = nullptr;
	BOOST_TEST(stack9_space_open_file("/no/such/file", &none) == ENOENT);
	BOOST_TEST(stack9_space_open_file("/proc", &none) == EINVAL);
	BOOST_TEST(stack9_space_open_file(nullptr, &none) == EINVAL);
	BOOST_TEST(stack9_space_open_file("/proc/self/exe", nullptr) ==
	    EINVAL);
	BOOST_TEST(none == nullptr);
}

BOOST_AUTO_TEST_CASE(of_kernel_thread, *needs("root") *description(
    "EOPNOTSUPP: a kernel thread"))
{
	stack9_thread td{};
	if (stack9_thread_find(2, &td) != 0) {
		BOOST_TEST_MESSAGE("no kernel thread is visible");
		return;
	}
	stack9_space *s = nullptr;
	BOOST_TEST(stack9_space_open(&td, &s) == EOPNOTSUPP);
	BOOST_TEST(s == nullptr);
}

BOOST_AUTO_TEST_CASE(given, *description(
    "space: of the process, by which the stack is unwound and named; "
    "stack9_each(): of the machine: EINVAL"))
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const stack9_thread td = c.thread();
	stack9_space *opened = nullptr;
	BOOST_REQUIRE(stack9_space_open(&td, &opened) == 0);
	const api::space owner(opened);
	stack9_save_options o{};
	o.size = sizeof o;
	o.space = opened;
	const api::sample s = api::save(td, STACK9_BOTH, &o);
	BOOST_TEST(s->user->space == opened);
	BOOST_TEST(api::has(api::names_of(s->user), "api::child_waits(int)"));
	const auto no_more = [](void *, const stack9_sample *) { return 1; };
	BOOST_TEST(stack9_each(nullptr, STACK9_USER, &o, no_more, nullptr) ==
	    EINVAL);
}

BOOST_AUTO_TEST_CASE(shared, *description(
    "Equal pointers are equal mappings of code"))
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const stack9_thread td = c.thread();
	stack9_space *a = nullptr, *b = nullptr;
	BOOST_REQUIRE(stack9_space_open(&td, &a) == 0);
	BOOST_REQUIRE(stack9_space_open(&td, &b) == 0);
	BOOST_TEST(a == b);
	BOOST_TEST(stack9_space_hold(a) == a);
	for (int i = 0; i < 3; i++)
		stack9_space_close(a);
	stack9_space_close(nullptr);
	BOOST_TEST(stack9_space_hold(nullptr) == nullptr);
}

BOOST_AUTO_TEST_CASE(used_by_two, *description(
    "Any number of threads may use one space at the same time, in every call "
    "that takes one or a stack that has one"))
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const stack9_thread td = c.thread();
	stack9_space *opened = nullptr;
	BOOST_REQUIRE(stack9_space_open(&td, &opened) == 0);
	const api::space owner(opened);
	stack9_save_options o{};
	o.size = sizeof o;
	o.space = opened;
	std::atomic<int> wrong{0};
	const auto save_and_name = [&] {
		for (int i = 0; i < 300; i++) {
			stack9_sample *s = nullptr;
			if (stack9_save(&td, STACK9_USER, &o, &s) != 0) {
				wrong++;
				continue;
			}
			const api::sample kept(s);
			bool found = false;
			stack9_frames(s->user, 0, [](void *to,
			    const stack9_frame *f) {
				bool &is = *static_cast<bool *>(to);
				is |= std::strcmp(f->name,
				    "api::child_waits(int)") == 0;
				return 0;
			}, &found);
			wrong += !found;
		}
	};
	std::thread a(save_and_name), b(save_and_name);
	a.join();
	b.join();
	BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(after_execve, *needs("root") *description(
    "execve(2) keeps the start of a thread; after execve(2) a process has "
    "another space"))
{
	const api::child c([](int fd) {
		char byte;
		const bool told = read(fd, &byte, 1) == 1;
		dup2(fd, 0);
		if (told)
			execlp("cat", "cat", nullptr);
	});
	c.wait_for_sleep();
	const stack9_thread td = c.thread();
	const api::sample before = api::save(td, STACK9_USER);
	const std::vector<std::string> names = api::names_of(before->user);
	c.send();
	const std::string file = "/proc/" + std::to_string(td.pid) + "/comm";
	for (std::string comm; comm != "cat"; sched_yield()) {
		std::ifstream in(file);
		std::getline(in, comm);
	}
	c.wait_for_sleep();
	const stack9_thread now = c.thread();
	BOOST_TEST(now.start == td.start);
	const api::sample after = api::save(td, STACK9_USER);
	BOOST_TEST(after->comm == std::string("cat"));
	BOOST_TEST(after->user->space != before->user->space);
	BOOST_TEST(api::names_of(before->user) == names,
	    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(arguments)
{
	stack9_space *s = nullptr;
	const stack9_thread none{1 << 22, 1 << 22, 0};
	BOOST_TEST(stack9_space_open(nullptr, &s) == EINVAL);
	BOOST_TEST(stack9_space_open(&none, nullptr) == EINVAL);
	BOOST_TEST(stack9_space_open(&none, &s) == ESRCH);
}

BOOST_AUTO_TEST_SUITE_END()
