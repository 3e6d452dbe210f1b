// Walks the frames that Ruby keeps of a thread or a fiber, and puts them in the
// place of the calls of its loop.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "languages/noted_memory.h"

#include "calls.h"
#include "code.h"
#include "context.h"
#include "gvl.h"
#include "method.h"
#include "names.h"
#include "objects.h"

namespace stack9::languages {
namespace ruby {
namespace {

// The most frames of a stack, of environments around all of them, of different
// code, of native frames that are compared, and of bytes of names.
constexpr std::size_t most_frames = 1 << 16, most_codes = 1 << 12,
    most_text = 1 << 22;
constexpr std::uint64_t most_ahead = 32768;
constexpr unsigned int most_environments = 1 << 16, most_compared = 1 << 22;

class walk {
public:
	// m: the memory of the question.
	walk(const question &q, noting_memory &m, const loaded &where,
	    const places &p, const layout &l, written_stack &to)
	    : q_(q), m_(m), where_(where), places_(p), l_(l), to_(to),
	      names_(m, where, p, l) {}

	void run();

private:
	bool find_own_context(context &);
	void read_frames(const context &);
	void read_ahead();
	void find_own_lock(std::uint64_t thread);
	void add_own_name(std::uint64_t thread);
	std::uint64_t an_instruction();
	void assign(const std::vector<call> &);
	const compiled *code_at(std::uint64_t at);
	void add_compiled(const control_frame &, std::uint32_t at,
	    std::uint32_t flags);
	void add_functions(std::size_t first, std::size_t end,
	    std::uint32_t from, std::uint32_t to, std::uint32_t flags);

