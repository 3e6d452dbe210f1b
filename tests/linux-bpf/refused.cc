// bpf(2) refused by seccomp, and programs kept in bpffs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <linux/bpf.h>
#include <sys/mount.h>
#include <unistd.h>

#include "core_calls.h"
#include "kernel_capture.h"
#include "refuse_bpf.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(refused)

namespace {

// A bpffs that is mounted nowhere and goes with this process.
std::string
new_bpffs()
{
	const int fs = fsopen("bpf", FSOPEN_CLOEXEC);
	if (fs < 0 || fsconfig(fs, FSCONFIG_CMD_CREATE, nullptr, nullptr,
	    0) != 0)
		return {};
	const int mounted = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	return mounted < 0 ? "" : fmt::format("/proc/self/fd/{}", mounted);
}

int
error_of_capture(pid_t tid)
{
	capture c;
	const int error = c.save(tid);
	return (error == 0) == (c.rec.depth > 0) ? error : 98;
}

} // namespace

BOOST_AUTO_TEST_CASE(by_seccomp_with_eperm, *needs("bpf")
    * boost::unit_test::description("seccomp bpf=EPERM: EPERM"))
{
	const victim v({doing::read});
	BOOST_TEST(in_child([&] {
		return refuse_bpf(-1, EPERM) ? error_of_capture(v.pid()) : 97;
	}) == EPERM);
}

BOOST_AUTO_TEST_CASE(by_seccomp_with_enosys, *needs("bpf")
    * boost::unit_test::description("seccomp bpf=ENOSYS: EOPNOTSUPP"))
{
	const victim v({doing::read});
	BOOST_TEST(in_child([&] {
		return refuse_bpf(-1, ENOSYS) ? error_of_capture(v.pid()) : 97;
	}) == EOPNOTSUPP);
}

BOOST_AUTO_TEST_CASE(pinned_programs_need_no_loading, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "stack9_pin: Keeps BPF programs in bpffs, to be reused by later processes"))
{
	const auto all = routes_of("kernel stack");
	if (std::find(all.begin(), all.end(), "syscall") == all.end()) {
		BOOST_TEST_MESSAGE("nothing to pin on this kernel");
		return;
	}
	const victim v({doing::read});
	BOOST_TEST(in_child([&] {
		const std::string bpffs = new_bpffs();
		const char *dir = bpffs.c_str();
		if (bpffs.empty())
			return 90;
		if (stack9_pin(dir) != 0)
			return 91;
		int files = 0;
		for (const auto &e : std::filesystem::directory_iterator(dir))
			files += e.path().filename().string().starts_with(
			    "stack9-");
		if (files != 2 && files != 3)	// user stacks: Linux 5.18
			return 92;
		return in_child([&] {
			if (!refuse_bpf(BPF_PROG_LOAD, EPERM))
				return 93;
			if (error_of_capture(v.pid()) != EPERM)
				return 94;
			if (stack9_pin(dir) != 0)
				return 95;
			capture c;
			return c.save(v.pid()) != 0 ? 96 :
			    named(c.rec) == proc_stack(v.pid()) ? 0 : 97;
		});
	}) == 0);
}

BOOST_AUTO_TEST_CASE(pinning_says_where_it_cannot, *needs("bpf")
    * boost::unit_test::description(
    "EINVAL; ENOENT: no such directory; EOPNOTSUPP: dir is not bpffs"))
{
	BOOST_TEST(stack9_pin(nullptr) == EINVAL);
	BOOST_TEST(stack9_pin("") == EINVAL);
	BOOST_TEST(stack9_pin("/no/such/place") == ENOENT);
	BOOST_TEST(stack9_pin("/tmp") == EOPNOTSUPP);
}

BOOST_AUTO_TEST_SUITE_END()
