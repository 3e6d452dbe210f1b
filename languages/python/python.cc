// Walks the frames that CPython keeps of a thread, and puts them in the place
// of the calls of its loop.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "languages/chain.h"
#include "languages/noted_memory.h"
#include "languages/symbols.h"

#include "at_event.h"
#include "calls.h"
#include "code.h"
#include "layout.h"
#include "locks.h"
#include "tasks.h"
#include "thread_name.h"
#include "thread_state.h"

namespace stack9::languages {
namespace python {
namespace {

// The most frames of a thread.
constexpr unsigned int most_frames = 1 << 16;

class walk {
public:
	walk(const question &q, const loaded &where, const places &p,
	    const layout &l, written_stack &to)
	    : q_(q), m_(q.words), where_(where), places_(p), l_(l), to_(to) {}

	// Throws std::bad_alloc.
	void run(noting_memory &, code_places &);

private:
	// A frame of the chain, and the native frame that it stands for.
	struct kept_frame {
		std::uint64_t	frame, code, position;
		std::uint32_t	code_index, at, flags;
	};

	bool first_frame(std::uint64_t state, std::uint64_t &frame);
	bool ends_share(std::uint64_t frame);
	bool is_code(std::uint64_t frame);
	void find_frames(std::uint64_t first, calls &);
	bool place(std::size_t first, std::uint64_t entry, calls &);
	bool read_frame(std::uint64_t frame, kept_frame &);
	void add(const kept_frame &);
	const code_object *code_at(std::uint64_t at);

	const question		&q_;
	memory			&m_;
	const loaded		&where_;
	const places		&places_;
	const layout		&l_;
	written_stack		&to_;
	std::map<std::uint64_t, code_object> codes_;
	std::vector<kept_frame>	frames_;
};

bool
walk::first_frame(std::uint64_t state, std::uint64_t &frame)
{
	std::uint64_t in = state + l_.frame;
	if (l_.has_cframe) {
		if (!m_.word(in, in) || in == 0)
			return false;
		in += l_.frame_in_cframe;
	}
	return m_.word(in, frame);
}

// Returns true if the frame is the outermost of those that one call of the loop
// runs: each frame up to 3.10, one with is_entry in 3.11, and later one that
// has no code and belongs to the C stack.
bool
walk::ends_share(std::uint64_t frame)
{
	std::uint8_t byte = 0;
	if (l_.minor <= 10)
		return true;
	m_.read(frame + l_.owner, &byte, sizeof byte);
	return l_.minor == 11 ? byte != 0 : byte >= 3;
}

bool
walk::is_code(std::uint64_t frame)
{
	return l_.minor <= 11 || !ends_share(frame);
}

const code_object *
walk::code_at(std::uint64_t at)
{
	const auto [known, is_new] = codes_.try_emplace(at);
	if (is_new && !read_code(m_, l_, at, known->second))
		known->second.at = 0;
	return known->second.at != 0 ? &known->second : nullptr;
}

void
walk::add(const kept_frame &f)
{
	if (const code_object *const c = code_at(f.code); c != nullptr)
		to_.add(f.at, f.flags, "python", c->name, c->file,
		    line_of(m_, l_, *c, f.position, f.code_index));
	else
		to_.add(f.at, f.flags | written_guessed, "python", "?", "", 0);
}

bool
walk::read_frame(std::uint64_t frame, kept_frame &to)
{
	std::int32_t index = 0, last = 0;
	to.frame = frame;
	if (!m_.word(frame + l_.code, to.code))
		return false;
	to.code &= ~std::uint64_t{3};	// the bits of a tagged reference
	if (l_.minor <= 10) {
		m_.read(frame + l_.position, &last, sizeof last);
		to.position = static_cast<std::uint32_t>(last);
	} else {
		m_.word(frame + l_.position, to.position);
	}
	if (l_.thread_code_index != 0)
		m_.read(frame + l_.thread_code_index, &index, sizeof index);
	to.code_index = static_cast<std::uint32_t>(index);
	return true;
}

// Puts the frames from there on that one call of the loop runs at its native
// frame.  False: there is none, because the native stack was cut or is of
// another moment.
bool
walk::place(std::size_t first, std::uint64_t entry, calls &of)
{
	call c{q_.native.depth, true};
	const bool is_known = of.next(entry, c);
	const std::uint32_t flags = (c.is_loop ? written_replaces : 0) |
	    (is_known ? 0 : written_guessed);
	for (std::size_t i = first; i < frames_.size(); i++) {
		frames_[i].at = c.at;
		frames_[i].flags = flags;
	}
	return is_known;
}

// Each call of the loop gets its share of the frames.
void
walk::find_frames(std::uint64_t frame, calls &of)
{
	std::size_t first = 0;
	for (chain frames(most_frames); frames.goes_on(frame);) {
		kept_frame f{};
		if (is_code(frame) && read_frame(frame, f))
			frames_.push_back(f);
		if (ends_share(frame)) {
			if (!place(first, frame, of) && l_.minor > 11 &&
			    q_.native.why == STACK9_WHY_NONE)
				return;
			first = frames_.size();
		}
		if (!m_.word(frame + l_.previous, frame))
			break;
	}
	place(first, 0, of);
}

// Since 3.11 the frames of a thread lie one above the other in chunks of 16 KiB
// and more.
void
walk::run(noting_memory &noted, code_places &places)
{
	constexpr std::uint64_t near = 16384, last = 256;
	thread_state state;
	std::uint64_t frame;
	calls of(q_, where_, places_, l_);
	if (!of.may_follow() || !find_state(q_, noted, where_, l_, state))
		return;
	if (to_.thread_name.empty())
		to_.thread_name = name_of_thread(q_, l_, state.interpreter,
		    q_.asked.thread_pointer);
	if (!first_frame(state.at, frame))
		return;
	if (l_.minor > 10 && frame > near)
		m_.prefetch_all(frame + last - near, near);
	find_frames(frame, of);
	std::vector<std::uint64_t> codes;
	for (const kept_frame &f : frames_)
		codes.push_back(f.code);
	std::sort(codes.begin(), codes.end());
	codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
	places.prefetch(m_, l_, codes);
	std::vector<std::uint64_t> added;
	for (const kept_frame &f : frames_) {
		add(f);
		added.push_back(f.frame);
	}
	find_lock(q_, l_, added, to_);
}

} // namespace

class cpython final : public runtime {
public:
	constexpr cpython() noexcept : runtime("python", marks_, 100) {}

