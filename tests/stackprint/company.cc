// Makes processes that wait for each other, and reads what stackprint says of
// them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "company.h"

#include <csignal>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "child.h"

company::~company()
{
	for (const pid_t pid : pids)
		kill(pid, SIGKILL);
	for (const pid_t pid : pids)
		waitpid(pid, nullptr, 0);
}

void
company::add(const std::function<void()> &play)
{
	pids.push_back(fork());
	if (pids.back() != 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "s9why");
	play();
	for (;;)
		pause();
}

std::string
company::list() const
{
	return fmt::format("{}", fmt::join(pids, ","));
}

std::string
until(const std::string &text, const std::vector<std::string> &args)
{
	std::vector<std::string> command{STACKPRINT};
	command.insert(command.end(), args.begin(), args.end());
	said s;
	for (int i = 0; i < 200 && !has(s.out, text); i++)
		s = run(command);
	BOOST_TEST(has(s.out, text), text << " is not in\n" << s.out);
	return s.out;
}
