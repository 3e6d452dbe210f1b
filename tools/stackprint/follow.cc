// Prints with --follow the stacks of threads that have run, look by look.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "follow.h"

#include <algorithm>
#include <cerrno>
#include <ctime>

#include <fmt/format.h>

#include "changes.h"
#include "columns.h"
#include "printer.h"
#include "state_times.h"
#include "tools/lib/command_line.h"
#include "tools/lib/interruption.h"
#include "tools/lib/json.h"
#include "tools/lib/output.h"
#include "tools/lib/text.h"
#include "tracker.h"
#include "waits.h"

namespace stackprint {
namespace {

std::string
time_of_day()
{
	timespec now{};
	tm parts{};
	char text[16];
	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &parts);
	text[std::strftime(text, sizeof text, "%H:%M:%S", &parts)] = '\0';
	return fmt::format("{}.{:03}", text, now.tv_nsec / 1'000'000);
}

class following {
public:
	explicit following(const options &o)
	    : opt_(o), names_(o), tracker_(o, advice_), times_(tracker_),
	      waits_(&times_),
	      view_{o, false, false, names_, o.waits ? &waits_ : nullptr,
	      &times_}, printer_(o.json ? json_printer(view_) :
	      text_printer(view_)) {}

	int	go();

private:
	// Counts what has become of the threads since the last pass.
	struct counts {
		std::size_t	ran = 0, is_new = 0, changed = 0;
	};

	bool	look();
	void	show();
	counts	count() const;
	void	put_look(const counts &);
	void	put_thread(const tracked &);
	void	put_changed(const tracked &);
	void	put_gone(const tracked &);
	void	find_waits();
	void	advise();

	const options	&opt_;
	output		 out_;
	names		 names_;
	advice		 advice_;
	tracker		 tracker_;
	const state_times times_;
	found_waits	 waits_;
	const view	 view_;
	const std::unique_ptr<printer> printer_;
	fmt::memory_buffer block_;
	unsigned int	 number_ = 0;	// of the pass
	int		 status_ = exit_complete;
};

bool
has_changed(const tracked &t)
{
	return t.before != nullptr && t.sample != nullptr &&
	    stack9_sample_same(t.before->captured.get(),
	    t.sample->captured.get()) == 0;
}

following::counts
following::count() const
{
	counts c;
	for (const tracked *const t : tracker_.moved()) {
		c.is_new += t->is_new;
		c.ran += !t->is_new;
		c.changed += has_changed(*t);
	}
	return c;
}

void
following::put_look(const counts &c)
{
	const std::size_t gone = tracker_.gone().size();
	if (opt_.json) {
		append(block_, "{{\"schema\":1,\"look\":{{\"number\":{},"
		    "\"threads\":{},\"ran\":{},\"changed\":{},\"new\":{},"
		    "\"gone\":{}}}}}\n", number_, tracker_.all().size(),
		    c.ran, c.changed, c.is_new, gone);
		return;
	}
	append(block_, "{}  {}", time_of_day(),
	    amount(tracker_.all().size(), "thread"));
	if (number_ != 1)
		append(block_, ": {} ran, {} changed, {} new, {} gone",
		    c.ran, c.changed, c.is_new, gone);
	append(block_, "\n");
}

void
following::put_thread(const tracked &t)
{
	if (t.is_new && number_ != 1 && !opt_.json)
		append(block_, "new     ");
	printer_->thread(block_, *t.sample);
}

void
following::put_changed(const tracked &t)
{
	const sample &s = *t.sample;
	if (opt_.json) {
		printer_->thread(block_, s);
		block_.resize(block_.size() - 2);	// "}\n"
		append_text(block_, change_members(*t.before, s, view_));
		append_text(block_, "}\n");
		return;
	}
	append(block_, "{}  pid {}  tid {}  {}{}\n",
	    thread_names(s.comm, s.name.c_str()), s.thread.pid, s.thread.tid,
	    state_word(s.state), times_.text(s));
	put_changes(block_, *t.before, s, view_);
	if (opt_.waits)
		waits_.put_line(block_, s);
}

void
following::put_gone(const tracked &t)
{
	const stack9_thread &td = t.now.thread;
	if (opt_.json)
		append(block_, "{{\"schema\":1,\"gone\":{{\"tid\":{},"
		    "\"pid\":{},{}}}}}\n", td.tid, td.pid,
		    json_member("comm", t.comm));
	else
		append(block_, "gone    {}  pid {}  tid {}\n",
		    printable(t.comm), td.pid, td.tid);
}

void
following::find_waits()
{
	std::vector<sample_ptr> samples;
	for (const tracked *const t : tracker_.moved())
		samples.push_back(t->sample);
	if (opt_.waits)
		waits_.find(samples, false);
}

// Without --changes every look has its line, so that a person sees that it goes
// on.
void
following::show()
{
	const counts c = count();
	block_.clear();
	find_waits();
	if (!opt_.changes || number_ == 1 || c.changed != 0 ||
	    c.is_new != 0 || !tracker_.gone().empty())
		put_look(c);
	for (const tracked *const t : tracker_.moved())
		if (!opt_.changes || (t->is_new && number_ != 1))
			put_thread(*t);
		else if (has_changed(*t))
			put_changed(*t);
	for (const tracked &t : tracker_.gone())
		put_gone(t);
	out_.block({block_.data(), block_.size()});
	if (number_ == 1)
		advise();
}

// Says once what is missing.
void
following::advise()
{
	for (const tracked *const t : tracker_.moved())
		advice_.add(*t->sample);
	advice_.not_by_file();
	advice_.print(out_, opt_.again, names_.hidden(), false);
}

// False: it has ended.
bool
following::look()
{
	std::string why;
	number_++;
	if (tracker_.look(why) != 0) {
		if (number_ == 1)
			status_ = exit_none;
		// The threads of a name or a state may come back.
		else if (opt_.any_filter())
			return true;
		out_.message("{}", number_ == 1 ? why :
		    "all threads have ended");
		return false;
	}
	tracker_.capture();
	show();
	if (const int error = out_.finish(); error != 0) {
		status_ = error;
		return false;
	}
	return true;
}

int
following::go()
{
	catch_interruption();
	while (look() && pause_for(std::max(*opt_.follow, shortest_look)))
		;
	return status_;
}

} // namespace

int
follow(const options &o)
{
	return following(o).go();
}

} // namespace stackprint
