// Tests the files of mappings, whatever became of their names and processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/seam/record.h"
#include "process/space.h"

#include "copier.h"
#include "mounts.h"
#include "near.h"
#include "require.h"

namespace {

using stack9::user_copy;

void
check_named(child &c)
{
	const stack9_thread td = c.thread();
	const opened space(td);
	BOOST_REQUIRE(space.error == 0);
	user_copy copy;
	copy_thread(td.tid, copy);
	const walk w = walk_of(*space, copy, td);
	const auto names = names_of(*space, w);
	BOOST_TEST(w.is_whole());
	BOOST_TEST(has(names, {"inner", "middle", "outer"}), text(names));
	BOOST_TEST(names.back() == "_start", text(names));
}

stack9::process::place
place_of(const opened &space, std::uintptr_t pc)
{
	stack9::process::place at;
	BOOST_REQUIRE((*space).find(pc, at));
	return at;
}

} // namespace

BOOST_AUTO_TEST_SUITE(files, *needs("ptrace"))

BOOST_AUTO_TEST_CASE(a_deleted_program_has_its_file)
{
	const scratch dir;
	const std::string path = dir.take(program("no_fp"));
	child c({path});
	BOOST_REQUIRE(c.says("ready"));
	unlink(path.c_str());
	check_named(c);
}

BOOST_AUTO_TEST_CASE(a_program_that_was_replaced_has_its_own_file)
{
	const scratch dir;
	const std::string path = dir.take(program("no_fp"));
	child c({path});
	BOOST_REQUIRE(c.says("ready"));
	BOOST_REQUIRE(rename(dir.take(program("static")).c_str(),
	    path.c_str()) == 0);
	check_named(c);
}

BOOST_AUTO_TEST_CASE(a_program_in_another_root_has_its_file, *needs("root"))
{
	const scratch dir;
	dir.take(program("static"));
	child c({"/static"}, [&] { return chroot((dir / "").c_str()) == 0 &&
	    chdir("/") == 0; });
	BOOST_REQUIRE(c.says("ready"));
	check_named(c);
}

BOOST_AUTO_TEST_CASE(a_program_in_another_mount_namespace_has_its_file,
    *needs("mounts"))
{
	const scratch dir;
	const std::string from = program("static_pie");
	const auto hide = [&] {
		std::error_code failed;
		if (!own_mounts() ||
		    mount("none", (dir / "").c_str(), "tmpfs", 0, nullptr) != 0)
			return false;
		return std::filesystem::copy_file(from, dir / "hidden", failed);
	};
	child c({dir / "hidden"}, hide);
	BOOST_REQUIRE(c.says("ready"));
	BOOST_TEST(!std::filesystem::exists(dir / "hidden"));
	check_named(c);
}

BOOST_AUTO_TEST_CASE(files_of_overlayfs_are_found, *needs("root"))
{
	const scratch dir;
	for (const char *d : {"lower", "upper", "work", "all"})
		std::filesystem::create_directory(dir / d);
	std::filesystem::copy_file(program("no_fp"), dir / "lower/no_fp");
	const std::string how = "lowerdir=" + dir / "lower" + ",upperdir=" +
	    dir / "upper" + ",workdir=" + dir / "work";
	if (mount("none", (dir / "all").c_str(), "overlay", 0,
	    how.c_str()) != 0) {
		BOOST_TEST_MESSAGE("skipped: no overlayfs");
		return;
	}
	{
		child c({dir / "all/no_fp"});
		BOOST_TEST(c.says("ready"));
		check_named(c);
	}
	// The file is kept open for who asks next, and the mount is busy.
	BOOST_TEST(umount2((dir / "all").c_str(), MNT_DETACH) == 0);
}

BOOST_AUTO_TEST_CASE(stacks_are_walked_after_the_process_has_ended)
{
	const scratch dir;
	const std::string path = dir.take(program("fp_only"));
	child c({path});
	BOOST_REQUIRE(c.says("ready"));
	const stack9_thread td = c.thread();
	const opened space(td);
	user_copy copy;
	copy_thread(td.tid, copy);
	c.kill_and_reap();
	unlink(path.c_str());
	const walk w = walk_of(*space, copy, td);
	BOOST_TEST(w.is_whole());
	const auto names = names_of(*space, w);
	BOOST_TEST(has(names, {"inner", "middle", "outer"}));
	stack9::mapped_module m;
	const auto inner = std::find(names.begin(), names.end(), "inner");
	BOOST_TEST(stack9::space_module(*space, w.pcs.at(
	    static_cast<std::size_t>(inner - names.begin())), m) == 0);
	BOOST_TEST(std::string(m.path) == path);
	BOOST_TEST(m.vaddr != 0u);
	BOOST_TEST(m.build_id_size == 20u);
	BOOST_TEST(stack9::space_renew(*space) == ESRCH);
	BOOST_TEST(walk_of(*space, copy, td).pcs == w.pcs);
}

