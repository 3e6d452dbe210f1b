// Looks at files that cannot be opened, whose unwind information is in the
// memory of the process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>

#include <sys/wait.h>
#include <unistd.h>

#include "process/space.h"

#include "copier.h"
#include "require.h"

namespace {

using stack9::user_copy;

// Does what a user does who may not open deleted files by their mappings.
int
walk_as_nobody(const scratch &dir, const std::string &plugin)
{
	child c({dir / "plain", "dlopen", plugin});
	if (!c.says("waits"))
		return 1;
	c.give_byte();
	if (!c.says("ready"))
		return 2;
	std::filesystem::remove(plugin);
	const opened space(c.thread());
	user_copy copy;
	copy_thread(c.pid(), copy);
	const walk w = walk_of(*space, copy, c.thread());
	const auto names = names_of(*space, w);
	if (!has(names, {"inner", "middle", "outer", "?"}) ||
	    names.back() != "_start")
		return 3;
	if (!w.is_whole() || (w.rec.flags & STACK9_STACK_GUESSED) != 0)
		return 4;
	// The plugin calls outer; how many frames are inside depends on libc.
	const std::uintptr_t pc = w.pcs[static_cast<std::size_t>(
	    std::ranges::find(names, "outer") - names.begin()) + 1];
	stack9::mapped_module m;
	if (stack9::space_module(*space, pc, m) != 0 ||
	    m.path != plugin || m.vaddr == 0 || m.build_id_size == 0)
		return 5;
	stack9::process::place at;
	char code;
	return !space.it->find(pc, at) ||
	    at.backing->read(0, &code, 1) ? 6 : 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_opened_is_unwound_by_memory,
    *needs("root") * needs("ptrace"))
{
	const scratch dir;
	dir.take(program("plain"));
	const std::string plugin = dir.take(program("plugin.so"));
	std::filesystem::permissions(dir / ".",
	    std::filesystem::perms::all);
	const pid_t pid = fork();
	if (pid == 0)
		_exit(setuid(65534) == 0 ? walk_as_nobody(dir, plugin) : 99);
	int status;
	BOOST_TEST(waitpid(pid, &status, 0) == pid);
	BOOST_TEST(WEXITSTATUS(status) == 0);
}
