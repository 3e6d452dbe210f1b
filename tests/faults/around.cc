// Changes the surroundings of a capture.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "around.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user.h"

namespace {

int
add_name(void *arg, const stack9_frame *f)
{
	auto &to = *static_cast<std::vector<std::string> *>(arg);
	char offset[24];
	std::snprintf(offset, sizeof offset, "+%#llx",
	    static_cast<unsigned long long>(f->offset));
	to.push_back(*f->name == '\0' ? "" : f->name +
	    std::string(offset));
	return 0;
}

} // namespace

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
	if (s->pcs != nullptr)
		pcs.assign(s->pcs, s->pcs + s->depth);
	stack9_frames(s, 0, add_name, &names);
	stack9_sample_close(sample);
}

int
outcome::beside(const outcome &right) const
{
	if (error != 0)
		return error;
	const bool same = pcs.empty() || right.pcs.empty() ?
	    names == right.names : pcs == right.pcs;
	return same && why == STACK9_WHY_NONE ? 0 : 96;
}

outcome
right_stack(pid_t tid, int side)
{
	const outcome o(tid, side);
	BOOST_TEST_REQUIRE(o.error == 0, o.reason);
	BOOST_TEST(o.why == STACK9_WHY_NONE, o.reason);
	if (side == STACK9_USER)
		return o;
	std::vector<std::string> by_proc = proc_stack(tid);
	for (std::string &line : by_proc)
		line.resize(std::min(line.size(), line.find('/')));
	BOOST_TEST(o.names == by_proc, boost::test_tools::per_element());
	return o;
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
locked_down(const char *word)
{
	std::ifstream f("/sys/kernel/security/lockdown");
	std::string line;
	return std::getline(f, line) &&
	    line.find("[" + std::string(word) + "]") != line.npos;
}
