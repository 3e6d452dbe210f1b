// Tests captures under settings of the kernel that a test may change only in a
// guest.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <fstream>

#include <stack9_watch.h>
#include <unistd.h>

#include "around.h"
#include "require.h"
#include "user.h"
#include "victim.h"

using boost::unit_test::description;

namespace {

// A setting of /proc/sys/kernel, and its old value afterwards.
class setting {
public:
	explicit setting(const char *name)
	    : file_(std::string("/proc/sys/kernel/") + name)
	{
		std::ifstream(file_) >> before_;
	}
	setting(const setting &) = delete;
	~setting() { set(before_); }

	bool there() const { return !before_.empty(); }
	bool
	set(const std::string &value) const
	{
		std::ofstream f(file_);
		f << value << std::flush;
		return f.good();
	}

private:
	const std::string	file_;
	std::string		before_;
};

bool
confidential()
{
	return in_guest() && locked_down("confidentiality");
}

bool
open_guest()
{
	return in_guest() && !locked_down("confidentiality");
}

bool
has_yama()
{
	return in_guest() &&
	    access("/proc/sys/kernel/yama/ptrace_scope", W_OK) == 0;
}

int
watch_error()
{
	stack9_watch_options o{};
	o.size = sizeof o;
	o.side = STACK9_KERNEL;
	stack9_watch *watch = nullptr;
	const int error = stack9_watch_open("cpu-clock", &o, &watch);
	stack9_watch_close(watch);
	return error;
}

} // namespace

BOOST_AUTO_TEST_CASE(settings_of_unprivileged_bpf_change_no_word,
    *only_if(open_guest, "needs a guest kernel") * description(
    "unprivileged_bpf_disabled 0 and 2: EPERM without capabilities"))
{
	const setting s("unprivileged_bpf_disabled");
	const victim v({doing::read});
	int tried = 0;
	for (const char *value : {"0", "2"}) {
		if (!s.set(value))
			continue;	// 1 cannot be taken back
		tried++;
		BOOST_TEST(in_child([&] {
			return become_nobody() ?
			    outcome(v.pid(), STACK9_KERNEL).error : 77;
		}) == EPERM, value);
		BOOST_TEST(in_child([&] {
			return become_nobody({cap_bpf, cap_perfmon}) ?
			    outcome(v.pid(), STACK9_KERNEL).error : 77;
		}) == 0, value);
	}
	BOOST_TEST(tried > 0);
}

BOOST_AUTO_TEST_CASE(a_confidential_kernel_is_read_by_proc,
    *only_if(confidential, "needs a guest kernel in confidential lockdown")
    * description("lockdown=confidentiality: kernel stacks come by /proc"))
{
	const victim v({doing::read});
	BOOST_TEST(right_stack(v.pid(), STACK9_KERNEL).route == "procfs");
	right_stack(v.pid(), STACK9_USER);
}

BOOST_AUTO_TEST_CASE(hidden_addresses_change_no_stack,
    *only_if(open_guest, "needs a guest kernel") * description(
    "kptr_restrict 0, 1, 2: the same stacks, and names of kernel functions"))
{
	const setting s("kptr_restrict");
	const victim v({doing::read});
	BOOST_REQUIRE(s.set("0"));
	for (const int side : {STACK9_KERNEL, STACK9_USER}) {
		const outcome right = right_stack(v.pid(), side);
		for (const char *value : {"0", "1", "2"}) {
			BOOST_REQUIRE(s.set(value));
			BOOST_TEST(in_child([&] {
				const outcome o(v.pid(), side);
				return o.names == right.names ?
				    o.beside(right) : 95;
			}) == 0, value);
		}
	}
}

BOOST_AUTO_TEST_CASE(a_paranoid_kernel_asks_for_cap_perfmon,
    *only_if(open_guest, "needs a guest kernel") * description(
    "perf_event_paranoid 2 and 3: EPERM without CAP_PERFMON"))
{
	const setting s("perf_event_paranoid");
	for (const char *value : {"2", "3"}) {
		BOOST_REQUIRE(s.set(value));
		BOOST_TEST(in_child([] {
			return become_nobody({cap_bpf}) ? watch_error() : 77;
		}) == EPERM, value);
		// Debian's 3 asks for CAP_SYS_ADMIN.
		const int both = in_child([] {
			return become_nobody({cap_bpf, cap_perfmon}) ?
			    watch_error() : 77;
		});
		BOOST_TEST((both == 0 || (*value == '3' && both == EPERM)),
		    value << ": " << both);
	}
}

BOOST_AUTO_TEST_CASE(yama_keeps_siblings_apart,
    *only_if(has_yama, "needs a guest kernel with Yama") * description(
    "ptrace_scope 0: the same user's; 1 and 2: EPERM without CAP_SYS_PTRACE"))
{
	const setting s("yama/ptrace_scope");
	const child target([] {
		if (!become_nobody())
			_exit(1);
	});
	BOOST_REQUIRE(s.set("0"));
	const outcome right = right_stack(target.pid(), STACK9_USER);
	for (const char *value : {"0", "1", "2"}) {
		BOOST_REQUIRE(s.set(value));
		BOOST_TEST(in_child([&] {
			return become_nobody() ?
			    outcome(target.pid(), STACK9_USER).beside(right) :
			    77;
		}) == (*value == '0' ? 0 : EPERM), value);
		BOOST_TEST(in_child([&] {
			return become_nobody({cap_sys_ptrace}) ?
			    outcome(target.pid(), STACK9_USER).beside(right) :
			    77;
		}) == 0, value);
	}
}
