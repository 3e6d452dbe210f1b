// Runs the program, and reads what Go prints of its goroutines.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "go_program.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// Reads lines until one is this.
std::vector<std::string>
lines_until(int fd, const std::string &last)
{
	std::vector<std::string> lines;
	std::string line;
	for (char c[65536];;) {
		const ssize_t n = read(fd, c, sizeof c);
		BOOST_REQUIRE(n > 0);
		for (ssize_t i = 0; i < n; i++) {
			if (c[i] != '\n') {
				line += c[i];
				continue;
			}
			lines.push_back(std::move(line));
			line.clear();
			if (lines.back() == last)
				return lines;
		}
	}
}

// "name(0x1, {0x2, 0x3})" without its arguments.
std::string
without_arguments(const std::string &line)
{
	return line.substr(0, line.rfind('('));
}

// "goroutine 7 [chan receive, 2 minutes, locked to thread]:"
seen &
begin(const std::string &line, goroutines &all)
{
	std::string state = line.substr(line.find('[') + 1);
	state = state.substr(0, state.find(']'));
	for (const char *const more : {", locked", " (scan)"})
		state = state.substr(0, state.find(more));
	if (const auto minutes = state.find(" minutes"); minutes != state.npos)
		state = state.substr(0, state.rfind(',', minutes));
	return all[std::stoull(line.substr(line.find(' ')))] =
	    seen{state, {}, {}, {}, 0, 0, {}};
}

// A function is followed by its line, with its offset: "\tfile:3 +0x1f".  Calls
// that were inlined have none.
void
read_stacks(const std::vector<std::string> &lines, goroutines &all)
{
	seen *now = nullptr;
	std::string function;
	for (const std::string &line : lines) {
		const auto offset = line.rfind(" +0x");
		if (line.starts_with("goroutine "))
			now = &begin(line, all);
		else if (line.empty() || now == nullptr)
			now = nullptr;
		else if (line.starts_with("created by "))
			function.clear();
		else if (line[0] != '\t')
			function = without_arguments(line);
		else if (!function.empty() && offset != line.npos)
			now->functions.push_back(function +
			    line.substr(offset + 1));
	}
}

int
add_function(void *to, const stack9_frame *f)
{
	seen &g = *static_cast<seen *>(to);
	const std::string name = f->name;
	g.functions.push_back(name.substr(0, name.find(".abi0")) +
	    fmt::format("+{:#x}", f->offset));
	g.behind.push_back(f->offset == f->size);
	return 0;
}

int
add(void *to, const stack9_coroutine *c)
{
	const stack9_stack &s = *c->sample->user;
	seen g{c->state, {}, {}, {}, s.error, s.why, s.reason};
	for (std::uint32_t i = 0; i < s.depth; i++)
		g.pcs.push_back(s.pcs[i]);
	stack9_frames(&s, 0, add_function, &g);
	const bool is_new = static_cast<goroutines *>(to)->emplace(c->id,
	    std::move(g)).second;
	BOOST_TEST(is_new);
	BOOST_TEST(c->runtime == std::string("go"));
	BOOST_TEST(c->sample->kernel == nullptr);
	BOOST_TEST(c->sample->thread.tid == 0);
	return 0;
}

std::string
call_of(const std::filesystem::path &task)
{
	std::ifstream f(task / "syscall");
	std::string line;
	std::getline(f, line);
	return line;
}

// Returns whether a thread is in read(2) of descriptor 0.  Kernels may lack the
// file.  Then the thread is taken to be there.
bool
reads_input(pid_t pid)
{
	const std::filesystem::path process = fmt::format("/proc/{}", pid);
	if (call_of(process).empty())
		return true;
	const std::string call = fmt::format("{} 0x0 ", SYS_read);
	for (const auto &task : std::filesystem::directory_iterator(
	    process / "task"))
		if (call_of(task.path()).starts_with(call))
			return true;
	return false;
}

} // namespace

go_program::go_program(const char *argument)
{
	int in[2], out[2], ready[2];
	BOOST_REQUIRE(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 &&
	    pipe2(ready, O_CLOEXEC) == 0);
	pid_ = fork();
	if (pid_ == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		const int last = fcntl(ready[1], F_DUPFD, 10);
		dup2(in[0], 0);
		dup2(out[1], 1);
		dup2(last, 3);
		for (const int s : {SIGABRT, SIGSEGV, SIGBUS, SIGTERM})
			signal(s, SIG_DFL);
		execl(GOROUTINES, GOROUTINES, argument, nullptr);
		_exit(127);
	}
	for (const int fd : {in[0], out[1], ready[1]})
		close(fd);
	to_ = in[1];
	from_ = out[0];
	lines_until(ready[0], "ready");
	close(ready[0]);
	// main says so, and still runs until it reads its input.
	const auto last = std::chrono::steady_clock::now() +
	    std::chrono::minutes(1);
	while (!reads_input(pid_) && std::chrono::steady_clock::now() < last)
		sched_yield();
}

go_program::~go_program()
{
	kill(pid_, SIGKILL);
	waitpid(pid_, nullptr, 0);
	close(to_);
	close(from_);
}

void
go_program::ask(goroutines &all, std::multiset<frames> &stacks) const
{
	BOOST_REQUIRE_EQUAL(write(to_, "\n", 1), 1);
	const auto lines = lines_until(from_, "end");
	read_stacks(lines, all);
	for (const std::string &line : lines) {
		frames pcs;
		std::istringstream words(line);
		std::string word;
		words >> word;
		for (std::uint64_t pc; words >> std::hex >> pc;)
			pcs.push_back(pc);
		if (word == "pcs")
			stacks.insert(pcs);
	}
}

boost::unit_test::decorator::precondition
has_go()
{
	return boost::unit_test::decorator::precondition(
	    [](boost::unit_test::test_unit_id)
	    -> boost::test_tools::assertion_result {
		    boost::test_tools::assertion_result has(
			access(GOROUTINES, X_OK) == 0);
		    has.message() << "Go's compiler is not here";
		    if (!has)
			    std::fprintf(stderr, "skipped: Go's compiler is "
				"not here\n");
		    return has;
	    });
}

int
find(pid_t pid, goroutines &all)
{
	const stack9_thread td{pid, pid, 0};
	stack9_save_options o{};
	o.size = sizeof o;
	o.frames = 4096;
	return stack9_coroutines(&td, &o, add, &all);
}
