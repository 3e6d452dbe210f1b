// Has a runtime wait for input, and asks stack9 whether it knows it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "known.h"

#include <cerrno>
#include <chrono>
#include <fstream>
#include <map>
#include <optional>

#include <sched.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <stack9.h>

#include "lib/process.h"
#include "lib/programs.h"
#include "require.h"

namespace {

// Returns true if the program has come so far.  While it begins, its runtime
// may be one that is not there yet.
bool
waits_for_input(pid_t pid)
{
	std::ifstream file("/proc/" + std::to_string(pid) + "/syscall");
	long nr, descriptor = -1;
	if (!(file >> nr))	// it runs, or the kernel does not say
		return !file.is_open() && lib::state_of(pid) == 'S';
	file >> std::hex >> descriptor;
	return nr == SYS_ppoll || (nr == SYS_read && descriptor == 0);
}

// Nothing: the program is not there yet.  "" where it may not be seen, too.
std::optional<std::string>
note_of(pid_t pid)
{
	const stack9_thread td{pid, pid, 0};
	stack9_save_options o{};
	stack9_sample *s = nullptr;
	std::optional<std::string> note;
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	const int error = stack9_save(&td, STACK9_USER, &o, &s);
	if (error == EPERM || error == EOPNOTSUPP)
		note = "";
	if (s == nullptr)
		return note;
	const std::string said = s->user->written_note != nullptr ?
	    s->user->written_note : "";
	if (s->user->written_count > 0)
		note = "";
	else if (said.ends_with(": its layout is not known") &&
	    waits_for_input(pid))
		note = said;
	stack9_sample_close(s);
	return note;
}

// The program is ended.
std::string
asked_of(const std::vector<std::string> &words)
{
	const auto last = std::chrono::steady_clock::now() +
	    std::chrono::seconds(20);
	lib::piped p = lib::start_piped(words);
	std::optional<std::string> note;
	while (!note && p.pid > 0 && lib::state_of(p.pid) != 'Z' &&
	    std::chrono::steady_clock::now() < last) {
		note = note_of(p.pid);
		sched_yield();
	}
	lib::kill_and_reap(p.pid);
	close(p.input);
	close(p.output);
	return note.value_or("");
}

} // namespace

std::string
unknown_layout(const std::vector<std::string> &words)
{
	static std::map<std::vector<std::string>, std::string> known;
	const auto [at, is_new] = known.try_emplace(words);
	if (is_new)
		at->second = asked_of(words);
	return at->second;
}

boost::unit_test::decorator::precondition
has_known(const char *what, std::function<std::string()> lack,
    std::vector<std::string> words)
{
	return needs(what, [lack = std::move(lack), words = std::move(words)] {
		const std::string reason = lack();
		return reason.empty() ? unknown_layout(words) : reason;
	});
}