BOOST_AUTO_TEST_CASE(a_file_is_opened_once_for_all_processes)
{
	child a({program("plain")}), b({program("plain")});
	BOOST_REQUIRE(a.says("ready"));
	BOOST_REQUIRE(b.says("ready"));
	const opened s(a.thread()), t(b.thread());
	user_copy copy;
	copy_thread(a.pid(), copy);
	const walk w = walk_of(*s, copy, a.thread());
	copy_thread(b.pid(), copy);
	const walk v = walk_of(*t, copy, b.thread());
	BOOST_REQUIRE(w.pcs.size() == v.pcs.size());
	for (std::size_t n = 0; n < w.pcs.size(); n++)
		BOOST_TEST(place_of(s, w.pcs[n]).backing ==
		    place_of(t, v.pcs[n]).backing);
}

BOOST_AUTO_TEST_CASE(a_file_that_was_written_over_is_another)
{
	const scratch dir;
	const std::string path = dir.take(program("plugin.so"));
	const int fd = open(path.c_str(), O_RDWR);
	stack9_thread self{gettid(), getpid(), 0};
	const auto take = [&] {
		void *const at = mmap(nullptr, 4096, PROT_READ | PROT_EXEC,
		    MAP_PRIVATE, fd, 0);
		opened space(self);
		BOOST_REQUIRE(space.error == 0);
		const auto id = place_of(space,
		    reinterpret_cast<std::uintptr_t>(at)).backing->id();
		munmap(at, 4096);
		return id;
	};
	const auto first = take();
	BOOST_TEST(take() == first);
	BOOST_REQUIRE(ftruncate(fd, 5000) == 0);
	BOOST_TEST(take() != first);
	close(fd);
}

// Another process, with descriptors of its own, opens files that may be a
// server's.
BOOST_AUTO_TEST_CASE(want_of_descriptors_is_not_remembered,
    *needs("near files", [] {
	    return why_far(std::filesystem::temp_directory_path());
    }))
{
	const scratch dir;
	child a({dir.take(program("static"))});
	child b({dir.take(program("static_pie"))});
	BOOST_REQUIRE(a.says("ready"));
	BOOST_REQUIRE(b.says("ready"));
	user_copy copy_a, copy;
	copy_thread(a.pid(), copy_a);
	copy_thread(b.pid(), copy);
	opened(stack9_thread{gettid(), getpid(), 0});	// and closed
	rlimit was{};
	getrlimit(RLIMIT_NOFILE, &was);
	const rlimit few{100, was.rlim_max};
	setrlimit(RLIMIT_NOFILE, &few);
	std::vector<int> all;
	const auto take_all = [&] {
		for (int fd; (fd = dup(0)) >= 0;)
			all.push_back(fd);
		// Room for /proc/TID and its maps.
		for (int n = 0; n < 2; n++, all.pop_back())
			close(all.back());
	};
	take_all();
	// For this, files that no space uses are closed.
	const opened first(a.thread());
	BOOST_TEST(first.error == 0);
	take_all();
	const opened space(b.thread());
	for (const int fd : all)
		close(fd);
	setrlimit(RLIMIT_NOFILE, &was);
	BOOST_TEST(walk_of(*first, copy_a, a.thread()).is_whole());
	BOOST_REQUIRE(space.error == 0);
	const walk w = walk_of(*space, copy, b.thread());
	BOOST_TEST(!w.is_whole());
	BOOST_TEST(stack9::space_renew(*space) == 0);
	BOOST_TEST(walk_of(*space, copy, b.thread()).is_whole());
}

BOOST_AUTO_TEST_CASE(a_forked_child_goes_on)
{
	child c({program("no_fp")});
	BOOST_REQUIRE(c.says("ready"));
	user_copy copy;
	copy_thread(c.pid(), copy);
	const opened space(c.thread());
	const walk w = walk_of(*space, copy, c.thread());
	const pid_t pid = fork();
	if (pid == 0) {
		const opened other(c.thread());
		_exit(other.error == 0 &&
		    walk_of(*other, copy, c.thread()).pcs == w.pcs &&
		    walk_of(*space, copy, c.thread()).pcs == w.pcs ? 0 : 1);
	}
	int status;
	BOOST_TEST(waitpid(pid, &status, 0) == pid);
	BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
