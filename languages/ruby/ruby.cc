// Walks the frames that Ruby keeps of a thread or a fiber, and puts them in the
// place of the calls of its loop.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "languages/noted_memory.h"
#include "languages/reported.h"

#include "at_event.h"
#include "code.h"
#include "context.h"
#include "gvl.h"
#include "method.h"
#include "names.h"
#include "objects.h"
#include "weave.h"

namespace stack9::languages {
namespace ruby {
namespace {

// The most frames of a stack, of environments around all of them, of different
// code, and of bytes of names.
constexpr std::size_t most_frames = 1 << 16, most_codes = 1 << 12,
    most_text = 1 << 22;
constexpr std::uint64_t most_ahead = 32768;
constexpr unsigned int most_environments = 1 << 16;

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
	const compiled *code_at(std::uint64_t at);
	named_frame named(const control_frame &);
	std::vector<named_frame> named_all();

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
	std::vector<std::uint64_t> read;
	for (const control_frame &f : frames_)
		read.push_back(f.is_compiled() ? f.code : method_value(m_, f));
	std::sort(read.begin(), read.end());
	read.erase(std::unique(read.begin(), read.end()), read.end());
	m_.prefetch_each(read);
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

named_frame
walk::named(const control_frame &f)
{
	named_frame to;
	if (f.is_function()) {
		const noting_memory::noting its_own(m_, method_value(m_, f),
		    part::names);
		const method its = method_of(m_, f, environments_);
		to.is_function = true;
		to.function = its.function;
		if (std::string name = names_.of_function(its); !name.empty())
			to.name = std::move(name);
		return to;
	}
	const noting_memory::noting its_own(m_, f.code, part::names);
	const compiled *const c = code_at(f.code);
	to.ends_loop = f.ends_loop();
	to.is_known = c != nullptr;
	if (c == nullptr)
		return to;
	to.name = c->label;
	if (has_class(*c))
		if (const method its = method_of(m_, f, environments_);
		    its.owner != 0 && its.code == c->method)
			add_class(*c, names_.of_class(its.owner), to.name);
	to.file = c->file;
	to.line = line_of(m_, l_, *c, f.position);
	return to;
}

std::vector<named_frame>
walk::named_all()
{
	std::vector<named_frame> all;
	std::size_t text = 0;
	for (const control_frame &f : frames_) {
		all.push_back(named(f));
		text += all.back().name.size();
		if (text > most_text)
			break;
	}
	return all;
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
		weave(q_, named_all(), an_instruction(), to_);
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
		std::string why;
		const layout l = layout_of(q.words, where.mark, why);
		if (l.version == 0)
			to.note = why;
		else
			walk_noting(q, where, places_in(where), l, to);
	}

	bool
	walk_event(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		const layout l = kept_with<kept_layouts<layout>>(q.space).find(
		    where.mark, [&] {
			return layout_of(q.words, where.mark, to.note);
		}, [](const layout &its) { return its.version != 0; });
		return l.version != 0 && add_reported(q, where,
		    places_in(where), l, to);
	}

private:
	static const places &
	places_in(const loaded &where)
	{
		return kept_with<places>(where.backing, [&] {
			return find_places(where.backing);
		});
	}

	static constexpr std::string_view marks_[] = {"ruby_version"};
};

} // namespace ruby

static constexpr ruby::machine the_runtime;
extern const runtime &runtime_ruby;
const runtime &runtime_ruby = the_runtime;

} // namespace stack9::languages
