// Prints events for people: a line for the event, and a line for each frame.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <iterator>

#include "tools/events/frames.h"
#include "tools/lib/text.h"
#include "printer.h"

namespace stacksnoop {
namespace {

using tools::append;
using tools::printable;

constexpr std::uint64_t second = 1000000000;

class text final : public printer {
public:
	explicit text(const events::options &o) : opt_(o) {}

	void	begin(fmt::memory_buffer &) override;
	void	lost(fmt::memory_buffer &, std::uint64_t) override;
	void	head(fmt::memory_buffer &, const stack9_sample &) override;
	void	stack(fmt::memory_buffer &, const stack9_sample &,
		    events::frames &,
		    const std::deque<profiles::frame> &) override;
	bool	end(fmt::memory_buffer &, const stack9_tally &,
		    const std::string &line) override;

	void
	tail(fmt::memory_buffer &out) override
	{
		out.push_back('\n');
	}

private:
	const events::options	&opt_;
};

void
text::begin(fmt::memory_buffer &out)
{
	append(out,
	    "{:<20} {:<16} {:<15} {:<3} EVENT\n", "TIME(s)", "COMM", "PID/TID",
	    "CPU");
}

void
text::lost(fmt::memory_buffer &out, std::uint64_t n)
{
	append(out, "[{} lost here]\n\n", tools::amount(n, "event"));
}

template <typename T>
void
add(fmt::memory_buffer &out, T number)
{
	const fmt::format_int text(number);
	out.append(text.data(), text.data() + text.size());
}

// Adds blanks up to a column, and one in any case.
void
fill(fmt::memory_buffer &out, std::size_t to)
{
	do
		out.push_back(' ');
	while (out.size() < to);
}

// This is done by hand: a formatted format string took a third of all the time.
void
text::head(fmt::memory_buffer &out, const stack9_sample &s)
{
	const std::size_t begin = out.size();
	const std::string fraction =
	    std::to_string(second + s.when_ns % second);
	add(out, s.when_ns / second);
	out.push_back('.');
	out.append(fraction.data() + 1, fraction.data() + fraction.size());
	fill(out, begin + 21);
	out.append(printable(s.comm));
	fill(out, begin + 38);
	add(out, s.thread.pid);
	out.push_back('/');
	add(out, s.thread.tid);
	fill(out, begin + 54);
	add(out, s.cpu);
	fill(out, begin + 58);
	if (s.event != nullptr)
		out.append(printable(s.event));
	if (opt_.is_offcpu())
		append(out, "  {} us", (s.weight_ns + 500) / 1000);
	if (s.cookie != 0)
		append(out, "  {:#x}", s.cookie);
	out.push_back('\n');
}

void
text::stack(fmt::memory_buffer &out, const stack9_sample &s,
    events::frames &frames, const std::deque<profiles::frame> &all)
{
	events::frames::list list;
	frames.add(s, list);
	for (const std::uint32_t i : list) {
		out.append(std::string_view("    "));
		events::write_frame(out, all[i], frames.pc(i), opt_);
		out.push_back('\n');
	}
}

bool
text::end(fmt::memory_buffer &out, const stack9_tally &,
    const std::string &line)
{
	out.append(line);
	out.push_back('\n');
	return true;
}

} // namespace

std::unique_ptr<printer>
text_printer(const events::options &o)
{
	return std::make_unique<text>(o);
}

std::unique_ptr<printer>
make_printer(const events::options &o)
{
	return o.format == "json" ? json_printer(o) :
	    o.format == "perf" ? perf_printer(o) : text_printer(o);
}

} // namespace stacksnoop