	void
	walk(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		const places &p = places_in(where);
		noting_memory noted(q.words, q.copy,
		    kept_with<noted_places>(q.space));
		const std::uint64_t things[] = {where.mark,
		    q.asked.thread_pointer};
		noted.prefetch_each(things);
		const layout l = noted_layout(q, where, p, noted, to.note);
		if (l.minor != 0)
			python::walk(q, where, p, l, to).run(noted,
			    kept_with<code_places>(q.space));
	}

	// A process that has several runtimes has the chain of the first.
	bool
	walk_event(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		const places &p = places_in(where);
		const layout l = kept_with<kept_layouts<layout>>(q.space).find(
		    where.mark, [&] {
			return layout_in(q, where, p, to.note);
		}, [](const layout &its) { return its.minor != 0; });
		if (l.minor == 0)
			return false;
		if (q.native.depth == 0 && to.chain.kind == S9_CHAIN_NONE &&
		    !describe_chain(where, l, to.chain))
			to.chain = {};
		python::weave(q, where, p, l,
		    kept_with<reported_codes>(where.backing), to);
		return true;
	}

	void
	tasks(const question &q, const loaded &where, written_tasks &to)
	    const override
	{
		std::string why;
		const layout l = layout_in(q, where, places_in(where), why);
		if (l.minor != 0)
			add_tasks_of(q, where, l, kept_with<code_places>(
			    q.space), to);
	}

private:
	static const places &
	places_in(const loaded &where)
	{
		return kept_with<places>(where.backing, [&] {
			return find_places(where.backing);
		});
	}
	static layout
	noted_layout(const question &q, const loaded &where, const places &p,
	    noting_memory &noted, std::string &why)
	{
		const noting_memory::noting its(noted, where.mark, part::step);
		return layout_in({q.space, q.thread, q.copy, noted, q.code,
		    q.asked, q.native}, where, p, why);
	}
	static layout
	layout_in(const question &q, const loaded &where, const places &p,
	    std::string &why)
	{
		return layout_of(q, where, p.version.vaddr == 0 ? 0 :
		    p.version.vaddr + where.bias, why);
	}

	static constexpr std::string_view marks_[] = {"_PyRuntime"};
};

} // namespace python

static constexpr python::cpython the_runtime;
extern const runtime &runtime_python;
const runtime &runtime_python = the_runtime;

} // namespace stack9::languages
