// Puts the frames of Perl in the place of the calls of its loop.
//
// The loop is called for a sub that was entered from C, for each comparison of
// a sort, and once more for an eval within one of these, so that a longjmp(3)
// can lead to it.  The outermost call runs the program.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "weave.h"

#include "languages/thread_value.h"

#include "closest.h"

namespace stack9::languages::perl {
namespace {

bool
is_in(std::uint64_t pc, std::uint64_t bias, const found_symbol &s)
{
	return s.vaddr != 0 && pc - bias - s.vaddr < s.size;
}

} // namespace

bool
weave::find_interpreter(interpreter &to)
{
	std::uint32_t key;
	std::uint64_t it;
	if (!l_.has_threads)
		return m_.word(places_.current_cop.vaddr + where_.bias,
		    to.cop) && m_.word(places_.current_op.vaddr + where_.bias,
		    to.op) && m_.word(places_.current_stack.vaddr +
		    where_.bias, to.stack);
	return m_.read(places_.key.vaddr + where_.bias, &key, sizeof key) &&
	    thread_value(m_, q_.asked.thread_pointer, key, it) && it != 0 &&
	    m_.word(it + l_.current_cop, to.cop) &&
	    m_.word(it + current_op, to.op) &&
	    m_.word(it + l_.current_stack, to.stack);
}

bool
weave::has_loops()
{
	find_loops();
	return !loops_.empty();
}

void
weave::find_loops()
{
	for (std::uint32_t i = 0; i < q_.native.depth; i++)
		for (const found_symbol &s : places_.loops)
			if (is_in(q_.native.pcs[i] - (i > 0), where_.bias, s))
				loops_.push_back(i);
}

void
weave::find_jumps()
{
	for (std::size_t n = 0; n < contexts_.size(); n++) {
		const context &c = contexts_[n];
		if (c.what == context::kind::eval && c.is_entered)
			before_call_.insert(c.jump);
		else if (c.what == context::kind::eval)
			outermost_[c.jump] = n;
	}
}

// The loop that was called for an eval ends with the outermost eval that has
// its JMPENV.  A JMPENV may also be of call_sv(): the one before is then of the
// eval that this makes, and that eval returns to C.  And it may be of the call
// that runs the program: the one before is then the last, and is of the
// interpreter.
bool
weave::ends_loop(std::size_t n)
{
	const context &c = contexts_[n];
	if (c.what != context::kind::eval)
		return c.is_entered;
	return !c.is_entered && outermost_[c.jump] == n && c.is_within &&
	    !before_call_.contains(c.before);
}

std::string
weave::name_of(const context &c)
{
	if (c.what == context::kind::eval)
		return "(eval)";
	if (is_reported_)
		return c.name.empty() ? "?" : c.name;
	const auto [known, is_new] = names_.try_emplace(c.cv);
	if (is_new)
		known->second = sub_name(m_, l_, c.cv);
	return known->second.empty() ? "(unknown)" : known->second;
}

const line_of_file &
weave::place_of_call(const context &c)
{
	if (is_reported_)
		return c.place;
	const std::uint64_t cop = closest_cop(m_, l_, c.cop, c.back, true);
	const auto [known, is_new] = places_of_.try_emplace(cop);
	if (is_new)
		known->second = place_of(m_, l_, cop);
	return known->second;
}

void
weave::add(const std::string &name)
{
	to_.add(done_ < loops_.size() ? loops_[done_] : q_.native.depth,
	    written_replaces | (name == "?" ? written_guessed : 0), "perl",
	    name, place_.file, place_.line);
}

// A frame is where its callee was called.
void
weave::put(bool is_whole)
{
	const std::size_t first = to_.frames.size();
	find_jumps();
	for (std::size_t n = 0; n < contexts_.size(); n++) {
		const bool ends = ends_loop(n);
		if (contexts_[n].is_frame) {
			add(name_of(contexts_[n]));
			place_ = place_of_call(contexts_[n]);
		}
		done_ += ends;
	}
	// A thread and a program that has Perl in it call subs from C, and
	// no call of the loop runs a program.
	const bool is_cut = q_.native.why != STACK9_WHY_NONE;
	const bool agrees = is_whole && (done_ + 1 == loops_.size() ||
	    done_ == loops_.size() || (is_cut && done_ > loops_.size()));
	if (is_whole && (done_ < loops_.size() || is_cut))
		add("main::RUNTIME");
	if (!agrees)
		to_.flag_as_guessed(first);
}

void
weave::run()
{
	interpreter it;
	find_loops();
	if (loops_.empty() || !find_interpreter(it))
		return;
	const bool is_whole = read_contexts(m_, it.stack, contexts_);
	place_ = place_of(m_, l_, closest_cop(m_, l_, it.cop, it.op, false));
	put(is_whole);
}

void
weave::run_reported(std::vector<context> contexts, line_of_file place,
    bool is_whole)
{
	is_reported_ = true;
	contexts_ = std::move(contexts);
	place_ = std::move(place);
	find_loops();
	put(is_whole);
}

} // namespace stack9::languages::perl
