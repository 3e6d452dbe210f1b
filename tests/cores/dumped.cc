// Dumps processes, and reads what is printed of dumps.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "dumped.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <sstream>

#include <fcntl.h>
#include <unistd.h>

#include <lib/process.h>
#include <os/unique_fd.h>

namespace cores {

using stack9::unique_fd;

waiting::waiting(const std::vector<std::string> &words)
    : is_(lib::start_piped(words))
{
	char byte;
	BOOST_REQUIRE(read(is_.output, &byte, 1) == 1);
	lib::wait_for_state(is_.pid, 'S');
}

waiting::~waiting()
{
	close(is_.input);
	close(is_.output);
	lib::kill_and_reap(is_.pid);
}

void
dump_to(stack9_core *core, const std::string &path)
{
	const unique_fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
	    0600));
	BOOST_REQUIRE_EQUAL(stack9_core_dump(core, fd.get()), 0);
}

void
dump(pid_t pid, const std::string &path)
{
	const stack9_thread td{pid, pid, 0};
	stack9_core *core = nullptr;
	BOOST_REQUIRE_EQUAL(stack9_core_open_process(&td, nullptr, &core), 0);
	const unique_core owner(core);
	dump_to(core, path);
	for (const std::string &note : notes_of(core))
		BOOST_TEST_MESSAGE(note);
	BOOST_TEST(stack9_core_info(core)->notes == 0u);
}

namespace {

lines
lines_of(const std::vector<thread> &all)
{
	lines to;
	for (const thread &t : all) {
		std::string line = std::to_string(t.tid);
		for (const std::string &f : t.functions)
			line += " " + f;
		to.push_back(line);
	}
	std::sort(to.begin(), to.end());
	return to;
}

} // namespace

lines
lines_of_core(const std::string &path)
{
	unique_core core;
	BOOST_REQUIRE(open(path, core) == 0);
	return lines_of(threads_of(core.get()));
}

namespace {

int
add_live(void *arg, const stack9_sample *s)
{
	auto &to = *static_cast<std::vector<thread> *>(arg);
	thread &t = to.emplace_back();
	t.tid = s->thread.tid;
	stack9_frames(s->user, 0, [](void *names, const stack9_frame *f) {
		static_cast<thread *>(names)->functions.push_back(f->name);
		return 0;
	}, &t);
	return 0;
}

} // namespace

lines
lines_of_process(pid_t pid)
{
	const stack9_thread td{pid, pid, 0};
	std::vector<thread> all;
	BOOST_REQUIRE_EQUAL(stack9_each(&td, STACK9_USER, nullptr, add_live,
	    &all), 0);
	return lines_of(all);
}

lines
frames_of(const std::string &command)
{
	lines to;
	bool in_threads = false;
	std::istringstream in(lib::output_of(command + " 2>/dev/null "
	    "</dev/null"));
	for (std::string line; std::getline(in, line);) {
		in_threads |= line.starts_with("Thread ") ||
		    line.starts_with("TID ");
		if (in_threads && line.starts_with("#"))
			to.push_back(line);
	}
	return to;
}

lines
dump_still(pid_t pid, const std::string &path)
{
	for (;;) {
		const lines before = lines_of_process(pid);
		dump(pid, path);
		if (lines_of_process(pid) == before)
			return before;
	}
}

} // namespace cores
