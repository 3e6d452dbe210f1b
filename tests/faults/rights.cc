// Tests captures by those who have too few rights, and by those who have just
// enough.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "around.h"
#include "mounts.h"
#include "require.h"
#include "user.h"
#include "victim.h"

using boost::unit_test::description;

namespace {

bool
hide(const char *directory)
{
	return own_mounts() &&
	    mount("none", directory, "tmpfs", 0, nullptr) == 0;
}

bool
integrity()
{
	return locked_down("integrity");
}

} // namespace

BOOST_AUTO_TEST_CASE(root_of_a_user_namespace_is_nobody, *needs("root")
    * description("root of a user namespace: EPERM for the threads of others"))
{
	const victim v({doing::read});
	right_stack(v.pid(), STACK9_KERNEL);
	right_stack(v.pid(), STACK9_USER);
	const int status = in_child([&] {
		if (!become_nobody() || unshare(CLONE_NEWUSER) != 0)
			return 77;
		std::ofstream("/proc/self/uid_map") << "0 65534 1";
		if (getuid() != 0)
			return 77;
		if (outcome(v.pid(), STACK9_KERNEL).error != EPERM)
			return 90;
		const outcome user(v.pid(), STACK9_USER);
		return user.why == STACK9_WHY_RIGHTS ? user.error : 91;
	});
	if (status == 77)
		BOOST_TEST_MESSAGE("no user namespace can be made here");
	else
		BOOST_TEST(status == EPERM);
}

BOOST_AUTO_TEST_CASE(hidden_types_are_no_lack_of_rights, *needs("root")
    * needs("mounts")
    * description("no /sys/kernel/btf: captures work, or by another route"))
{
	const victim v({doing::read});
	for (const int side : {STACK9_KERNEL, STACK9_USER}) {
		const outcome right = right_stack(v.pid(), side);
		BOOST_TEST(in_child([&] {
			return hide("/sys") ?
			    outcome(v.pid(), side).beside(right) : 77;
		}) == 0);
	}
}

BOOST_AUTO_TEST_CASE(this_machines_lockdown_is_reported, *needs("bpf")
    * only_if(integrity, "lockdown is not integrity")
    * description("lockdown=integrity: captures work"))
{
	const victim v({doing::read});
	for (const int side : {STACK9_KERNEL, STACK9_USER})
		right_stack(v.pid(), side);
}

BOOST_AUTO_TEST_CASE(a_hidden_process_is_no_process, *needs("root")
    * needs("mounts")
    * description("hidepid=2: a process of another user is ESRCH"))
{
	const victim v({doing::read});
	BOOST_TEST(in_child([&] {
		if (!own_mounts() || mount("proc", "/proc", "proc", 0,
		    "hidepid=2") != 0 || !become_nobody())
			return 77;
		stack9_thread td{};
		const int found = stack9_thread_find(v.pid(), &td);
		if (found != ESRCH)
			return 100 + found;
		const int kernel = outcome(v.pid(), STACK9_KERNEL).error;
		const int user = outcome(v.pid(), STACK9_USER).error;
		return kernel == ESRCH || kernel == EPERM ? user : kernel;
	}) == ESRCH);
}

BOOST_AUTO_TEST_CASE(cap_sys_ptrace_is_enough, *needs("root") * needs("ptrace")
    * description("CAP_SYS_PTRACE: the user stacks of other users' threads"))
{
	const victim v({doing::read});
	const outcome right = right_stack(v.pid(), STACK9_USER);
	BOOST_TEST(in_child([&] {
		return become_nobody({cap_sys_ptrace}) ?
		    outcome(v.pid(), STACK9_USER).beside(right) : 77;
	}) == 0);
}

BOOST_AUTO_TEST_CASE(a_set_user_id_program_is_another_users, *needs("root")
    * description("EPERM: a program that took another user's rights"))
{
	const std::filesystem::path dir =
	    std::filesystem::temp_directory_path() /
	    ("faults." + std::to_string(getpid()));
	std::filesystem::create_directory(dir);
	chmod(dir.c_str(), 0755);
	const std::string file = dir / "sleep";
	std::filesystem::copy_file("/bin/sleep", file);
	BOOST_REQUIRE(chmod(file.c_str(), 04755) == 0);
	const pid_t target = fork();
	if (target == 0) {
		if (become_nobody())
			execl(file.c_str(), "sleep", "1000", nullptr);
		_exit(1);
	}
	// The new program has its name before it has the rights.  It has these
	// once it sleeps.
	std::string name;
	while (name != "sleep") {
		std::ifstream f("/proc/" + std::to_string(target) + "/comm");
		BOOST_REQUIRE(std::getline(f, name));
	}
	wait_for_state(target, 'S');
	BOOST_TEST(in_child([&] {
		if (!become_nobody())
			return 77;
		const outcome o(target, STACK9_USER);
		return o.why == STACK9_WHY_RIGHTS ? o.error : 90;
	}) == EPERM);
	kill(target, SIGKILL);
	waitpid(target, nullptr, 0);
	std::filesystem::remove_all(dir);
}

// A file that could not be opened had no unwind information, and the frame in
// it was taken for the outermost one if its frame pointer was 0.
BOOST_AUTO_TEST_CASE(few_descriptors_are_reported_or_enough, *needs("root")
    * description("EMFILE, or a stack, for every number of descriptors; a "
    "stack that lacks frames says so"))
{
	const victim v({doing::read});
	for (const int side : {STACK9_KERNEL, STACK9_USER}) {
		const outcome right = right_stack(v.pid(), side);
		int enough = 0, told = 0;
		for (rlim_t n = 3; n <= 64; n += n < 23 ? 1 : 41) {
			constexpr int was_enough = 42;
			const int status = in_child([&] {
				close_range(3, ~0U, 0);
				rlimit l{};
				getrlimit(RLIMIT_NOFILE, &l);
				const rlim_t most = l.rlim_cur;
				l.rlim_cur = n;
				setrlimit(RLIMIT_NOFILE, &l);
				const outcome o(v.pid(), side);
				if (o.error != 0 && o.error != EMFILE)
					return o.error;
				if (o.error != 0 &&
				    o.why != STACK9_WHY_RESOURCE)
					return 91;
				l.rlim_cur = most;
				setrlimit(RLIMIT_NOFILE, &l);
				if (outcome(v.pid(), side).error != 0)
					return 93;
				if (o.why != STACK9_WHY_NONE)
					return 0;
				return o.beside(right) == 0 ? was_enough : 92;
			});
			BOOST_TEST((status == 0 || status == was_enough), n <<
			    " descriptors, side " << side << ": " << status);
			told += status == 0;
			enough += status == was_enough;
		}
		// The files that this process has read are closed there, and a
		// user stack may need one of them.
		BOOST_TEST(told > 0);
		BOOST_TEST((enough > 0 || side == STACK9_USER));
	}
}
