// Starts the program, and reads the lines that it writes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "java_program.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <regex>
#include <sstream>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <stack9.h>
#include <stack9_frames.h>

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
	int in[2], out[2];
	BOOST_REQUIRE(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
	const std::string numbers[] = {std::to_string(seed),
	    std::to_string(threads), std::to_string(before)};
	pid_ = fork();
	if (pid_ == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		// Java finds a class by the name of its file.
		setenv("LC_ALL", "C.UTF-8", 1);
		dup2(in[0], 0);
		dup2(out[1], 1);
		execl(java.c_str(), java.c_str(),
		    "-XX:+UnlockDiagnosticVMOptions", "-XX:+ShowHiddenFrames",
		    option.c_str(), "-cp", CLASSES, "Stacks",
		    numbers[0].c_str(), numbers[1].c_str(), numbers[2].c_str(),
		    nullptr);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	input_ = in[1];
	read_stacks(out[0]);
}

java_program::~java_program()
{
	close(input_);
	if (pid_ > 0) {
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}
}

// STACK9_JAVAS names further ones, with colons between.
const std::vector<std::string> &
javas()
{
	static const std::vector<std::string> all = [] {
		std::vector<std::string> existing;
		const char *const more = std::getenv("STACK9_JAVAS");
		std::istringstream names(std::string("/usr/bin/java:") +
		    (more != nullptr ? more : ""));
		for (std::string name; std::getline(names, name, ':');)
			if (access(name.c_str(), X_OK) == 0)
				existing.push_back(name);
		return existing;
	}();
	return all;
}

boost::unit_test::decorator::precondition
has_java()
{
	return boost::unit_test::precondition([](boost::unit_test::test_unit_id)
	    {
		boost::test_tools::assertion_result yes(!javas().empty() &&
		    access(CLASSES "/Stacks.class", R_OK) == 0);
		yes.message() << "there is no java, or was no javac";
		return yes;
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
