// Prints each sample as it comes, or keeps it until the rights are given up or
// the groups are whole.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "results.h"

#include <algorithm>
#include <cerrno>
#include <stdexcept>

#include "advice.h"
#include "contention.h"
#include "graph_text.h"
#include "prepare_waits.h"
#include "tools/lib/rights.h"
#include "tools/lib/words.h"

namespace stackprint {
namespace {

// A thread that was captured, or has a state, is there.
bool
is_known(const sample &s)
{
	return s.state != '?' || (s.kernel.has_value() &&
	    s.kernel->error == 0) ||
	    (s.user.has_value() && s.user->error == 0);
}

const char *
why_unknown(const sample &s)
{
	return reason(s.user.has_value() ? *s.user : *s.kernel);
}

bool
tracks(const options &o)
{
	return o.waits && o.is_live();
}

// A pass over the machine would show it.  Borrowed rights are those of one
// thread, and it lowers them.
bool
may_have_a_thread(const options &o, bool gated)
{
	return o.is_live() && !o.all && !o.any_filter() && !gated;
}

} // namespace

results::results(const options &o, bool gated)
    : opt_(o), gated_(gated), names_(o), moment_(tracks(o) ?
      std::make_unique<tracker>(o, advice_) : nullptr),
      times_(moment_ != nullptr ? std::optional<state_times>(*moment_) :
      std::nullopt), waits_(times_.has_value() ? &*times_ : nullptr,
      o.waits_unasked, o.depth),
      coroutines_(o.no_group), view_{o, gated_ && !caller_sees_addresses(),
      gated_ || !o.is_live(), names_, o.waits ? &waits_ : nullptr,
      times_.has_value() ? &*times_ : nullptr},
      printer_(o.json ? json_printer(view_) : text_printer(view_))
{
	tally_.sides = o.sides();
	if ((o.waits && !o.waits_unasked) || o.why)
		advice_.not_by_file();
	if ((o.waits || o.why) && may_have_a_thread(o, gated_))
		waits_prepared_ = prepare_waits(times_.has_value());
}

// User stacks taken with borrowed rights are printed after the rights are given
// up for good: the caller could have written the files that name them.
void
results::add(const sample_ptr &s)
{
	const bool known = is_known(*s);
	if (!known)
		out_.message("tid {}: {}", s->thread.tid, why_unknown(*s));
	if ((known || opt_.json) && !is_beside_the_point(*s))
		(gated_ && s->user.has_value()) || opt_.waits || opt_.why ?
		    keep(s) : print(s);
	tally_.add(outcome_of(*s), !opt_.tids.empty());
	advice_.add(*s);
	coroutines_.note(*s);
	out_.progress();
}

// True for a kernel thread that nobody named, if only user stacks are asked
// for.
bool
results::is_beside_the_point(const sample &s) const
{
	return !s.kernel.has_value() && is_kernel_thread(s) &&
	    opt_.tids.empty();
}

// Asks for kernel names while there are rights to them.
void
results::keep(const sample_ptr &s)
{
	if (s->kernel.has_value())
		names_.ask(*s->kernel);
	kept_.push_back(kept(s));
}

void
results::print(const sample_ptr &s)
{
	if (opt_.group) {
		groups_.add(s, names_);
	} else {
		block_.clear();
		printer_->thread(block_, *s);
		out_.block({block_.data(), block_.size()});
	}
	if (opt_.is_live())
		process_advice_.add(*s, names_);
}

// Some were captured again, and these samples are printed and counted.
void
results::take_newer()
{
	const bool named = !opt_.tids.empty();
	for (std::size_t i = 0; i < kept_.size(); i++) {
		const sample_ptr &newer = waits_.samples()[i];
		tally_.remove(outcome_of(*kept_[i]), named);
		tally_.add(outcome_of(*newer), named);
		kept_[i] = newer;
	}
}

void
results::print_waits()
{
	const std::vector<sample_ptr> all(kept_.begin(), kept_.end());
	std::string why;
	contention seen;
	if (waits_prepared_.valid())
		waits_prepared_.wait();
	const int error = opt_.waits_unasked ? waits_.find(all, false) :
	    waits_.find_settled(all, opt_.why, seen);
	if (error != 0) {
		if (opt_.waits_unasked)
			return;
		out_.message("waits cannot be found: {}", stack9_reason());
		tally_.cut_short = true;
		return;
	}
	take_newer();
	if (moment_ != nullptr)
		moment_->look(why);	// or there are no times
	if (!opt_.why)
		return;
	const wait_graph graph(waits_, seen);
	const auto put = [&](std::string_view text) { out_.block(text); };
	if (opt_.json)
		return graph.print_json(put);
	graph_text(graph).print(put, [&](const sample &s) {
		block_.clear();
		printer_->thread(block_, s);
		return std::string(block_.data(), block_.size());
	});
}

// A process without a runtime that is known has none; one that is not to be
// read has said so by its threads.
void
results::add_coroutines(pid_t pid)
{
	add_coroutines(stack9_thread{pid, pid, 0});
}

void
results::add_coroutines(const stack9_thread &process)
{
	const pid_t pid = process.pid;
	const lowered guard(gated_);
	const int error = guard ? coroutines_.find(process, opt_.depth,
	    opt_.native) : EPERM;
	if (error == 0 || error == ENOENT || error == ESRCH ||
	    error == EPERM || error == EOPNOTSUPP)
		return;
	out_.message("pid {}: not all coroutines were found: {}", pid,
	    stack9_reason());
	tally_.cut_short = true;
}

void
results::print_coroutines()
{
	for (const coroutine_group &each : coroutines_.groups(names_)) {
		if (!out_.good())
			return;
		block_.clear();
		printer_->coroutines(block_, each);
		out_.block({block_.data(), block_.size()});
	}
	tally_.coroutines = coroutines_.count();
	tally_.coroutines_captured = coroutines_.captured();
	tally_.tasks = coroutines_.tasks();
}

void
results::report_rest()
{
	if (gated_ && (!kept_.empty() || coroutines_.count() != 0) &&
	    !give_up_rights())
		throw std::runtime_error("the file's rights cannot be given "
		    "up, so nothing is shown");
	if (opt_.waits || opt_.why)
		print_waits();
	for (const sample_ptr &each : kept_)
		if (out_.good() && !opt_.why)
			print(each);
	printer_->groups_of(tally_.threads());
	for (group *each : groups_.by_count(opt_.ended_by)) {
		block_.clear();
		printer_->group(block_, *each->sample, each->members);
		out_.block({block_.data(), block_.size()});
	}
	print_coroutines();
}

int
results::finish()
{
	report_rest();
	if (opt_.is_live())
		advice_.print(out_, opt_.again, names_.hidden(),
		    view_.withheld && opt_.addresses);
	if (opt_.advise_on_files && opt_.record.empty())
		advise_on_files(out_, names_);
	const auto hints = process_advice_.hints(opt_.json);
	process_advice::print(out_, hints);
	if (opt_.json)
		tally_.hints = process_advice::json(hints);
	block_.clear();
	printer_->end(block_, tally_);
	out_.block({block_.data(), block_.size()});
	const int error = out_.finish();
	return error != 0 ? error : tally_.status();
}

} // namespace stackprint
