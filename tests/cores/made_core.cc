// Runs the program in a directory of its own and reads what it leaves there.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "made_core.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <elf.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cores {
namespace fs = std::filesystem;

std::string
lacks_kernel_cores()
{
	std::string pattern;
	std::ifstream("/proc/sys/kernel/core_pattern") >> pattern;
	rlimit limit;
	if (pattern.empty() || pattern[0] == '|' || pattern[0] == '/' ||
	    pattern.find('%') != pattern.npos)
		return "the kernel writes cores elsewhere (core_pattern is " +
		    pattern + ")";
	return getrlimit(RLIMIT_CORE, &limit) == 0 &&
	    limit.rlim_max == RLIM_INFINITY ? "" : "cores are limited";
}

std::string
kernel_core(const scratch &in, const char *program)
{
	const fs::path copy = in / "program";
	fs::copy_file(program, copy, fs::copy_options::overwrite_existing);
	const pid_t pid = fork();
	if (pid == 0) {
		const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
		setrlimit(RLIMIT_CORE, &all);
		if (chdir(in.path().c_str()) == 0)
			execl(copy.c_str(), copy.c_str(), nullptr);
		_exit(127);
	}
	int status = 0;
	BOOST_REQUIRE(waitpid(pid, &status, 0) == pid);
	BOOST_REQUIRE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	for (const auto &each : fs::directory_iterator(in.path()))
		if (each.path().filename().string().starts_with("core"))
			return each.path().string();
	BOOST_FAIL("the kernel has written no core");
	return {};
}

bytes
read_all(const std::string &path)
{
	std::ifstream in(path, std::ios::binary);
	return {std::istreambuf_iterator<char>(in), {}};
}

void
write_all(const std::string &path, const bytes &b)
{
	std::ofstream(path, std::ios::binary).write(
	    reinterpret_cast<const char *>(b.data()),
	    static_cast<std::streamsize>(b.size()));
}

std::size_t
note_at(const bytes &b, std::uint32_t type)
{
	const auto first = number<std::uint64_t>(b, offsetof(Elf64_Ehdr,
	    e_phoff));
	BOOST_REQUIRE_EQUAL(number<std::uint32_t>(b, first), PT_NOTE);
	std::size_t at = number<std::uint64_t>(b, first +
	    offsetof(Elf64_Phdr, p_offset));
	const std::size_t end = at + number<std::uint64_t>(b, first +
	    offsetof(Elf64_Phdr, p_filesz));
	const auto padded = [](std::size_t n) { return (n + 3) & ~3ul; };
	while (at + 12 <= end) {
		if (number<std::uint32_t>(b, at + 8) == type)
			return at + 8;
		at += 12 + padded(number<std::uint32_t>(b, at)) +
		    padded(number<std::uint32_t>(b, at + 4));
	}
	BOOST_FAIL("the core has no such note");
	return 0;
}

int
open(const std::string &path, unique_core &to,
    const stack9_core_options *options)
{
	stack9_core *opened = nullptr;
	const int error = stack9_core_open(path.c_str(), -1, options, &opened);
	to.reset(opened);
	return error;
}

std::vector<thread>
threads_of(stack9_core *core)
{
	std::vector<thread> all;
	BOOST_TEST(stack9_core_each(core, nullptr, [](void *arg,
	    const stack9_sample *s) {
		auto &to = *static_cast<std::vector<thread> *>(arg);
		thread &t = to.emplace_back();
		t.tid = s->thread.tid;
		t.why = s->user->why;
		stack9_frames(s->user, 0, [](void *names,
		    const stack9_frame *f) {
			static_cast<thread *>(names)->functions.push_back(
			    f->name);
			return 0;
		}, &t);
		return 0;
	}, &all) == 0);
	return all;
}

std::vector<std::string>
notes_of(const stack9_core *core)
{
	std::vector<std::string> all;
	for (std::uint32_t n = 0; const char *text =
	    stack9_core_note(core, n); n++)
		all.push_back(text);
	return all;
}

void
check_threads(const std::vector<thread> &all)
{
	const std::vector<std::string> first{"innermost", "in_between",
	    "in_between", "in_between", "in_between", "main"};
	BOOST_REQUIRE_EQUAL(all.size(), 4u);
	const auto &own = all[0].functions;
	BOOST_TEST((own.size() > first.size() &&
	    std::equal(first.begin(), first.end(), own.begin())));
	for (std::size_t i = 0; i < all.size(); i++) {
		const auto &f = all[i].functions;
		BOOST_TEST(all[i].why == STACK9_WHY_NONE);
		if (i != 0)
			BOOST_TEST((std::find(f.begin(), f.end(),
			    "waits_for_lock") != f.end()));
	}
}

} // namespace cores
