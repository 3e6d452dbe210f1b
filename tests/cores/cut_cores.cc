// Compares the frames of cores that were cut with those of the whole cores.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <require.h>
#include <stack9_frames.h>

#include "made_core.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

BOOST_AUTO_TEST_SUITE(cut_cores, *needs("cores", cores::lacks_kernel_cores))

namespace {

using namespace cores;
namespace fs = std::filesystem;

struct stack {
	int				why;
	std::string			reason;
	std::vector<std::uintptr_t>	pcs;
	std::vector<std::string>	written;	// of languages
};
using stacks = std::map<pid_t, stack>;

int
take_frame(void *arg, const stack9_frame *f)
{
	if (f->kind == STACK9_FRAME_WRITTEN)
		static_cast<stack *>(arg)->written.push_back(f->name);
	return 0;
}

int
take_thread(void *arg, const stack9_sample *s)
{
	stack &to = (*static_cast<stacks *>(arg))[s->thread.tid];
	to.why = s->user->why;
	to.reason = s->user->reason != nullptr ? s->user->reason : "";
	to.pcs.assign(s->user->pcs, s->user->pcs + s->user->depth);
	return stack9_frames(s->user, 0, take_frame, &to);
}

stacks
stacks_of(stack9_core *core)
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	stacks all;
	BOOST_TEST(stack9_core_each(core, &o, take_thread, &all) == 0);
	return all;
}

// Has the kernel write the core of a program that ends itself.
std::string
core_of(const scratch &in, const std::vector<std::string> &words)
{
	std::vector<char *> argv;
	for (const std::string &w : words)
		argv.push_back(const_cast<char *>(w.c_str()));
	argv.push_back(nullptr);
	const pid_t pid = fork();
	if (pid == 0) {
		const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
		setrlimit(RLIMIT_CORE, &all);
		if (chdir(in.at.c_str()) == 0)
			execv(argv[0], argv.data());
		_exit(127);
	}
	int status = 0;
	BOOST_REQUIRE(waitpid(pid, &status, 0) == pid);
	BOOST_REQUIRE(WIFSIGNALED(status));
	for (const auto &each : fs::directory_iterator(in.at))
		if (each.path().filename().string().starts_with("core"))
			return each.path().string();
	BOOST_FAIL("the kernel has written no core");
	return {};
}

template <class T>
bool
begins_with(const std::vector<T> &all, const std::vector<T> &part)
{
	return part.size() <= all.size() && std::equal(part.begin(),
	    part.end(), all.begin());
}

// Returns how many of the threads have lost frames.
int
check_part(const stacks &whole, const stacks &part)
{
	int shorter = 0;
	for (const auto &[tid, s] : part) {
		const auto at = whole.find(tid);
		BOOST_REQUIRE(at != whole.end());
		const stack &all = at->second;
		BOOST_TEST(begins_with(all.pcs, s.pcs));
		BOOST_TEST(begins_with(all.written, s.written));
		BOOST_TEST(!s.pcs.empty());
		if (s.pcs.size() == all.pcs.size())
			continue;
		BOOST_TEST(s.why != STACK9_WHY_NONE);
		BOOST_TEST(s.reason != "");
		shorter++;
	}
	return shorter;
}

// Cuts the core at pages, the last one first, and compares what is left.
void
cut_everywhere(const std::string &path, std::size_t cuts)
{
	constexpr std::size_t page = 4096;
	unique_core core;
	BOOST_REQUIRE(open(path, core) == 0);
	const stacks whole = stacks_of(core.get());
	for (const auto &[tid, s] : whole)
		BOOST_TEST(s.why == STACK9_WHY_NONE);
	const std::size_t pages = fs::file_size(path) / page,
	    step = std::max<std::size_t>(pages / cuts, 1);
	int compared = 0, shorter = 0;
	for (std::size_t n = pages; n-- > 0;) {
		if (n % step != 0)
			continue;
		fs::resize_file(path, n * page);
		BOOST_TEST_CONTEXT("cut at page " << n)
		if (open(path, core) == 0) {
			compared++;
			shorter += check_part(whole, stacks_of(core.get()));
		}
	}
	BOOST_TEST(compared > 20);
	BOOST_TEST(shorter > 0);
	BOOST_TEST_MESSAGE(compared << " cuts, " << shorter <<
	    " threads with fewer frames");
}

std::string
lacks_python()
{
	return access("/usr/bin/python3", X_OK) == 0 ? "" :
	    "there is no /usr/bin/python3";
}

} // namespace

BOOST_AUTO_TEST_CASE(of_a_program_in_c, *SAYS("A core that was cut gives what "
    "it has, and a note says what is missing."))
{
	const scratch in;
	cut_everywhere(kernel_core(in), 1000);
}

BOOST_AUTO_TEST_CASE(of_python, *needs("python", lacks_python) * SAYS("A core "
    "that was cut gives what it has, and a message says what is missing."))
{
	const scratch in;
	cut_everywhere(core_of(in, {"/usr/bin/python3", "-c", "import os\n"
	    "def innermost(): os.abort()\n"
	    "def outer(n): return outer(n - 1) if n else innermost()\n"
	    "outer(20)"}), 200);
}

BOOST_AUTO_TEST_SUITE_END()
