// Starts the program, reads the lines that it writes, and captures it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "node_program.h"

#include <chrono>
#include <cstdlib>

#include <unistd.h>

#include <fmt/format.h>

#include <stack9.h>
#include <stack9_frames.h>

#include "languages_asked/known.h"
#include "lib/process.h"
#include "lib/programs.h"
#include "require.h"

namespace {

constexpr char usual[] = "/usr/bin/node";

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
	std::vector<std::string> words{node};
	words.insert(words.end(), options.begin(), options.end());
	for (const std::string &word : {std::string(STACKS),
	    std::to_string(seed), std::to_string(stacks),
	    std::to_string(calls)})
		words.push_back(word);
	const lib::piped p = lib::start_piped(words);
	BOOST_REQUIRE(p.pid > 0);
	pid_ = p.pid;
	input_ = p.input;
	output_.reset(fdopen(p.output, "r"));
}

node_program::~node_program()
{
	close(input_);
	lib::kill_and_reap(pid_);
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

// STACK9_NODES names others, with colons between.
const std::vector<std::string> &
nodes()
{
	static const std::vector<std::string> all = lib::runnable(
	    usual, "STACK9_NODES");
	return all;
}

boost::unit_test::decorator::precondition
has_node()
{
	return has_known("node", [] {
		return nodes().empty() ?
		    "there is no node" : "";
	}, {usual, "-e", "require('fs').readFileSync(0)"});
}
