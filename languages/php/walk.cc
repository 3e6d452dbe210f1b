// Walks the chain of zend_execute_data, and puts its frames into the native stack:
// those of PHP's functions in the place of the calls of execute_ex(), those of C
// before the native frames of their handlers.
//
// A call of execute_ex() runs the frames up to one with the flag ZEND_CALL_TOP.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walk.h"

#include "languages/chain.h"
#include "unwind/row.h"

namespace stack9::languages::php {
namespace {

// A chain that is longer is a cycle.
constexpr std::uint32_t most_frames = 1 << 16, most_generators = 1 << 10;
constexpr std::uint32_t call_top = 1 << 17;
constexpr std::uint8_t is_object = 8, type_mask = 0xf;

} // namespace

bool
walk::read(std::uint64_t at, frame &to)
{
	to.at = at;
	return m_.word(at + frame_opline, to.opline) &&
	    m_.word(at + frame_function, to.function) &&
	    m_.word(at + frame_this, to.object) &&
	    m_.read(at + frame_type, &to.type, sizeof to.type) &&
	    m_.word(at + frame_previous, to.previous);
}

void
walk::find_loops()
{
	const auto is_in = [&](std::uint64_t pc, const found_symbol &s) {
		return s.vaddr != 0 && pc - where_.bias - s.vaddr < s.size;
	};
	for (std::uint32_t i = 0; i < q_.native.depth; i++) {
		const std::uint64_t pc = q_.native.pcs[i] - (i > 0);
		if (is_in(pc, places_.loop) || is_in(pc, places_.cold_loop))
			loops_.push_back(i);
	}
}

const function &
walk::function_at(std::uint64_t at)
{
	const auto [known, is_new] = functions_.try_emplace(at);
	if (is_new)
		known->second = read_function(m_, l_, at);
	return known->second;
}

// "Shop->reserve", "Shop::find", "reserve".  The code of a file has the name that
// PHP's traces have for it.
std::string
walk::name_of(const frame &f, const function &of)
{
	frame caller;
	if (of.what == function::kind::none)
		return "?";
	if (of.what != function::kind::file)
		return of.scope.empty() ? of.name : of.scope +
		    ((f.type & type_mask) == is_object ? "->" : "::") + of.name;
	if (of.is_eval)
		return "eval";
	const char *const word = f.previous != 0 && read(f.previous, caller) &&
	    caller.function != 0 &&
	    function_at(caller.function).opcodes != 0 ?
	    word_for_file(m_, caller.opline) : "";
	return *word != '\0' ? word : "{main}";
}

// Gives the native frame of a function of C: the innermost one behind the frames
// that are done that runs it.  The depth: there is none.
std::uint32_t
walk::native_of(std::uint64_t handler)
{
	constexpr std::uint64_t largest = 1 << 20;
	unwind::row row;
	for (std::uint32_t i = done_ == 0 ? 0 : loops_[done_ - 1] + 1;
	    handler != 0 && i < q_.native.depth; i++) {
		const std::uint64_t pc = q_.native.pcs[i] - (i > 0);
		if (pc - handler < largest &&
		    q_.code.row_of(pc, row) == unwind::found::yes &&
		    row.begin == handler)
			return i;
	}
	return q_.native.depth;
}

// A function without a name is the bottom of a fiber: what called it is on
// another native stack.
void
walk::add_internal(const frame &f, const function &of)
{
	if (of.name.empty()) {
		agrees_ &= is_beyond_ || done_ == loops_.size();
		is_beyond_ = true;
		return;
	}
	const std::uint32_t its = is_beyond_ ? q_.native.depth :
	    native_of(of.handler);
	// A call of the loop between has left its frame, and destroys what the
	// frame had.
	while (its != q_.native.depth && done_ < loops_.size() &&
	    loops_[done_] < its)
		done_++;
	to_.add(its != q_.native.depth || is_beyond_ ||
	    done_ == loops_.size() ? its : loops_[done_], 0, "php",
	    name_of(f, of), "", 0);
}

void
walk::put(const frame &f, const function &of, std::uint32_t at)
{
	to_.add(at, written_replaces, "php", name_of(f, of), of.file,
	    line_of(m_, l_, globals_, of, f.opline));
}

void
walk::add_written(const frame &f, const function &of)
{
	const bool is_known = !is_beyond_ && done_ < loops_.size();
	agrees_ &= is_known || is_beyond_ ||
	    q_.native.why != STACK9_WHY_NONE;
	agrees_ &= of.what != function::kind::none;
	put(f, of, is_known ? loops_[done_] : q_.native.depth);
	done_ += is_known && (f.type & call_top) != 0;
}

void
walk::add(const frame &f)
{
	const function &of = function_at(f.function);
	if (of.what == function::kind::internal)
		return add_internal(f, of);
	add_written(f, of);
}

// A frame without a function whose object is a generator stands for those that
// wait in `yield from`, of which it has the outermost.  Each leads to the one that
// it waits for, and the last of them is the one that runs.  No call of the loop
// runs those that wait.
void
walk::add_waiting(const frame &f)
{
	std::uint64_t of_object, of_generators, inner, at;
	std::vector<std::uint64_t> waiting;
	frame next;
	if ((f.type & type_mask) != is_object ||
	    places_.generator_class.vaddr == 0 ||
	    !m_.word(f.object + object_class, of_object) ||
	    !m_.word(places_.generator_class.vaddr + where_.bias,
	    of_generators) || of_object != of_generators)
		return;
	chain c(most_generators);
	for (std::uint64_t g = f.object; c.goes_on(g); g = inner) {
		if (!m_.word(g + l_.generator_node, inner) || inner == 0 ||
		    !m_.word(g + l_.generator_frame, at))
			break;
		waiting.push_back(at);
	}
	agrees_ &= !c.is_broken();
	for (std::size_t i = waiting.size(); i-- > 0;)
		if (read(waiting[i], next)) {
			const function &of = function_at(next.function);
			put(next, of, done_ > 0 ? loops_[done_ - 1] :
			    q_.native.depth);
		}
}

void
walk::go_along(std::uint64_t at)
{
	frame f;
	chain c(most_frames);
	for (; c.goes_on(at) && read(at, f); at = f.previous) {
		if (f.function != 0)
			add(f);
		else
			add_waiting(f);
	}
	agrees_ &= at == 0;
}

void
walk::run()
{
	std::uint64_t at;
	find_loops();
	if (loops_.empty() || !m_.word(globals_ + l_.current_execute_data, at))
		return;
	const std::size_t first = to_.frames.size();
	go_along(at);
	agrees_ &= done_ == loops_.size() ||
	    q_.native.why != STACK9_WHY_NONE;
	for (std::size_t i = first; !agrees_ && i < to_.frames.size(); i++)
		to_.frames[i].flags |= written_guessed;
}

} // namespace stack9::languages::php
