// Tests 32-bit programs, by both backends, if the compiler can make them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>

#include "require.h"
#include "take.h"

namespace {

constexpr int esp = 4, eip = 8;

class ia32 {
public:
	ia32()
	{
		int ends[2];
		if (pipe(ends) != 0)
			abort();
		pid = fork();
		if (pid == 0) {
			dup2(ends[1], 1);
			execl(IA32, "ia32", nullptr);
			_exit(1);
		}
		close(ends[1]);
		BOOST_REQUIRE(read(ends[0], noted, sizeof noted) ==
		    sizeof noted);
		close(ends[0]);
		wait_for_state(pid, 'S');
	}
	~ia32()
	{
		kill(pid, SIGKILL);
		waitpid(pid, nullptr, 0);
	}

	pid_t		pid;
	std::uint32_t	noted[4];
};

void
check(const ia32 &v, const taken &t, std::uint64_t known)
{
	BOOST_TEST_INFO(words(t));
	BOOST_REQUIRE(t.error == 0);
	BOOST_TEST((t.copy.what == stack9::user_copy::machine::ia32));
	BOOST_TEST(t.copy.known == known);
	BOOST_TEST(t.copy.value[eip] != 0u);
	BOOST_TEST(t.copy.value[esp] < v.noted[2]);
	BOOST_TEST(t.copy.value[esp] - t.copy.stack.at <= 128u);
	for (const int i : {0, 2})
		BOOST_TEST(static_cast<std::uint32_t>(word_at(t.copy,
		    v.noted[i])) == v.noted[i + 1]);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_32_bit_program_is_copied_as_one, *needs("ptrace")
    * needs("ia32"))
{
	const ia32 v;
	check(v, take_in_time(route_of<stack9::job::user>(
	    stack9::backend_ptrace), v.pid), 0x1ff);
	wait_for_state(v.pid, 'S');
	check(v, take(route_of<stack9::job::user>(stack9::backend_procfs),
	    v.pid), 1u << esp | 1u << eip);
}
