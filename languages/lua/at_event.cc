// Puts the calls of Lua that a program has reported into the native stack.
//
// A function is known by its code, for each closure is another object.  It has
// the name of the one function of the loaded modules that has this code.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "at_event.h"

#include <mutex>
#include <set>
#include <vector>

#include "languages/kept_memory.h"
#include "languages/reported.h"

#include "described.h"
#include "weave.h"

namespace stack9::languages::lua {
namespace {

struct reported_code {
	prototype	its;
	std::string	global;		// its name in the modules; ""
	mutable kept_memory words;
};

struct reported_function {
	std::string	global;
};

using all_code = reported_functions<reported_code>;
using all_functions = reported_functions<reported_function>;

// The global states of a process that events have met.
struct met_globals final : process::attachment {
	std::mutex		lock;
	std::set<std::uint64_t>	all;
};
constexpr std::size_t most_globals = 256;

// A state as it was reported.
struct reported_state {
	std::vector<frame> calls;
	std::vector<std::shared_ptr<const reported_code>> code;	// of each
	std::vector<bool> is_earlier;	// its position may be
	std::vector<bool> is_known;
};

// Reads a prototype twice.  Its tables may be given to others while they are
// read, and a prototype that has the same numbers may be there afterwards.
template <class Is>
bool
keep_same(memory &m, const layout &l, std::uint64_t at, Is is_same,
    kept_memory &to)
{
	kept_memory again;
	keep_prototype(m, l, at, to);
	m.forget();
	if (!is_same())
		return false;
	keep_prototype(m, l, at, again);
	return to == again;
}

class naming {
public:
	naming(const question &q, const loaded &where, const layout &l)
	    : q_(q), l_(l), chain_(describe_chain(l)),
	      met_(kept_with<met_globals>(q.space)),
	      code_(kept_with<all_code>(where.backing)),
	      functions_(kept_with<all_functions>(where.backing)) {}

	void add(const reported_frame &);
	std::vector<shown_state> states();

private:
	std::vector<std::uint64_t> globals() const;
	std::string global_name(std::uint64_t function);
	void meet(std::uint64_t global);
	void add_code(const reported_frame &, reported_state &, frame &);
	void add_function(const reported_frame &, reported_state &, frame &);
	shown_call shown(const reported_state &, std::size_t);

