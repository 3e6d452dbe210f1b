// Starts the interpreter, reads what it prints, and captures its threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "ruby_program.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9.h>

#include "languages_asked/known.h"
#include "lib/process.h"
#include "lib/queued.h"
#include "lib/text.h"
#include "require.h"

std::ostream &
operator<<(std::ostream &to, const place &p)
{
	return to << fmt::format("{} {}:{}", p.name, p.file, p.line);
}

namespace {

std::vector<std::string>
interpreter()
{
	const char *const set = std::getenv("STACK9_RUBY");
	std::istringstream words(set != nullptr ? set : "ruby");
	std::vector<std::string> all;
	for (std::string w; words >> w;)
		all.push_back(w);
	return all;
}

place
place_of(const std::string &line)
{
	const auto file = line.find('\t'), name = line.find('\t', file + 1);
	return {line.substr(name + 1), line.substr(file + 1, name - file - 1),
	    static_cast<std::uint32_t>(std::stoul(line))};
}

} // namespace

ruby_program::ruby_program(const std::string &script,
    std::vector<std::string> args)
{
	int output[2];
	std::vector<std::string> all = interpreter();
	all.insert(all.end(), {"-e", lib::contents(SCRIPTS "/" + script)});
	all.insert(all.end(), args.begin(), args.end());
	if (pipe2(output, O_CLOEXEC) != 0)
		throw std::runtime_error("no pipe");
	pid_ = fork();
	if (pid_ == 0)
		lib::become(all, open("/dev/null", O_RDONLY), output[1], -1,
		    [] { return setenv("LC_ALL", "C.UTF-8", 1) == 0; });
	close(output[1]);
	read_output(output[0]);
	close(output[0]);
	wait_until_asleep();
}

ruby_program::~ruby_program()
{
	kill(pid_, SIGKILL);
	waitpid(pid_, nullptr, __WALL);
}

void
ruby_program::read_output(int fd)
{
	std::string line;
	backtrace *now = nullptr;
	unsigned long left = 0;
	for (char c; line != "ready" && read(fd, &c, 1) == 1;) {
		pid_t tid;
		if (c != '\n') {
			line += c;
			continue;
		}
		if (left > 0) {
			now->push_back(place_of(line));
			left--;
		} else if (std::sscanf(line.c_str(), "thread %d %lu", &tid,
		    &left) == 2) {
			now = &printed_[tid];
		} else {
			lines_.push_back(line);
		}
		if (line != "ready")
			line.clear();
	}
	if (line == "ready")
		return;
	throw std::runtime_error("the program has not become ready: " + line);
}

// Twice in a row for all.
void
ruby_program::wait_until_asleep() const
{
	const auto tasks = fmt::format("/proc/{}/task", pid_);
	for (int rounds = 0; rounds < 2; rounds++)
		for (const auto &t :
		    std::filesystem::directory_iterator(tasks)) {
			const pid_t tid = std::stoi(t.path().filename());
			while (lib::state_of(tid) != 'S' || is_queued(tid)) {
				rounds = 0;
				sched_yield();
			}
		}
}

backtrace
seen_stack::written() const
{
	backtrace all;
	for (const seen_frame &f : frames)
		if (!f.language.empty())
			all.push_back(f.where);
	return all;
}

std::string
seen_stack::text() const
{
	std::string all = fmt::format("error {} why {} {}\n", error, why, note);
	for (const seen_frame &f : frames)
		all += fmt::format("  {}{} {}:{}\n", f.where.name,
		    f.language.empty() ? "" : f.is_guessed ? "  GUESSED " :
		    "  ", f.where.file, f.where.line);
	return all;
}

namespace {

struct capturing {
	seen_stacks	all;
	unsigned int	flags;
};

int
add_frame(void *to, const stack9_frame *f)
{
	seen_frame s;
	if (f->kind == STACK9_FRAME_WRITTEN) {
		s.language = f->language;
		s.is_guessed = (f->flags & STACK9_FRAME_GUESSED) != 0;
		s.where.line = f->line;
		s.where.file = f->file;
	}
	s.where.name = f->name;
	static_cast<seen_stack *>(to)->frames.push_back(s);
	return 0;
}

int
add_sample(void *to, const stack9_sample *s)
{
	auto &c = *static_cast<capturing *>(to);
	seen_stack &its = c.all[s->thread.tid];
	its.error = s->user->error;
	its.why = s->user->why;
	its.note = s->user->written_note;
	return stack9_frames(s->user, c.flags, add_frame, &its);
}

} // namespace

seen_stacks
capture(pid_t pid, bool replaced)
{
	capturing c{{}, replaced ? 0 : STACK9_FRAMES_ALL};
	stack9_thread td;
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	o.frames = 1 << 16;
	o.timeout_ms = 1000;
	BOOST_REQUIRE(stack9_thread_find(pid, &td) == 0);
	BOOST_TEST(stack9_each(&td, STACK9_USER, &o, add_sample, &c) == 0);
	return std::move(c.all);
}

boost::unit_test::decorator::precondition
has_ruby()
{
	return has_known("ruby", [] {
		std::string command;
		for (const std::string &w : interpreter())
			command += w + ' ';
		return std::system((command + "-v >/dev/null 2>&1").c_str()) ==
		    0 ? "" : "there is no Ruby";
	}, {"/usr/bin/env", "ruby", "-e", "STDIN.read"});
}
