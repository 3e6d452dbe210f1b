// Tests bpf(2) refused by seccomp, and programs kept in bpffs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <linux/bpf.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/seam/record.h"
#include "lib/process.h"
#include "kernel_capture.h"
#include "refuse_bpf.h"
#include "require.h"

using lib::in_child;

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

namespace {

// The names of the pins in dir that begin so.
std::vector<std::string>
pins(const std::string &dir, const std::string &beginning)
{
	std::vector<std::string> all;
	for (const auto &e : std::filesystem::directory_iterator(dir))
		if (const std::string name = e.path().filename().string();
		    name.starts_with(beginning))
			all.push_back(dir + "/" + name);
	return all;
}

// With a bpffs that has pins in it, spoilt by `spoil`.  0: stack9_pin() then
// says what it should and a capture is right.
int
with_spoilt_pins(pid_t tid, int expected,
    const std::function<bool(const std::string &)> &spoil)
{
	return in_child([&] {
		const std::string dir = new_bpffs();
		if (dir.empty() || in_child([&] {
			return stack9_pin(dir.c_str());
		}) != 0)
			return 90;
		if (!spoil(dir))
			return 91;
		if (stack9_pin(dir.c_str()) != expected)
			return 92;
		capture c;
		return c.save(tid) != 0 ? 93 :
		    named(c.rec) != proc_stack(tid) ? 94 :
		    c.rec.route != std::string("syscall") ? 95 : 0;
	});
}

constexpr uid_t nobody = 65534;

} // namespace

BOOST_AUTO_TEST_CASE(pins_of_others_are_not_trusted, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "The directory and the programs must belong to root or to the caller, and "
    "no other user may be able to rename them."))
{
	const auto all = routes_of("kernel stack");
	if (std::find(all.begin(), all.end(), "syscall") == all.end())
		return;
	const victim v({doing::read});
	const auto spoilt = [&](int expected,
	    const std::function<bool(const std::string &)> &spoil) {
		BOOST_TEST(with_spoilt_pins(v.pid(), expected, spoil) == 0);
	};
	spoilt(0, [](const std::string &) { return true; });
	spoilt(EPERM, [](const std::string &dir) {
		return chown(dir.c_str(), nobody, 0) == 0;
	});
	for (const mode_t mode : {0777, 0770, 0702})
		spoilt(EPERM, [&](const std::string &dir) {
			return chmod(dir.c_str(), mode) == 0;
		});
	spoilt(0, [](const std::string &dir) {
		return chmod(dir.c_str(), 01777) == 0;
	});
	for (const char *name : {"stack9-one-", "stack9-name-"})
		spoilt(EPERM, [&](const std::string &dir) {
			const auto found = pins(dir, name);
			return found.size() == 1 &&
			    chown(found[0].c_str(), nobody, 0) == 0;
		});
}

BOOST_AUTO_TEST_CASE(a_pin_is_what_its_name_says, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "A program that is not the one that its name says is not used."))
{
	const auto all = routes_of("kernel stack");
	if (std::find(all.begin(), all.end(), "syscall") == all.end())
		return;
	const victim v({doing::read});
	BOOST_TEST(with_spoilt_pins(v.pid(), 0, [](const std::string &dir) {
		const auto one = pins(dir, "stack9-one-");
		const auto name = pins(dir, "stack9-name-");
		const std::string aside = dir + "/aside";
		return one.size() == 1 && name.size() == 1 &&
		    rename(one[0].c_str(), aside.c_str()) == 0 &&
		    rename(name[0].c_str(), one[0].c_str()) == 0 &&
		    rename(aside.c_str(), name[0].c_str()) == 0;
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
