// Prints events as perf script does, for flame graphs and speedscope.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tools/lib/text.h"
#include "printer.h"

namespace stacksnoop {
namespace {

using profiles::frame_kind;
using tools::append;
using tools::printable;

class perf final : public printer {
public:
	explicit perf(const events::options &o) : opt_(o) {}

	void	lost(fmt::memory_buffer &, std::uint64_t) override;
	void	head(fmt::memory_buffer &, const stack9_sample &) override;
	void	stack(fmt::memory_buffer &, const stack9_sample &,
		    events::frames &,
		    const std::deque<profiles::frame> &) override;

	void
	tail(fmt::memory_buffer &out) override
	{
		out.push_back('\n');
	}
	bool
	end(fmt::memory_buffer &, const stack9_tally &,
	    const std::string &) override
	{
		return false;
	}

private:
	const events::options	&opt_;
};

// Readers of this format take the line for a comment.
void
perf::lost(fmt::memory_buffer &out, std::uint64_t n)
{
	append(out, "# [{} lost here]\n", tools::amount(n, "event"));
}

void
perf::head(fmt::memory_buffer &out, const stack9_sample &s)
{
	append(out, "{} {}/{} [{:03}] {}.{:06}: ", printable(s.comm),
	    s.thread.pid, s.thread.tid, s.cpu, s.when_ns / 1000000000,
	    s.when_ns / 1000 % 1000000);
	if (opt_.is_offcpu())	// the place of perf's period
		append(out, "{} ", s.weight_ns);
	append(out, "{}:\n", s.event != nullptr ? printable(s.event) :
	    printable(opt_.event));
}

// Readers of this format end the name at a blank.
std::string
dso(const profiles::frame &f)
{
	if (f.kind == frame_kind::kernel)
		return f.module == tools::kernel_file ? "[kernel.kallsyms]" :
		    "[" + printable(f.module) + "]";
	if (f.module.empty())
		return "[unknown]";
	std::string text;
	for (const char c : printable(f.module))
		text += c == ' ' ? std::string("\\040") : std::string(1, c);
	return text;
}

// Python's own support of perf(1) has its files in the symbols, too.
void
write_language(fmt::memory_buffer &out, const profiles::frame &f)
{
	const std::string site = tools::site_of(f, true);
	append(out, "\t{:16x} {}{}{} ([{}])\n", 0,
	    printable(tools::name_of(f)), site.empty() ? "" : ":",
	    printable(site), printable(f.language));
}

void
perf::stack(fmt::memory_buffer &out, const stack9_sample &s,
    events::frames &frames, const std::deque<profiles::frame> &all)
{
	events::frames::list list;
	frames.add(s, list);
	for (const std::uint32_t i : list)
		write_perf_frame(out, all[i], frames.pc(i));
}

} // namespace

void
write_perf_frame(fmt::memory_buffer &out, const profiles::frame &f,
    std::uint64_t pc)
{
	if (f.kind == frame_kind::language) {
		write_language(out, f);
		return;
	}
	const bool named = !tools::is_nameless(f);
	append(out, "\t{:16x} {}", pc, named ? printable(tools::name_of(f)) :
	    "[unknown]");
	if (f.kind == frame_kind::inlined)
		append(out, " (inlined)\n");
	else if (named && f.kind != frame_kind::note)
		append(out, "+{:#x} ({})\n", f.offset, dso(f));
	else
		append(out, " ({})\n", dso(f));
}

std::unique_ptr<printer>
perf_printer(const events::options &o)
{
	return std::make_unique<perf>(o);
}

} // namespace stacksnoop