	const question		&q_;
	const layout		&l_;
	const s9_frame_chain	chain_;
	met_globals		&met_;
	const all_code		&code_;
	const all_functions	&functions_;
	std::vector<reported_state> states_;
};

void
naming::meet(std::uint64_t global)
{
	const std::lock_guard hold(met_.lock);
	if (met_.all.size() < most_globals)
		met_.all.insert(global);
	states_.emplace_back();
}

std::vector<std::uint64_t>
naming::globals() const
{
	const std::lock_guard hold(met_.lock);
	return {met_.all.begin(), met_.all.end()};
}

// Two closures of one code in the modules have names of their own, and which of
// them was called is not known.
std::string
naming::global_name(std::uint64_t function)
{
	std::string name, key;
	std::uint64_t first = 0, its;
	bool is_one = true;
	for (const std::uint64_t g : globals())
		each_of_modules(q_.words, l_, g, [&](const module_function &f) {
			its = f.value;
			if ((f.type != type_c && !q_.words.word(f.value +
			    closure_of, its)) || its != function)
				return;
			is_one &= first == 0 || first == f.value;
			if (first == 0 && read_string(q_.words, f.key, key))
				name = f.prefix + key;
			first = f.value;
		});
	return is_one ? name : "";
}

void
naming::add_code(const reported_frame &r, reported_state &to, frame &f)
{
	const auto is_same = [&] {
		return cookie_at(q_.words, chain_.of_code, r.code) == r.cookie;
	};
	const auto found = code_.find(q_, r.code, r.cookie, is_same,
	    [&](reported_code &c, std::size_t &bytes) {
		if (!keep_same(q_.words, l_, r.code, is_same, c.words))
			return false;
		read_prototype(c.words, l_, r.code, c.its);
		c.global = global_name(r.code);
		bytes = c.words.bytes() + 4 * c.its.instructions.size();
		return c.its.at != 0;
	});
	f.is_lua = true;
	f.function = r.code;
	if (found != nullptr && r.has_position())
		f.pc = found->its.code + 4ull * (r.position >> S9_STATUS);
	to.is_known.push_back(found != nullptr);
	to.code.push_back(found);
}

// The library of a function of C may be unloaded, but its address is not given
// to another one soon.
void
naming::add_function(const reported_frame &r, reported_state &to, frame &f)
{
	f.function = r.code | (r.position >> S9_STATUS & S9_WORD_BITS);
	const auto found = functions_.find(q_, f.function, 0,
	    [] { return true; },
	    [&](reported_function &its, std::size_t &bytes) {
		its.global = global_name(f.function);
		bytes = its.global.size();
		return true;
	});
	auto code = std::make_shared<reported_code>();
	code->global = found->global;
	to.is_known.push_back(true);
	to.code.push_back(std::move(code));
}

void
naming::add(const reported_frame &r)
{
	frame f{};
	if (r.is_marked && r.ends)
		return meet(r.code);
	// Functions that are new come without those that are known.
	if (states_.empty())
		states_.emplace_back();
	reported_state &to = states_.back();
	const std::uint32_t status = r.has_position() ? r.position : 0;
	f.is_fresh = r.ends;
	f.is_tail = (status & call_is_tail) != 0;
	f.is_hooked = (status & l_.is_hooked) != 0;
	f.is_finalizer = (status & l_.is_finalizer) != 0;
	to.is_earlier.push_back(!r.has_position() ||
	    (status & S9_STATUS_EARLIER) != 0);
	if (r.is_marked)
		add_function(r, to, f);
	else
		add_code(r, to, f);
	to.calls.push_back(f);
}

shown_call
naming::shown(const reported_state &s, std::size_t n)
{
	const frame &f = s.calls[n], *caller = n + 1 < s.calls.size() ?
	    &s.calls[n + 1] : nullptr;
	shown_call to{f.function, f.is_lua, f.ends_share(), s.is_known[n],
	    "?", "", 0};
	if (!to.is_known)
		return to;
	const reported_code &its = *s.code[n];
	static const reported_code none;
	const reported_code &above = caller != nullptr &&
	    s.code[n + 1] != nullptr ? *s.code[n + 1] : none;
	to.name = its.global;
	if (to.name.empty())
		to.name = name_by_call(above.words, l_, f, caller, above.its);
	if (to.name.empty())
		to.name = f.is_lua ? place_of(its.its) : "?";
	if (!f.is_lua)
		return to;
	to.file = its.its.source;
	if (!s.is_earlier[n])
		to.line = line_of(its.words, l_, its.its,
		    position_of(its.its, f.pc));
	return to;
}

std::vector<shown_state>
naming::states()
{
	std::vector<shown_state> all;
	for (reported_state &s : states_) {
		shown_state &to = all.emplace_back();
		if (!s.calls.empty())
			s.calls.back().is_outermost = true;
		for (std::size_t n = 0; n < s.calls.size(); n++)
			to.push_back(shown(s, n));
	}
	return all;
}

} // namespace

bool
add_reported(const question &q, const loaded &where, const places &p,
    const layout &l, written_stack &to)
{
	if (q.native.depth == 0 && q.asked.reported.empty()) {
		if (to.chain.kind == S9_CHAIN_NONE)
			to.chain = describe_chain(l);
		return true;
	}
	if (q.asked.reported.empty()) {
		to.lacking |= weave(q, where, p, l, to).has_loops();
		return true;
	}
	naming names(q, where, l);
	auto reported = q.asked.reported;
	for (reported_frame its; next_reported(reported, its);)
		names.add(its);
	if (q.native.depth != 0)
		weave(q, where, p, l, to).run_reported(names.states());
	return true;
}

} // namespace stack9::languages::lua
