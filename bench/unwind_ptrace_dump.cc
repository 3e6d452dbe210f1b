// Dumps a process by the loop that programs with libunwind-ptrace have, as well
// as it can be written: one thread is stopped at a time, each name is asked for
// once, and all threads share one address space.
//
//	unwind_ptrace_dump pid
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>

#include <libunwind-ptrace.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

namespace {

namespace fs = std::filesystem;

constexpr int frames_max = 1024;

struct space_end {
	using pointer = unw_addr_space_t;
	void operator()(unw_addr_space_t s) const { unw_destroy_addr_space(s); }
};
using space = std::unique_ptr<unw_addr_space_t, space_end>;

struct upt_end {
	void operator()(void *u) const { _UPT_destroy(u); }
};
using upt = std::unique_ptr<void, upt_end>;

using names = std::unordered_map<unw_word_t, std::string>;

const std::string &
name_of(unw_cursor_t &cursor, unw_word_t pc, names &known)
{
	const auto [at, is_new] = known.try_emplace(pc);
	if (is_new) {
		char name[512] = "";
		unw_word_t offset = 0;
		if (unw_get_proc_name(&cursor, name, sizeof name, &offset) == 0)
			at->second = name + ("+" + std::to_string(offset));
		else
			at->second = "??";
	}
	return at->second;
}

void
print_stack(unw_addr_space_t s, pid_t tid, names &known)
{
	const upt u(_UPT_create(tid));
	unw_cursor_t cursor;
	std::printf("TID %d:\n", tid);
	if (unw_init_remote(&cursor, s, u.get()) != 0)
		return;
	int i = 0;
	do {
		unw_word_t pc = 0;
		unw_get_reg(&cursor, UNW_REG_IP, &pc);
		std::printf("#%-3d 0x%016lx %s\n", i, pc,
		    name_of(cursor, pc, known).c_str());
	} while (++i < frames_max && unw_step(&cursor) > 0);
}

bool
stop(pid_t tid)
{
	int status;
	return ptrace(PTRACE_SEIZE, tid, nullptr, nullptr) == 0 &&
	    ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr) == 0 &&
	    waitpid(tid, &status, __WALL) == tid && WIFSTOPPED(status);
}

} // namespace

int
main(int argc, char **argv)
{
	if (argc != 2)
		return 64;
	const space s(unw_create_addr_space(&_UPT_accessors, 0));
	unw_set_caching_policy(s.get(), UNW_CACHE_GLOBAL);
	names known;
	for (const auto &task : fs::directory_iterator(fs::path("/proc") /
	    argv[1] / "task")) {
		const pid_t tid = std::stoi(task.path().filename());
		if (!stop(tid))
			return 1;
		print_stack(s.get(), tid, known);
		ptrace(PTRACE_DETACH, tid, nullptr, nullptr);
	}
	return 0;
}
