// Tests how files are found by name, as a process without capabilities must.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <fstream>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/space.h"

#include "copier.h"
#include "require.h"

namespace {

constexpr uid_t nobody = 65534;

// Answers whether the files of the program and of its library were found.
std::pair<bool, bool>
files_for_nobody(const child &c, const std::string &library)
{
	const pid_t pid = fork();
	if (pid == 0) {
		if (setgid(nobody) != 0 || setuid(nobody) != 0)
			_exit(99);
		const opened space(c.thread());
		if (space.error != 0)
			_exit(98);
		const auto has_file = [&](const std::string &path) {
			std::ifstream maps("/proc/" +
			    std::to_string(c.pid()) + "/maps");
			std::string line;
			while (std::getline(maps, line))
				if (line.find(" r-xp ") != line.npos &&
				    line.find(path) != line.npos)
					break;
			stack9::process::place at;
			return (*space).find(std::stoul(line, nullptr, 16),
			    at) && at.backing != nullptr &&
			    at.backing->fd() >= 0 && at.backing->is_elf();
		};
		_exit(has_file("/plain") | has_file(library) << 1);
	}
	int status = 0;
	BOOST_REQUIRE(waitpid(pid, &status, 0) == pid);
	BOOST_REQUIRE(WEXITSTATUS(status) < 4);
	return {WEXITSTATUS(status) & 1, WEXITSTATUS(status) & 2};
}

} // namespace

BOOST_AUTO_TEST_SUITE(opening)

BOOST_AUTO_TEST_CASE(a_name_that_is_another_files_by_now_is_not_believed,
    *needs("root"))
{
	const scratch dir;
	BOOST_REQUIRE(chmod((dir / "").c_str(), 0755) == 0);
	const std::string plain = dir.take(program("plain"));
	const std::string library = dir.take(program("plugin.so"));
	child c({plain, "dlopen", library}, [] {
		return setgid(nobody) == 0 && setuid(nobody) == 0;
	});
	BOOST_REQUIRE(c.said("waits"));
	c.give_byte();
	BOOST_REQUIRE(c.says("ready"));
	const auto before = files_for_nobody(c, "/plugin.so");
	BOOST_TEST(before.first);
	BOOST_TEST(before.second);
	const std::string other = dir.take(program("no_fp"));
	BOOST_REQUIRE(rename(other.c_str(), library.c_str()) == 0);
	BOOST_REQUIRE(unlink(plain.c_str()) == 0);
	const auto after = files_for_nobody(c, "/plugin.so");
	BOOST_TEST(after.first);	// by /proc/TID/exe
	BOOST_TEST(!after.second);
}

BOOST_AUTO_TEST_SUITE_END()
