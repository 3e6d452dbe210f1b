// Tests the loader's lock and ours: other threads, fork, callbacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include <link.h>

#include <boost/test/unit_test.hpp>

#include "program.h"

using boost::unit_test::description;

extern "C" int a_function_for_dladdr(int n);

namespace {

const auto known = reinterpret_cast<std::uintptr_t>(a_function_for_dladdr);
const std::string its_name = "a_function_for_dladdr+0x0";

} // namespace

BOOST_AUTO_TEST_SUITE(elf_threads)

BOOST_AUTO_TEST_CASE(right_while_modules_come_and_go,
    *description("Thread-safe"))
{
	std::atomic<bool> stop{false};
	std::atomic<int> wrong{0};
	std::vector<std::thread> threads;
	for (int i = 0; i < 4; i++)
		threads.emplace_back([&] {
			while (!stop)
				wrong +=
				    text(stack9::elf_find, known) != its_name;
		});
	for (int i = 0; i < 200; i++) {
		const char *kind = i % 2 == 0 ? "old" : "new";
		const plugin p(std::string(FIXTURES "plugin_") + kind + ".so");
		const auto name = std::string("plugin_exported_") + kind;
		wrong += text(stack9::elf_find, p.symbol(name.c_str())) !=
		    name + "+0x0";
	}
	stop = true;
	for (std::thread &t : threads)
		t.join();
	BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(from_a_callback_that_holds_the_loaders_lock)
{
	std::string said;
	dl_iterate_phdr([](dl_phdr_info *, std::size_t, void *p) {
		*static_cast<std::string *>(p) = text(stack9::elf_find, known);
		return 1;
	}, &said);
	BOOST_TEST(said == its_name);
}

BOOST_AUTO_TEST_CASE(a_child_forked_while_another_thread_holds_a_lock)
{
	BOOST_TEST(probe("fork-elf") == "ok");
}

BOOST_AUTO_TEST_SUITE_END()
