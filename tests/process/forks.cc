// Tests forks while another thread changes what the library keeps.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "process/shared_spaces.h"

#include "copier.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(forks, *needs("malloc(3) after fork(2)"))

namespace {

constexpr int children = 200;

// Forks while `busy` is called again and again, until a child does not come to
// its end.  The answer is how many did.
int
good_children(const std::function<void()> &busy,
    const std::function<void()> &in_child)
{
	std::atomic<bool> stop{false};
	std::thread other([&] {
		while (!stop)
			busy();
	});
	int good = 0, started = 0;
	while (good == started && started++ < children) {
		const pid_t pid = fork();
		if (pid == 0) {
			alarm(20);	// it may wait for ever
			in_child();
			_exit(0);
		}
		int status = 1;
		good += waitpid(pid, &status, 0) == pid && status == 0;
	}
	stop = true;
	other.join();
	return good;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_table_that_was_being_changed,
    *boost::unit_test::description(
    "after fork(2) nothing that another thread was changing is used"))
{
	std::vector<stack9::unique_space> spaces(100);
	for (std::size_t i = 0; i < spaces.size(); i++) {
		stack9_space *made = nullptr;
		const auto pid = static_cast<pid_t>(1000 + i);
		BOOST_REQUIRE_EQUAL(stack9::space_of_text({pid, pid, 1}, {},
		    made), 0);
		spaces[i].reset(made);
	}
	auto &shared = stack9::shared_spaces::of_program();
	const auto all_once = [&] {
		for (const auto &s : spaces)
			shared.same_or_add(*s);
		for (const auto &s : spaces)
			shared.forget(*s);
	};
	BOOST_TEST(good_children(all_once, all_once) == children);
}

BOOST_AUTO_TEST_SUITE_END()
