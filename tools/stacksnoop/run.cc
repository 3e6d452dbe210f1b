// Adds each event to a large block as it comes, and writes the block when it is
// full or when nothing more comes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stacksnoop.h"

#include <chrono>
#include <optional>

#include "printer.h"
#include "stack_texts.h"
#include "tools/events/closing.h"
#include "tools/events/destination.h"
#include "tools/events/session.h"
#include "tools/lib/command_line.h"

namespace stacksnoop {
namespace {

using events::destination;

// Names hold what they name, and texts are made of names.  They are forgotten
// together, because processes come and go for days.
struct memory {
	explicit memory(const events::options &o)
	    : names(o, events::precision::addresses, frames) {}

	std::deque<profiles::frame>	frames;
	events::frames			names;
};

class snooping {
public:
	snooping(const events::options &, events::screen &, destination &);

	bool	start();
	void	go_on();
	int	finish();

private:
	void	print(const stack9_sample &);
	void	add_stack(const stack9_sample &);

	const events::options	&opt_;
	events::screen		&screen_;
	destination		&out_;
	events::session		session_;
	const std::unique_ptr<printer> printer_;
	std::optional<memory>	memory_;
	stack_texts		texts_;
	bool			hidden_ = false;
};

snooping::snooping(const events::options &o, events::screen &s,
    destination &out)
    : opt_(o), screen_(s), out_(out),
      session_(o, s, [this](const stack9_sample &sample) {
	      print(sample);
	      return out_.good();
      }),
      printer_(make_printer(o))
{
	memory_.emplace(o);
}

void
snooping::add_stack(const stack9_sample &sample)
{
	const std::string *text = texts_.find(sample);
	if (text == nullptr && texts_.full()) {
		hidden_ |= memory_->names.hidden();
		texts_.forget();
		memory_.emplace(opt_);
	}
	if (text == nullptr) {
		fmt::memory_buffer fresh;
		printer_->stack(fresh, sample, memory_->names, memory_->frames);
		text = &texts_.keep(sample, fmt::to_string(fresh));
	}
	out_.buffer().append(*text);
}

void
snooping::print(const stack9_sample &sample)
{
	if (sample.dropped != 0)
		printer_->lost(out_.buffer(), sample.dropped);
	printer_->head(out_.buffer(), sample);
	add_stack(sample);
	printer_->tail(out_.buffer());
	out_.full();
}

bool
snooping::start()
{
	if (!session_.start(STACK9_WATCH_STREAM, "showing"))
		return false;
	out_.begin();
	printer_->begin(out_.buffer());
	out_.flush();
	return true;
}

// Events are shown when nothing more comes, and at least this often.
void
snooping::go_on()
{
	using clock = std::chrono::steady_clock;
	constexpr auto longest = std::chrono::milliseconds(100);
	constexpr int wait_ms = 100;
	clock::time_point flushed = clock::now();
	while (!session_.over() && out_.good()) {
		const bool any = session_.read(out_.pending() ? 0 : wait_ms);
		if (any && clock::now() - flushed < longest)
			continue;
		out_.flush();
		flushed = clock::now();
	}
	session_.stop();
}

int
snooping::finish()
{
	const stack9_tally tally = session_.tally();
	const std::string line = events::closing_line(opt_, tally);
	const bool printed = printer_->end(out_.buffer(), tally, line);
	out_.flush();
	if (!printed && !opt_.quiet)
		screen_.message("{}", line);
	events::advise(opt_, tally, screen_);
	if (hidden_ || memory_->names.hidden())
		events::report_hidden_names(screen_);
	return events::exit_status(tally, session_.failed());
}

} // namespace

int
run(const events::options &o)
{
	events::screen screen(o, true);
	if (events::refuses_borrowed_rights(o, screen))
		return tools::exit_none;
	destination out(o.file);
	if (!is_good(out, screen))
		return tools::exit_output;
	snooping s(o, screen, out);
	if (!s.start())
		return tools::exit_none;
	s.go_on();
	const int status = s.finish();
	return is_good(out, screen) ? status : int{tools::exit_output};
}

} // namespace stacksnoop