	const question		&q_;
	noting_memory		&m_;
	const loaded		&where_;
	const places		&places_;
	const layout		&l_;
	written_stack		&to_;
	names			names_;
	std::vector<control_frame> frames_;	// innermost first
	std::map<std::uint64_t, compiled> codes_;
	unsigned int		environments_ = most_environments;
	unsigned int		compared_ = most_compared;
};

// The way from the machine to a thread is read by one request.
bool
walk::find_own_context(context &to)
{
	m_.prefetch(where_.mark, part::step);
	const noting_memory::noting its(m_, where_.mark, part::step);
	return find_context(q_, where_, places_, l_, to);
}

// Frames lie above one another, and their environments at the other end.
void
walk::read_frames(const context &c)
{
	control_frame f;
	m_.prefetch_all(c.frame, std::min<std::uint64_t>(c.end - c.frame,
	    most_ahead));
	m_.prefetch_all(c.begin, std::min<std::uint64_t>(c.frame - c.begin,
	    most_ahead));
	for (std::uint64_t at = c.frame; at < c.end &&
	    frames_.size() < most_frames && read_frame(m_, at, f);
	    at += l_.frame_size)
		if (f.is_compiled() || f.is_function())
			frames_.push_back(f);
}

// All that other threads have read of the code of these frames is read by one
// request.
void
walk::read_ahead()
{
	std::vector<std::uint64_t> codes;
	for (const control_frame &f : frames_)
		codes.push_back(f.is_compiled() ? f.code : method_value(m_, f));
	std::sort(codes.begin(), codes.end());
	codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
	m_.prefetch_each(codes);
}

// Most of what is looked at is the same for each thread.
void
walk::find_own_lock(std::uint64_t thread)
{
	m_.prefetch(where_.mark, part::names);
	const noting_memory::noting its(m_, where_.mark, part::names);
	find_gvl(m_, l_, thread, to_.lock);
}

void
walk::add_own_name(std::uint64_t thread)
{
	std::uint64_t name;
	m_.prefetch(thread, part::names);
	const noting_memory::noting its(m_, thread, part::names);
	if (to_.thread_name.empty() && m_.word(thread + l_.thread_name, name))
		read_string(m_, l_, name, to_.thread_name);
}

const compiled *
walk::code_at(std::uint64_t at)
{
	const auto [known, is_new] = codes_.try_emplace(at);
	if (is_new && codes_.size() <= most_codes)
		read_compiled(m_, l_, at, known->second);
	return known->second.body != 0 ? &known->second : nullptr;
}

std::uint64_t
walk::an_instruction()
{
	std::uint64_t word;
	for (const control_frame &f : frames_)
		if (f.is_compiled())
			if (const compiled *const c = code_at(f.code);
			    c != nullptr && m_.word(c->begin, word))
				return word;
	return 0;
}

// The name of a method that has the code of the frame stands for itself in the
// label: "block in reserve" becomes "block in Shop#reserve".
void
walk::add_compiled(const control_frame &f, std::uint32_t at,
    std::uint32_t flags)
{
	const noting_memory::noting its_own(m_, f.code, part::names);
	const compiled *const c = code_at(f.code);
	if (c == nullptr)
		return to_.add(at, flags | written_guessed, "ruby", "?", "", 0);
	std::string name = c->label;
	if (c->is_method && !c->base.empty() && name.ends_with(c->base))
		if (const method its = method_of(m_, f, environments_);
		    its.owner != 0 && its.code == c->method)
			name.insert(name.size() - c->base.size(),
			    names_.of_class(its.owner));
	to_.add(at, flags, "ruby", name, c->file, line_of(m_, l_, *c,
	    f.position));
}

// Adds functions in C that have called one another, before their native frames:
// these are in [from, to).  One whose native frame is not there, because it
// ended in a jump, goes with the next one.
void
walk::add_functions(std::size_t first, std::size_t end, std::uint32_t from,
    std::uint32_t to, std::uint32_t flags)
{
	std::size_t waiting = first;
	const auto add_waiting = [&](std::size_t until, std::uint32_t at) {
		for (; waiting < until; waiting++) {
			const noting_memory::noting its_own(m_, method_value(
			    m_, frames_[waiting]), part::names);
			const method its = method_of(m_, frames_[waiting],
			    environments_);
			const std::string &name = names_.of_identifier(
			    its.name);
			to_.add(at, flags, "ruby", name.empty() ? "?" :
			    names_.of_class(its.owner) + name, "", 0);
		}
	};
	for (std::size_t i = first; i < end; i++) {
		const method its = method_of(m_, frames_[i], environments_);
		const std::uint32_t at = its.function == 0 ? to :
		    find_function(q_, its.function, from, to, compared_);
		if (at == to)
			continue;
		add_waiting(i + 1, at);
		from = at + 1;
	}
	add_waiting(end, to);
}

// Each call of the loop gets its share of the frames, from the outermost one if
// the native stack has that, because a thread may be about to call the loop.
// Functions come before the call that they were called by.
void
walk::assign(const std::vector<call> &calls)
{
	const auto shares = static_cast<std::size_t>(std::count_if(
	    frames_.begin(), frames_.end(), [](const control_frame &f) {
		return f.is_compiled() && f.ends_loop();
	}));
	const bool is_whole = q_.native.why == STACK9_WHY_NONE ||
	    shares == calls.size();
	std::size_t n = 0, early = 0;
	if (is_whole && shares > calls.size())
		early = shares - calls.size();
	else if (is_whole)
		n = calls.size() - shares;
	std::uint32_t from = n == 0 ? 0 : calls[n - 1].loop + 1;
	for (std::size_t i = 0, end; i < frames_.size() &&
	    to_.text.size() < most_text; i = end) {
		const control_frame &f = frames_[i];
		const bool is_known = early == 0 && n < calls.size();
		const std::uint32_t at = early > 0 ? from : is_known ?
		    calls[n].loop : q_.native.depth;
		end = i + 1;
		if (f.is_function()) {
			while (end < frames_.size() &&
			    frames_[end].is_function())
				end++;
			add_functions(i, end, from, at, is_known || (is_whole &&
			    early == 0) ? 0 : written_guessed);
			continue;
		}
		add_compiled(f, at, is_known ? written_replaces :
		    written_guessed);
		if (!f.ends_loop())
			continue;
		if (early > 0) {
			early--;
		} else if (is_known) {
			from = calls[n].loop + 1;
			n++;
		}
	}
}

void
walk::run()
{
	context c;
	if (!find_own_context(c))
		return;
	read_frames(c);
	read_ahead();
	find_own_lock(c.thread);
	add_own_name(c.thread);
	if (!frames_.empty())
		assign(find_calls(q_, an_instruction()));
}

void
walk_noting(const question &q, const loaded &where, const places &p,
    const layout &l, written_stack &to)
{
	noting_memory m(q.words, q.copy, kept_with<noted_places>(q.space));
	const question noted{q.space, q.thread, q.copy, m, q.code,
	    q.asked, q.native};
	walk(noted, m, where, p, l, to).run();
}

} // namespace

class machine final : public runtime {
public:
	constexpr machine() noexcept : runtime("ruby", marks_, 100) {}

	void
	walk(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		const places &p = kept_with<places>(where.backing, [&] {
			return find_places(where.backing);
		});
		std::string why;
		const layout l = layout_of(q.words, where.mark, why);
		if (l.version == 0)
			to.note = why;
		else
			walk_noting(q, where, p, l, to);
	}

private:
	static constexpr std::string_view marks_[] = {"ruby_version"};
};

} // namespace ruby

static constexpr ruby::machine the_runtime;
extern const runtime &runtime_ruby;
const runtime &runtime_ruby = the_runtime;

} // namespace stack9::languages
