// Writes the messages and the line of progress.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "progress.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <unistd.h>

#include "say.h"
#include "tools/lib/limits.h"
#include "tools/lib/surroundings.h"
#include "tools/lib/text.h"

namespace stackrecord {

progress::progress(bool quiet)
    : began_(monotonic_ns()), is_quiet_(quiet),
      has_line_(!quiet && isatty(2))
{
}

void
progress::count(std::size_t threads)
{
	ticks_++;
	threads_ += threads;
}

std::uint64_t
progress::take_cost()
{
	const std::uint64_t spent = cost_.ns();
	return spent - std::exchange(last_cost_, spent);
}

std::string
progress::price() const
{
	const double took = static_cast<double>(monotonic_ns() - began_);
	const double spent = static_cast<double>(cost_.ns());
	return fmt::format("{:.2f} % of a CPU, {:.2f} ms a tick",
	    100 * spent / std::max(took, 1.0), spent / 1e6 /
	    static_cast<double>(std::max<std::uint64_t>(ticks_, 1)));
}

void
progress::show(std::uint64_t now, const capture &c, const storage &s)
{
	if (!has_line_ || now - shown_ < second)
		return;
	shown_ = now;
	std::fputs(fmt::format("\r{} s, {}, {}, {} KiB\033[K",
	    (now - began_) / second,
	    tools::amount(c.all().size(), "thread"), price(),
	    s.bytes() >> 10).c_str(), stderr);
}

// The same is said once in a minute.
void
progress::report_missing(std::uint64_t now, const capture &c)
{
	constexpr std::uint64_t minute = 60 * second;
	const std::uint64_t all = c.without_user();
	if (all == reported_without_ || (c.missing() ==
	    reported_missing_ && now - reported_at_ < minute))
		return;
	say("{} without a user stack: {}", tools::amount(
	    all - reported_without_, "thread"),
	    tools::printable(c.missing()));
	reported_missing_ = c.missing();
	reported_without_ = all;
	reported_at_ = now;
}

void
progress::sum_up(const capture &c, const events &e, const storage &s) const
{
	if (has_line_)
		std::fputs("\r\033[K", stderr);
	if (c.all().names_hidden())
		say("{}", tools::hidden_names());
	if (is_quiet_ || ticks_ == 0)
		return;
	const std::uint64_t without = c.without_user();
	const events::outcomes of = e.sum();
	say("{} of {} threads in {:.1f} s, {} missed: {}, {} KiB in "
	    "{}{}{}{}{}",
	    tools::amount(ticks_, "tick"), threads_ / ticks_,
	    static_cast<double>(monotonic_ns() - began_) / 1e9, s.missed(),
	    price(), s.bytes() >> 10,
	    tools::amount(s.segments(), "segment"), without == 0 ?
	    "" : fmt::format("; {} no user stack", without == 1 ?
	    "1 sample of a thread has" : fmt::format("{} samples of threads "
	    "have", without)), of.lost == 0 ? "" : fmt::format("; {} lost",
	    tools::amount(of.lost, "event")), of.lacking == 0 ? "" :
	    fmt::format("; {} lacking language frames",
	    tools::amount(of.lacking, "event")),
	    tools::left_out_text());
}

} // namespace stackrecord
