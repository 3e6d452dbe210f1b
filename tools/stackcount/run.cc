// Counts until the end, and prints on the way and at the end.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stackcount.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>

#include "counted.h"
#include "sending.h"
#include "tools/events/closing.h"
#include "tools/events/destination.h"
#include "tools/events/session.h"
#include "tools/lib/command_line.h"
#include "tools/lib/text.h"
#include "tools/profiles/formats.h"
#include "wakers.h"

namespace stackcount {
namespace {

using events::destination;
using clock = std::chrono::steady_clock;
using tools::append;

class counting {
public:
	counting(const events::options &, events::screen &, destination &,
	    sending *);

	bool	start();
	void	go_on();
	int	finish(destination *graph);

private:
	bool	collect(bool only_new);
	void	print(bool last);
	void	print_head(fmt::memory_buffer &);
	void	put(std::string &&text);
	int	wait_ms() const;

	const events::options	&opt_;
	events::screen		&screen_;
	destination		&out_;
	sending			*to_;		// or NULL
	events::session		session_;
	counted			counted_;
	clock::time_point	began_, next_;
};

counting::counting(const events::options &o, events::screen &s,
    destination &out, sending *to)
    : opt_(o), screen_(s), out_(out), to_(to),
      session_(o, s, [this](const stack9_sample &sample) {
	      counted_.add(sample);
	      return true;
      }),
      counted_(o)
{
}

bool
counting::start()
{
	if (!session_.start(STACK9_WATCH_COUNT, "counting"))
		return false;
	counted_.began(session_.label());
	began_ = next_ = clock::now();
	return true;
}

// This is often enough for the progress line and for a command that ends.
int
counting::wait_ms() const
{
	constexpr int usual = 100;
	if (opt_.interval <= 0)
		return usual;
	const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
	    next_ - clock::now()).count() + 1;
	return static_cast<int>(std::clamp<long>(left, 0, usual));
}

void
counting::go_on()
{
	const auto step = std::chrono::duration_cast<clock::duration>(
	    std::chrono::duration<double>(opt_.interval));
	next_ += step;
	while (!session_.over() && out_.good()) {
		session_.read(wait_ms());
		if (opt_.interval <= 0 || clock::now() < next_)
			continue;
		if (collect(!opt_.cumulative))
			print(false);
		// After a pause there must not be many in a row.
		next_ = std::max(next_ + step, clock::now());
	}
	session_.stop();
}

bool
counting::collect(bool only_new)
{
	counted_.begin();
	if (!session_.counts())
		return false;
	counted_.end(only_new, static_cast<std::uint64_t>(
	    std::chrono::nanoseconds(clock::now() - began_).count()));
	return true;
}

void
counting::print_head(fmt::memory_buffer &to)
{
	char at[16] = "";
	const std::time_t now = std::time(nullptr);
	std::tm local{};
	if (localtime_r(&now, &local) != nullptr)
		std::strftime(at, sizeof at, "%H:%M:%S", &local);
	std::uint64_t events = 0;
	for (const profiles::stack &s : counted_.profile().stacks)
		events += s.events;
	append(to, "{}  {}, {}\n\n", at,
	    tools::amount(events, "event"),
	    tools::amount(counted_.profile().stacks.size(), "stack"));
}

void
counting::put(std::string &&text)
{
	out_.put(profiles::for_file(opt_.file, std::move(text)));
}

void
counting::print(bool last)
{
	screen_.clear();
	if (to_ != nullptr) {
		to_->send(counted_.profile());
	} else if (opt_.format != "text") {
		put(profiles::formatted(opt_.format, counted_.profile()));
	} else {
		fmt::memory_buffer text;
		if (opt_.interval > 0)
			print_head(text);
		if (opt_.wakers == "graph")
			write_wait_graph(text, counted_.profile());
		else
			write_text(text, counted_.profile(),
			    counted_.frames(), opt_);
		put(fmt::to_string(text));
	}
	if (!last)
		out_.flush();
}

// For people the closing line belongs to the stacks.  A program that reads them
// would stumble over it.
int
counting::finish(destination *graph)
{
	// Only when the stacks have been collected and named, it is known which
	// are not whole, and what was left out of files.
	const bool collected = collect(opt_.interval > 0 && !opt_.cumulative);
	const stack9_tally tally = session_.tally();
	const std::string line = events::closing_line(opt_, tally);
	counted_.profile().note = line;
	if (collected)
		print(true);
	if (opt_.format == "text")
		put(line + "\n");
	out_.flush();
	counted_.name_processes();
	if (graph != nullptr && collect(false)) {
		graph->put(profiles::for_file(opt_.graph, profiles::formatted(
		    profiles::graph_format(opt_.graph), counted_.profile())));
		graph->flush();
	}
	if (opt_.format != "text" && !opt_.quiet)
		screen_.message("{}", line);
	events::advise(opt_, tally, screen_);
	if (counted_.frames().hidden())
		events::report_hidden_names(screen_);
	return events::exit_status(tally, session_.failed());
}

} // namespace

int
run(const events::options &o)
{
	events::screen screen(o, false);
	if (events::refuses_borrowed_rights(o, screen))
		return tools::exit_none;
	destination out(o.file);
	std::optional<destination> graph;
	if (!o.graph.empty())
		graph.emplace(o.graph);
	// A file that cannot be opened is reported before anything is counted.
	if (!is_good(out, screen) || (graph && !is_good(*graph, screen)))
		return tools::exit_output;
	if (o.to.empty() && profiles::is_for_files(o.format) &&
	    out.is_terminal()) {
		screen.message("-f {} is not for a terminal; give -o FILE",
		    o.format);
		return tools::exit_usage;
	}
	std::optional<sending> to;
	if (!o.to.empty() && !to.emplace(o, screen).open())
		return tools::exit_none;
	counting c(o, screen, out, to ? &*to : nullptr);
	if (!c.start())
		return tools::exit_none;
	out.begin();
	if (graph)
		graph->begin();
	c.go_on();
	const int status = c.finish(graph ? &*graph : nullptr);
	if (to && !to->finish())
		return tools::exit_output;
	return is_good(out, screen) && (!graph || is_good(*graph, screen)) ?
	    status : int{tools::exit_output};
}

} // namespace stackcount
