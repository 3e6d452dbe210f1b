// Makes copies with capabilities, and children with ids.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "lender.h"

#include <csignal>
#include <filesystem>
#include <stdexcept>

#include <fcntl.h>
#include <grp.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

namespace {

// A folder that nobody may enter and that honours file capabilities.
std::string
new_folder()
{
	for (const char *where : {"/tmp", "/var/tmp", "/run"}) {
		struct statvfs fs;
		std::string dir = std::string(where) + "/stackprint.XXXXXX";
		if (statvfs(where, &fs) == 0 && !(fs.f_flag & ST_NOSUID) &&
		    mkdtemp(dir.data()) != nullptr) {
			chmod(dir.c_str(), 0755);
			return dir;
		}
	}
	throw std::runtime_error("no folder honours file capabilities");
}

extern "C" void
turn_secret(int)
{
	prctl(PR_SET_DUMPABLE, 0);
}

[[noreturn]] void
wait_for_ever(uid_t uid, bool dumpable, int ready)
{
	signal(SIGUSR1, turn_secret);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (uid == nobody)
		become_nobody();
	// Changing ids made it secret.
	prctl(PR_SET_DUMPABLE, dumpable);
	(void)!write(ready, "", 1);
	for (;;)
		pause();
}

} // namespace

void
become_nobody()
{
	if (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 ||
	    setuid(nobody) != 0)
		_exit(126);
}

lender::lender(const char *caps, const char *program)
    : dir_(new_folder()), path_(dir_ + "/stackprint")
{
	std::filesystem::copy_file(program, path_);
	if (caps == nullptr) {
		BOOST_REQUIRE(chmod(path_.c_str(), 04755) == 0);
		return;
	}
	const cap_t set = cap_from_text(caps);
	BOOST_REQUIRE(cap_set_file(path_.c_str(), set) == 0);
	cap_free(set);
}

lender::~lender()
{
	std::filesystem::remove_all(dir_);
}

said
lender::operator()(std::vector<std::string> args, const std::string &words,
    void (*who)()) const
{
	args.insert(args.begin(), path_);
	return run(args, {.environment = {"STACK9_FAKE=" + words},
	    .before_exec = who});
}

victim::victim(uid_t uid, bool dumpable)
{
	int ready[2];
	BOOST_REQUIRE(pipe2(ready, O_CLOEXEC) == 0);
	pid_ = fork();
	if (pid_ == 0)
		wait_for_ever(uid, dumpable, ready[1]);
	close(ready[1]);
	char c;
	BOOST_REQUIRE(read(ready[0], &c, 1) == 1);
	close(ready[0]);
}

victim::~victim()
{
	kill(pid_, SIGKILL);
	waitpid(pid_, nullptr, 0);
}
