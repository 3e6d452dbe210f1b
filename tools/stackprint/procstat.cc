// Writes a row for each thread as procstat(1) of FreeBSD 12 and later does, so
// that scripts that read it can read this.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "printer.h"

#include <string>
#include <string_view>

#include "tools/lib/proc.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

constexpr std::string_view no_value = "-";

class procstat final : public printer {
public:
	explicit procstat(const view &v) : how_(v) {}

	void thread(fmt::memory_buffer &, const sample &) override;
	// --procstat and --group do not go together.
	void group(fmt::memory_buffer &, const sample &,
	    const std::vector<thread_facts> &) override {}
	void end(fmt::memory_buffer &, const tally &) override {}

private:
	void put_head(fmt::memory_buffer &);
	const std::string &command_of(const sample &);
	std::string frames_of(const sample &) const;

	const view	how_;
	bool		has_head_ = false;
	pid_t		pid_ = 0;
	std::string	command_;	// of pid_
};

// The row's fields are padded, the last one, too.
void
procstat::put_head(fmt::memory_buffer &out)
{
	if (!has_head_)
		append(out, "{:>5} {:>6} {:<19} {:<19} {:<29}\n", "PID", "TID",
		    "COMM", "TDNAME", "KSTACK");
	has_head_ = true;
}

const std::string &
procstat::command_of(const sample &s)
{
	if (pid_ == s.thread.pid)
		return command_;
	pid_ = s.thread.pid;
	command_ = s.thread.tid == pid_ ? s.comm :
	    read_file(fmt::format("/proc/{}/comm", pid_));
	if (command_.empty())
		command_ = s.comm;
	return command_;
}

// FreeBSD has the same words.  It has none for a refusal, of which it shows
// nothing.
std::string
procstat::frames_of(const sample &of) const
{
	const stack &s = *of.kernel;
	if (s.error != 0)
		return s.why == STACK9_WHY_USER_MODE ||
		    s.why == STACK9_WHY_ON_CPU ? "<running>" : "<unknown>";
	std::string text;
	for (std::uint32_t i = 0; i < s.depth(); i++) {
		std::string name;
		if (s.pcs.empty())
			name = printable(s.text[i]);
		else if (const place &p = how_.all.find(s, i); p.known())
			// As %#lx of FreeBSD's kernel: 0 has no 0x.
			name = printable(linkage_of(p.own())) +
			    (p.own().offset == 0 ? "+0" :
			    fmt::format("+{:#x}", p.own().offset));
		else
			name = "??";
		text += name + " ";
	}
	return text;
}

void
procstat::thread(fmt::memory_buffer &out, const sample &s)
{
	put_head(out);
	const std::string command = printable(command_of(s));
	const std::string name = printable(s.comm);
	append(out, "{:>5} {:>6} {:<19} {:<19} {:<29}\n", s.thread.pid,
	    s.thread.tid, command, name.empty() || name == command ? no_value :
	    std::string_view(name), frames_of(s));
}

} // namespace

std::unique_ptr<printer>
procstat_printer(const view &v)
{
	return std::make_unique<procstat>(v);
}

} // namespace stackprint
