// Runs a program in a language, and asks it for its stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "asked.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9.h>
#include <stack9_frames.h>

#include "known.h"
#include "lib/programs.h"
#include "require.h"

namespace fs = std::filesystem;

namespace {

std::string
root()
{
	const char *const r = getenv("STACK9_LANGUAGE_ROOT");
	return r != nullptr ? r : "";
}

// In another system's root the files have to be in it.
std::string
folder_for(const std::string &in)
{
	if (root().empty())
		return in;
	const fs::path to = root() + "/tmp/" + fs::path(in).filename().string();
	fs::create_directories(to);
	fs::copy(in, to, fs::copy_options::overwrite_existing |
	    fs::copy_options::recursive);
	return "/tmp/" + to.filename().string();
}

// Returns true if a thread is in read(2) of descriptor 0.  Kernels may lack the
// file.  Then its state decides.
bool
reads_input(pid_t pid)
{
	for (const auto &task : fs::directory_iterator(fmt::format(
	    "/proc/{}/task", pid))) {
		std::ifstream call(task.path() / "syscall");
		std::string line;
		if (!std::getline(call, line)) {
			std::ifstream stat(task.path() / "stat");
			std::getline(stat, line);
			if (line.find(") S ") != line.npos)
				return true;
		} else if (line.starts_with(fmt::format("{} 0x0 ",
		    SYS_read)))
			return true;
	}
	return false;
}

int
add_name(void *to, const stack9_frame *f)
{
	static_cast<lines *>(to)->push_back(f->name != nullptr ? f->name : "");
	return 0;
}

// Programs that read their input.
const lines *
reader(const std::string &program)
{
	static const lines perl{"/usr/bin/env", "perl", "-e", "<STDIN>"},
	    php{"/usr/bin/env", "php", "-r", "fgets(STDIN);"};
	return program == "perl" ? &perl : program == "php" ? &php : nullptr;
}

// A runtime of another root is meant to be known.
boost::unit_test::decorator::precondition
works(const std::string &program, const std::string &what,
    const std::string &command)
{
	return needs(program.c_str(), [=]() -> std::string {
		const std::string whole = root().empty() ? command :
		    "chroot '" + root() + "' " + command;
		if (std::system((whole + " >/dev/null 2>&1").c_str()) != 0)
			return what + " is not here";
		const lines *const r = root().empty() ? reader(program) :
		    nullptr;
		return r != nullptr ? unknown_layout(*r) : "";
	});
}

} // namespace

std::string
beside(const lines &ours, const lines &theirs)
{
	std::string text;
	for (std::size_t i = 0; i < std::max(ours.size(), theirs.size()); i++) {
		const std::string o = i < ours.size() ? ours[i] : "";
		const std::string t = i < theirs.size() ? theirs[i] : "";
		text += fmt::format("\n{} {} | {}", o == t ? ' ' : '!', o, t);
	}
	return text;
}

asked::asked(const lines &args, const std::string &in)
{
	const std::string folder = folder_for(in), other = root();
	const lib::piped p = lib::start_piped(args, [&] {
		return (other.empty() || chroot(other.c_str()) == 0) &&
		    chdir(folder.c_str()) == 0;
	});
	BOOST_REQUIRE(p.pid > 0);
	pid_ = p.pid;
	to_ = p.input;
	from_ = p.output;
}

asked::~asked()
{
	kill(pid_, SIGKILL);
	waitpid(pid_, nullptr, 0);
	close(to_);
	close(from_);
}

lines
asked::read_until_end() const
{
	lines all;
	std::string line;
	for (char c[65536];;) {
		const ssize_t n = read(from_, c, sizeof c);
		BOOST_REQUIRE_MESSAGE(n > 0, "the program has ended");
		for (ssize_t i = 0; i < n; i++) {
			if (c[i] != '\n') {
				line += c[i];
				continue;
			}
			if (line == "end")
				return all;
			all.push_back(std::move(line));
			line.clear();
		}
	}
}

lines
asked::build(const std::string &line) const
{
	const std::string whole = line + "\n";
	BOOST_REQUIRE(write(to_, whole.data(), whole.size()) ==
	    static_cast<ssize_t>(whole.size()));
	const lines said = read_until_end();
	const auto last = std::chrono::steady_clock::now() +
	    std::chrono::minutes(1);
	while (!reads_input(pid_) && std::chrono::steady_clock::now() < last)
		sched_yield();
	return said;
}

woven
asked::look(const char *language, pid_t tid) const
{
	const stack9_thread td{tid != 0 ? tid : pid_, pid_, 0};
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	o.frames = 8192;
	o.timeout_ms = 10000;
	stack9_sample *s = nullptr;
	woven w;
	w.error = stack9_save(&td, STACK9_USER, &o, &s);
	BOOST_REQUIRE(s != nullptr);
	const stack9_stack &u = *s->user;
	w.why = u.why;
	w.note = u.written_note != nullptr ? u.written_note : "";
	for (std::uint32_t i = 0; i < u.written_count; i++) {
		const stack9_written &f = u.written[i];
		if (std::string(language) != f.language)
			continue;
		w.functions.push_back(fmt::format("{}\t{}\t{}", f.name, f.file,
		    f.line));
		w.index.push_back(f.index);
		w.flags.push_back(f.flags);
	}
	stack9_frames(&u, STACK9_FRAMES_NATIVE, add_name, &w.native);
	stack9_sample_close(s);
	return w;
}

boost::unit_test::decorator::precondition
has(const char *program)
{
	return works(program, program, fmt::format("sh -c 'command -v {}'",
	    program));
}

boost::unit_test::decorator::precondition
has(const char *program, const char *option, const char *code)
{
	return works(program, fmt::format("{} with {}", program, code),
	    fmt::format("{} {} '{}'", program, option, code));
}
