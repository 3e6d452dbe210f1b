// Starts the program, reads the lines that it writes, and captures it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "node_program.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <stack9.h>
#include <stack9_frames.h>

namespace {

int
take_frame(void *arg, const stack9_frame *f)
{
	if (f->kind == STACK9_FRAME_WRITTEN &&
	    (f->flags & STACK9_FRAME_GUESSED) == 0)
		static_cast<frames *>(arg)->push_back(fmt::format(
		    "{}\t{}\t{}", f->name, f->file, f->line));
	return 0;
}

// The file of functions that read is Node's own.
bool
is_reading(const std::string &frame)
{
	return frame.find("\tnode:fs\t") != frame.npos;
}

} // namespace

node_program::node_program(const std::string &node,
    const std::vector<std::string> &options, int seed, int stacks, int calls)
{
	int in[2], out[2];
	BOOST_REQUIRE(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
	std::vector<std::string> words{node};
	words.insert(words.end(), options.begin(), options.end());
	for (const std::string &word : {std::string(STACKS),
	    std::to_string(seed), std::to_string(stacks),
	    std::to_string(calls)})
		words.push_back(word);
	std::vector<char *> argv;
	for (std::string &word : words)
		argv.push_back(word.data());
	argv.push_back(nullptr);
	pid_ = fork();
	if (pid_ == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], 0);
		dup2(out[1], 1);
		execv(argv[0], argv.data());
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	input_ = in[1];
	output_.reset(fdopen(out[0], "r"));
}

node_program::~node_program()
{
	close(input_);
	if (pid_ > 0) {
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}
}

bool
node_program::next(frames &said)
{
	char *line = nullptr;
	std::size_t size = 0;
	bool is_whole = false;
	said.clear();
	while (!is_whole && getline(&line, &size, output_.get()) > 0) {
		std::string text(line);
		text.pop_back();
		is_whole = text == "end";
		if (!is_whole && text != "ended")
			said.push_back(std::move(text));
	}
	std::free(line);
	return is_whole;
}

void
node_program::go_on()
{
	BOOST_REQUIRE(write(input_, "x", 1) == 1);
}

frames
captured(pid_t pid)
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	const stack9_thread td{pid, 0, 0};
	const auto until = std::chrono::steady_clock::now() +
	    std::chrono::seconds(20);
	frames seen;
	do {
		stack9_sample *s = nullptr;
		seen.clear();
		if (stack9_save(&td, STACK9_USER, &o, &s) == 0) {
			stack9_frames(s->user, 0, take_frame, &seen);
			stack9_sample_close(s);
		}
	} while ((seen.empty() || !is_reading(seen.front())) &&
	    std::chrono::steady_clock::now() < until);
	while (!seen.empty() && is_reading(seen.front()))
		seen.erase(seen.begin());
	return seen;
}

// STACK9_NODES names further ones, with colons between.
const std::vector<std::string> &
nodes()
{
	static const std::vector<std::string> all = [] {
		std::vector<std::string> found;
		const char *const more = std::getenv("STACK9_NODES");
		std::istringstream names(std::string("/usr/bin/node:") +
		    (more != nullptr ? more : ""));
		for (std::string name; std::getline(names, name, ':');)
			if (access(name.c_str(), X_OK) == 0)
				found.push_back(name);
		return found;
	}();
	return all;
}

boost::unit_test::decorator::precondition
has_node()
{
	return boost::unit_test::precondition([](boost::unit_test::test_unit_id)
	    {
		boost::test_tools::assertion_result yes(!nodes().empty());
		yes.message() << "there is no node";
		return yes;
	});
}
