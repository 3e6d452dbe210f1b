// Starts the program, and reads the lines that it writes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "java_program.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <regex>

#include <unistd.h>

#include <fmt/format.h>

#include <stack9.h>
#include <stack9_frames.h>

#include "lib/process.h"
#include "lib/programs.h"
#include "require.h"

namespace {

struct found {
	stacks		all;
	frames		*now = nullptr;
	std::size_t	guessed = 0;
};

// The names of the machine's stubs have no class.
int
take_frame(void *arg, const stack9_frame *f)
{
	found &to = *static_cast<found *>(arg);
	if (f->kind != STACK9_FRAME_WRITTEN ||
	    std::string(f->name).find('.') == std::string::npos)
		return 0;
	to.guessed += (f->flags & STACK9_FRAME_GUESSED) != 0;
	to.now->push_back(fmt::format("{}\t{}\t{}", f->name, f->file,
	    f->line));
	return 0;
}

int
take_thread(void *arg, const stack9_sample *s)
{
	found &to = *static_cast<found *>(arg);
	to.now = &to.all[s->thread.tid];
	return stack9_frames(s->user, 0, take_frame, &to);
}

} // namespace

// JDK 8 has no file of such classes, and numbers for their bytecodes.
std::string
java_program::normal(std::string line) const
{
	static const std::regex hidden("(\\$\\$Lambda\\$[0-9]+|"
	    "LambdaForm\\$[A-Za-z]+)/(0x)?[0-9a-f]+\\."),
	    unknown("<Unknown>"), of_bytecode("\t10000[0-9]{2}$");
	if (major_ > 14)
		return line;
	line = std::regex_replace(line, hidden, "$1.");
	line = std::regex_replace(line, unknown, "");
	return std::regex_replace(line, of_bytecode, "\t0");
}

void
java_program::read_stacks(int fd)
{
	const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(
	    fdopen(fd, "r"), std::fclose);
	char *line = nullptr;
	std::size_t size = 0;
	bool ended = false;
	frames *now = nullptr;
	while (!ended && getline(&line, &size, file.get()) > 0) {
		std::string text(line);
		text.pop_back();
		ended = text == "end";
		if (text.starts_with("version "))	// 1.8, 11
			major_ = std::stoi(text.substr(
			    text.starts_with("version 1.") ? 10 : 8));
		else if (text.starts_with("thread "))
			now = &said_[std::stoi(text.substr(7))];
		else if (!ended && now != nullptr)
			now->push_back(normal(std::move(text)));
	}
	std::free(line);
	BOOST_REQUIRE_MESSAGE(ended, "the program ended early");
}

java_program::java_program(const std::string &java, const std::string &option,
    int seed, int threads, int before)
{
	const std::vector<std::string> words{java,
	    "-XX:+UnlockDiagnosticVMOptions", "-XX:+ShowHiddenFrames", option,
	    "-cp", CLASSES, "Stacks", std::to_string(seed),
	    std::to_string(threads), std::to_string(before)};
	const lib::piped p = lib::start_piped(words, [] {
		// Java finds a class by the name of its file.
		return setenv("LC_ALL", "C.UTF-8", 1) == 0;
	});
	BOOST_REQUIRE(p.pid > 0);
	pid_ = p.pid;
	input_ = p.input;
	read_stacks(p.output);
}

java_program::~java_program()
{
	close(input_);
	lib::kill_and_reap(pid_);
}

// STACK9_JAVAS names others, with colons between.
const std::vector<std::string> &
javas()
{
	static const std::vector<std::string> all = lib::runnable(
	    "/usr/bin/java", "STACK9_JAVAS");
	return all;
}

boost::unit_test::decorator::precondition
has_java()
{
	return needs("java", [] {
		return javas().empty() ||
		    access(CLASSES "/Stacks.class", R_OK) != 0 ?
		    "there is no java, or was no javac" : "";
	});
}

stacks
captured(pid_t pid, std::size_t &guessed)
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	const stack9_thread td{pid, pid, 0};
	found to;
	BOOST_TEST(stack9_each(&td, STACK9_USER, &o, take_thread, &to) == 0);
	guessed = to.guessed;
	return to.all;
}
