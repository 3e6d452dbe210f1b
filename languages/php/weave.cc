// Puts the frames of PHP's functions in the place of the calls of execute_ex(),
// and those of functions of C before the native frames of their handlers.
//
// A call of execute_ex() runs the frames up to one that was entered from C.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "weave.h"

#include <algorithm>

#include "unwind/row.h"

namespace stack9::languages::php {

const function &
weave::function_at(std::uint64_t at)
{
	const auto [known, is_new] = functions_.try_emplace(at);
	if (is_new)
		known->second = read_function(m_, l_, at);
	return known->second;
}

// "Shop->reserve", "Shop::find", "reserve".  The code of a file has the name
// that PHP's traces have for it.
std::string
weave::name_of(std::size_t n)
{
	const frame &f = frames_[n];
	const function &its = function_at(f.function);
	if (its.what == function::kind::none)
		return "?";
	if (its.what != function::kind::file)
		return its.scope.empty() ? its.name : its.scope +
		    (f.has_object() ? "->" : "::") + its.name;
	if (its.is_eval)
		return "eval";
	if (n + 1 == frames_.size())
		return "{main}";
	const function &caller = function_at(frames_[n + 1].function);
	const char *const word = caller.opcodes == 0 ? "" :
	    word_for_file(m_, caller, frames_[n + 1].opline);
	return *word != '\0' ? word : "{main}";
}

// Gives the native frame of a function of C: the innermost one that runs it and
// is between the calls of the loop.  The depth: there is none.
std::uint32_t
weave::native_of(std::uint64_t handler)
{
	constexpr std::uint64_t largest = 1 << 20;
	const std::uint32_t end = done_ < loops_.size() ? loops_[done_].at :
	    q_.native.depth;
	unwind::row row;
	for (std::uint32_t i = done_ == 0 ? 0 : loops_[done_ - 1].at + 1;
	    handler != 0 && i < end; i++) {
		const std::uint64_t pc = q_.native.pcs[i] - (i > 0);
		if (pc - handler < largest &&
		    q_.code.row_of(pc, row) == unwind::found::yes &&
		    row.begin == handler)
			return i;
	}
	return q_.native.depth;
}

void
weave::skip_left()
{
	while (done_ < loops_.size() && loops_[done_].is_left)
		done_++;
}

// A function without a name is the bottom of a fiber: what called it is on
// another native stack.
void
weave::add_internal(std::size_t n, const function &its)
{
	if (its.name.empty()) {
		agrees_ &= is_beyond_ || done_ == loops_.size();
		is_beyond_ = true;
		return;
	}
	const std::uint32_t at = is_beyond_ ? q_.native.depth :
	    native_of(its.handler);
	to_.add(at != q_.native.depth || is_beyond_ ||
	    done_ == loops_.size() ? at : loops_[done_].at, 0, "php",
	    name_of(n), "", 0);
}

// Since 8.4 some functions of C are called without a frame.  At an event only
// the native stack shows them.
void
weave::add_frameless(const frame &f)
{
	std::uint32_t number;
	std::uint64_t functions, handlers, callee, handler;
	if (is_reported_ || places_.frameless.vaddr == 0 ||
	    places_.frameless_handlers.vaddr == 0 || f.waits ||
	    !frameless_call(m_, f.opline, f.at, number) ||
	    !m_.word(places_.frameless.vaddr + where_.bias, functions) ||
	    !m_.word(places_.frameless_handlers.vaddr + where_.bias,
	    handlers) || !m_.word(functions + 8 * std::uint64_t{number},
	    callee) || !m_.word(handlers + 8 * std::uint64_t{number}, handler))
		return;
	const std::uint32_t at = is_beyond_ ? q_.native.depth :
	    native_of(handler);
	if (at != q_.native.depth || is_beyond_)
		to_.add(at, 0, "php", function_at(callee).name, "", 0);
}

// No call of the loop runs those that wait.
void
weave::add_user(std::size_t n, const function &its)
{
	const frame &f = frames_[n];
	std::uint32_t at = q_.native.depth;
	add_frameless(f);
	if (f.waits) {
		if (done_ > 0 && !is_beyond_)
			at = loops_[done_ - 1].at;
	} else if (!is_beyond_ && done_ < loops_.size()) {
		at = loops_[done_].at;
		done_ += f.is_top();
	}
	to_.add(at, written_replaces | (its.what == function::kind::none ?
	    written_guessed : 0), "php", name_of(n), its.file,
	    line_of(m_, l_, globals_, its, f.opline));
}

void
weave::add(std::size_t n)
{
	const function &its = function_at(frames_[n].function);
	skip_left();
	agrees_ &= is_reported_ || its.what != function::kind::none;
	if (its.what == function::kind::internal)
		add_internal(n, its);
	else
		add_user(n, its);
}

// Returns true if there are as many calls of the loop on this native stack as
// frames that were entered from C.  The bottom of a fiber's stack is code of
// PHP that no unwind information describes, so that the walk of that stack was
// not cut.
bool
weave::has_all_loops()
{
	std::size_t entered = 0;
	bool is_fiber = false;
	unwind::row row;
	for (std::size_t n = 0; n < frames_.size() && !is_fiber; n++) {
		const function &its = function_at(frames_[n].function);
		if (its.what != function::kind::internal)
			entered += frames_[n].is_top() && !frames_[n].waits;
		else
			is_fiber = its.name.empty();
	}
	stack_record &native = q_.native;
	if (is_fiber && native.why == STACK9_WHY_UNWIND && native.depth > 1 &&
	    q_.code.row_of(native.pcs[native.depth - 1] - 1, row) ==
	    unwind::found::no && q_.code.covers(native.pcs[native.depth - 1])) {
		native.why = STACK9_WHY_NONE;
		native.reason = nullptr;
	}
	return native.why == STACK9_WHY_NONE && entered ==
	    static_cast<std::size_t>(std::count_if(loops_.begin(),
	    loops_.end(), [](const loop_call &c) { return !c.is_left; }));
}

// Puts a function of C whose native frame was not found no farther out than
// what has called it.
void
weave::order(std::size_t first)
{
	for (std::size_t i = to_.frames.size(); i-- > first + 1; ) {
		written_frame &inner = to_.frames[i - 1];
		if (inner.at <= to_.frames[i].at)
			continue;
		agrees_ &= (inner.flags & written_replaces) == 0;
		inner.at = to_.frames[i].at;
	}
}

void
weave::put()
{
	const std::size_t first = to_.frames.size();
	for (std::size_t n = 0; n < frames_.size(); n++)
		add(n);
	order(first);
	if (!agrees_)
		to_.flag_as_guessed(first);
}

void
weave::run()
{
	loops_ = find_loops(q_, where_, places_);
	const bool is_whole = read_frames(m_, l_, places_, where_.bias,
	    globals_, frames_);
	agrees_ = is_whole && ((!loops_.empty() && has_all_loops()) ||
	    (walk_again(q_, where_, places_, frames_, loops_) &&
	    has_all_loops()));
	// One of the threads runs PHP: the one that is in its loop.
	if (!loops_.empty())
		put();
}

void
weave::run_reported(std::vector<frame> frames,
    std::map<std::uint64_t, function> functions)
{
	is_reported_ = true;
	frames_ = std::move(frames);
	functions_ = std::move(functions);
	loops_ = find_loops(q_, where_, places_);
	agrees_ = has_all_loops();
	put();
}

} // namespace stack9::languages::php
