// Tests perf maps that are huge, sparse, or of a thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <csignal>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/seam/space.h"
#include "symbols/perf_map.h"

#include "hostile.h"

using boost::unit_test::description;

namespace {

// A process with a perf map, whose code is here, too.
class jit {
public:
	explicit jit(void *code) : code_(code), pid_(fork())
	{
		if (pid_ == 0)
			for (;;)
				pause();
	}
	~jit()
	{
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
		unlink(map().c_str());
	}
	jit(const jit &) = delete;

	pid_t pid() const { return pid_; }
	std::string
	map() const
	{
		return fmt::format("/tmp/perf-{}.map", pid_);
	}
	// The name of the code by a thread of the process.
	std::string
	name(pid_t tid) const
	{
		stack9_space *s;
		stack9::symbol_name sym;
		const stack9_thread td{tid, pid_, 0};
		BOOST_REQUIRE(stack9::space_open(td, s) == 0);
		const int error = stack9::space_find(*s,
		    reinterpret_cast<std::uintptr_t>(code_), false, sym);
		stack9::space_drop(s);
		return error != 0 ? "" : sym.name;
	}
	std::string
	line(const std::string &name) const
	{
		return fmt::format("{:x} 40 {}\n",
		    reinterpret_cast<std::uintptr_t>(code_), name);
	}

private:
	void	*code_;
	pid_t	pid_;
};

void *
jit_code()
{
	static void *const code = mmap(nullptr, 4096, PROT_READ | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return code;
}

} // namespace

BOOST_AUTO_TEST_SUITE(perf_maps, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_hole_ends_a_map)
{
	std::vector<std::unique_ptr<jit>> all;
	for (int n = 0; n < 8; n++) {
		all.push_back(std::make_unique<jit>(jit_code()));
		std::ofstream(all.back()->map()) << all.back()->line("made");
		BOOST_REQUIRE(truncate(all.back()->map().c_str(),
		    256 * MiB) == 0);
	}
	const cost since;
	for (const auto &j : all)
		BOOST_TEST(j->name(j->pid()) == "made");
	BOOST_TEST(since.bytes_read() < 8 * MiB);
	BOOST_TEST(since.memory() < 16 * MiB);
}

BOOST_AUTO_TEST_CASE(so_many_lines_are_read, *description(
    "A perf map may have 128 MiB and 2097152 lines."))
{
	const counted left(left_out::perf_maps);
	const budgets_by little(1.0f / 1024);
	std::string text;
	for (int n = 0; n < 3000; n++)
		text += fmt::format("{:x} 1 f\n", 0x1000 + n);
	const stack9::perf_map m(text);
	BOOST_TEST(m.is_cut());
	BOOST_TEST(m.size() == 2049u);
	const jit j(jit_code());
	std::ofstream(j.map()) << text;
	j.name(j.pid());
	BOOST_TEST(left.now() == 1u);
}

BOOST_AUTO_TEST_CASE(so_many_bytes_are_read)
{
	const counted left(left_out::perf_maps);
	const budgets_by little(1.0f / 128);	// 1 MiB
	const jit j(jit_code());
	std::ofstream map(j.map());
	map << j.line("first");
	for (int n = 0; n < 2000; n++)
		map << fmt::format("{:x} 1 {}\n", n + 1,
		    std::string(1000, 'f'));
	map << j.line("last");
	map.close();
	BOOST_TEST(j.name(j.pid()) == "first");
	BOOST_TEST(left.now() == 1u);
}

// 2 MiB each, of which 4 MiB are kept.
BOOST_AUTO_TEST_CASE(so_many_maps_are_kept, *description(
    "All perf maps that are kept may have 512 MiB."))
{
	std::vector<std::unique_ptr<jit>> all;
	for (int n = 0; n < 12; n++) {
		all.push_back(std::make_unique<jit>(jit_code()));
		std::ofstream map(all.back()->map());
		map << all.back()->line("made");
		for (int i = 0; i < 500; i++)
			map << fmt::format("{:x} 1 {}\n", i + 1,
			    std::string(1000, 'f'));
	}
	const budgets_by little(1.0f / 128);
	const cost since;
	for (const auto &j : all)
		BOOST_TEST(j->name(j->pid()) == "made");
	BOOST_TEST(since.memory() < 9 * MiB);
}

BOOST_AUTO_TEST_CASE(a_thread_has_the_map_of_its_process, *description(
    "PID is the pid of the process in its innermost pid namespace"))
{
	int to[2];
	BOOST_REQUIRE(pipe(to) == 0);
	void *const code = jit_code();
	const pid_t pid = fork();
	if (pid == 0) {
		std::thread([&] {
			const pid_t tid = gettid();
			if (write(to[1], &tid, sizeof tid) < 0)
				_exit(1);
			for (;;)
				pause();
		}).detach();
		for (;;)
			pause();
	}
	pid_t tid = 0;
	BOOST_REQUIRE(read(to[0], &tid, sizeof tid) == sizeof tid);
	const std::string map = fmt::format("/tmp/perf-{}.map", pid);
	std::ofstream(map) << fmt::format("{:x} 40 made\n",
	    reinterpret_cast<std::uintptr_t>(code));
	stack9_space *s;
	stack9::symbol_name sym{};
	BOOST_CHECK(stack9::space_open({tid, pid, 0}, s) == 0);
	BOOST_TEST(stack9::space_find(*s,
	    reinterpret_cast<std::uintptr_t>(code), false, sym) == 0);
	BOOST_TEST(sym.name == "made");
	BOOST_TEST(sym.module == map.substr(5));
	stack9::space_drop(s);
	kill(pid, SIGKILL);
	waitpid(pid, nullptr, 0);
	unlink(map.c_str());
	close(to[0]);
	close(to[1]);
}

BOOST_AUTO_TEST_CASE(a_map_that_is_no_file_is_never_opened)
{
	const jit j(jit_code());
	BOOST_REQUIRE(mkfifo(j.map().c_str(), 0600) == 0);
	const opening_watch watch(j.map());
	BOOST_TEST(j.name(j.pid()) == "");
	BOOST_TEST(!watch.opened());
}

BOOST_AUTO_TEST_SUITE_END()
