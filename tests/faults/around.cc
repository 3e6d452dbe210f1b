// Changes the surroundings of a capture.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "around.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

outcome::outcome(pid_t tid, int side) : error(0), why(0)
{
	const stack9_thread td{tid, tid, 0};
	stack9_save_options o{};
	o.size = sizeof o;
	o.timeout_ms = 1000;
	stack9_sample *sample = nullptr;
	error = stack9_save(&td, side, &o, &sample);
	if (sample == nullptr)
		return;
	const stack9_stack *const s = side == STACK9_USER ? sample->user :
	    sample->kernel;
	why = s->why;
	route = s->route;
	reason = s->reason;
	if ((error == 0) != (s->depth > 0))
		error = 98;
	stack9_sample_close(sample);
}

bool
become_nobody(std::initializer_list<int> capabilities)
{
	prctl(PR_SET_KEEPCAPS, 1);
	if (setgroups(0, nullptr) != 0 || setgid(65534) != 0 ||
	    setuid(65534) != 0)
		return false;
	__user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
	__user_cap_data_struct data[2]{};
	for (const int c : capabilities) {
		data[c / 32].permitted |= 1u << (c % 32);
		data[c / 32].effective |= 1u << (c % 32);
	}
	return syscall(SYS_capset, &head, data) == 0 &&
	    prctl(PR_SET_DUMPABLE, 1) == 0;
}

boost::unit_test::decorator::precondition
only_if(bool (*condition)(), const char *reason)
{
	return boost::unit_test::decorator::precondition(
	    [=](boost::unit_test::test_unit_id id)
	    -> boost::test_tools::assertion_result {
		    if (condition())
			    return true;
		    std::fprintf(stderr, "skipped: %s: %s\n",
			boost::unit_test::framework::get(id,
			    boost::unit_test::TUT_ANY).p_name->c_str(),
			reason);
		    boost::test_tools::assertion_result no(false);
		    no.message() << reason;
		    return no;
	    });
}

bool
in_guest()
{
	return std::getenv("STACK9_KERNEL") != nullptr;
}

bool
locked_down(const char *word)
{
	std::ifstream f("/sys/kernel/security/lockdown");
	std::string line;
	return std::getline(f, line) &&
	    line.find("[" + std::string(word) + "]") != line.npos;
}
