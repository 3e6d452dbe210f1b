// Reads what the programs say, except frames, headers and counts.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "programs.h"

#include <csignal>
#include <functional>

#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"

namespace {

void
replace_all(std::string &text, const std::string &from, const char *to)
{
	for (std::size_t at; (at = text.find(from)) != text.npos;)
		text.replace(at, from.size(), to);
}

// Both streams of a program, and its status.
struct ending {
	std::string	text;
	int		status = 0;
};

void
start(const std::vector<std::string> &command, const int *to)
{
	dup2(to[1], 2);
	dup2(to[1], 1);
	close(to[0]);
	close(to[1]);
	execv(command[0].c_str(), lib::pointers(command).data());
	_exit(72);
}

// enough: it is interrupted when this says so of its text.
ending
run(const std::vector<std::string> &command,
    const std::function<bool(const std::string &)> &enough)
{
	int to[2];
	if (pipe(to) != 0)
		return {"no pipe", 70};
	const pid_t pid = fork();
	if (pid == 0)
		start(command, to);
	close(to[1]);
	ending e;
	char some[4096];
	bool told = false;
	for (ssize_t n; (n = read(to[0], some, sizeof some)) > 0;) {
		e.text.append(some, static_cast<std::size_t>(n));
		if (!told && enough && enough(e.text)) {
			told = true;
			kill(pid, SIGINT);
		}
	}
	close(to[0]);
	int status = 0;
	waitpid(pid, &status, 0);
	e.status = WIFEXITED(status) ? WEXITSTATUS(status) :
	    128 + WTERMSIG(status);
	return e;
}

// Gives the words of a line that is a message or says why there is no stack,
// but not that the library of this test lies where only root can go.
std::string
message(const std::string &line, const std::string &name)
{
	if (line.find(": this user may not open it") != line.npos)
		return {};
	if (line.starts_with(name + ": "))
		return " " + line.substr(name.size() + 2);
	const auto none = line.find("none: ");
	if (none == line.npos)
		return {};
	return (line.starts_with("  kernel") ? " kernel " : " user ") +
	    line.substr(none) + ";";
}

class program {
public:
	// id: the thread that it is asked about.
	program(const std::string &folder, const std::string &name, pid_t id)
	    : folder_(folder), name_(name), id_(std::to_string(id)) {}

	// sign: a word of the output that the job has to have; "" for none.
	std::string
	outcome(std::vector<std::string> args, const std::string &sign = "",
	    const std::function<bool(const std::string &)> &enough = {}) const
	{
		args.insert(args.begin(), folder_ + "/" + name_);
		const ending e = run(args, enough);
		std::string said;
		for (std::size_t at = 0, end; at < e.text.size();
		    at = end + 1) {
			end = e.text.find('\n', at);
			end = end == e.text.npos ? e.text.size() : end;
			said += message(e.text.substr(at, end - at), name_);
		}
		if (e.text.find(sign) == e.text.npos)
			said += " no answer;";
		replace_all(said, " " + id_, " TID");
		replace_all(said, folder_ + "/", "");
		return "exit " + std::to_string(e.status) + ";" + said;
	}

	const std::string &id() const { return id_; }

private:
	const std::string folder_, name_, id_;
};

bool
looked_again(const std::string &text)
{
	return text.find(" ran, ") != text.npos;
}

} // namespace

std::vector<job_outcome>
run_programs(const std::string &folder, pid_t sleeps, pid_t waits,
    pid_t naps)
{
	const program print(folder, "stackprint", sleeps),
	    why(folder, "stackprint", waits),
	    record(folder, "stackrecord", sleeps),
	    count(folder, "stackcount", naps);
	const std::string records = folder + "/records/" +
	    std::to_string(getpid());
	return {
	    {"stackprint", print.outcome({"-k", "-u", print.id()})},
	    {"stackprint --why", why.outcome({"--why", why.id()},
		"waits for child")},
	    {"stackprint --stuck", print.outcome({"--stuck=0.1", print.id()},
		"1 did not run")},
	    {"stackprint --follow", print.outcome({"--follow=0.1",
		print.id()}, " 0 ran", looked_again)},
	    {"stackrecord", record.outcome({"-q", "-F", "50", "-D", "0.04",
		"-p", record.id(), "--record", records})},
	    {"stackcount --wakers", count.outcome({"--wakers", "-q", "-D",
		"0.2", "-p", count.id(), "offcpu"})},
	};
}
