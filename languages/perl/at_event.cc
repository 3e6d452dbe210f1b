// Puts the contexts of Perl that a program has reported into the native stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "at_event.h"

#include <vector>

#include "languages/reported.h"

#include "closest.h"
#include "described.h"
#include "weave.h"

namespace stack9::languages::perl {
namespace {

struct reported_name {
	std::string	its;
};

using all_names = reported_functions<reported_name>;
using all_statements = reported_functions<statement>;

class naming {
public:
	naming(const question &q, const loaded &where, const places &p,
	    const layout &l)
	    : q_(q), l_(l), chain_(describe_contexts(where, p, l)),
	      names_(kept_with<all_names>(where.backing)),
	      statements_(kept_with<all_statements>(where.backing)) {}

	void add(const reported_frame &);

	// Those so far, and the place of the current statement.
	std::vector<context> contexts;
	line_of_file	place;
	bool		is_whole = false;

private:
	line_of_file place_of(const reported_frame &, bool is_behind) const;
	std::string name_of(const reported_frame &) const;

	const question		&q_;
	const layout		&l_;
	const s9_frame_chain	chain_;
	const all_names		&names_;
	const all_statements	&statements_;
};

line_of_file
naming::place_of(const reported_frame &f, bool is_behind) const
{
	const auto found = statements_.find(q_, f.code, f.cookie, [&] {
		return cookie_at(q_.words, chain_.of_code, f.code) == f.cookie;
	}, [&](statement &to, std::size_t &bytes) {
		to = read_statement(q_.words, l_, f.code);
		bytes = to.ops.size() * sizeof to.ops[0];
		for (const line_of_file &p : to.places)
			bytes += sizeof p + p.file.size();
		return to.places[0].line != 0;
	});
	const std::uint64_t op = !f.has_position() ? 0 : f.code +
	    static_cast<std::uint64_t>(static_cast<std::int32_t>(f.position));
	return found == nullptr ? line_of_file() : found->at(op, is_behind);
}

std::string
naming::name_of(const reported_frame &f) const
{
	const auto is = [&](const s9_reported_object &o) {
		return cookie_at(q_.words, o, f.code) == f.cookie;
	};
	const auto found = names_.find(q_, f.code, f.cookie, [&] {
		return is(chain_.of_entry) || is(chain_.contexts.of_callee);
	}, [&](reported_name &to, std::size_t &bytes) {
		to.its = is(chain_.of_entry) ?
		    name_of_glob(q_.words, l_, f.code) :
		    sub_name(q_.words, l_, f.code);
		bytes = to.its.size();
		return !to.its.empty();
	});
	return found == nullptr ? "" : found->its;
}

// A place follows the context that came from it; the first one is the current
// one.
void
naming::add(const reported_frame &f)
{
	context to{};
	if (f.is_marked && !f.ends && f.code == 0) {
		is_whole = true;
		return;
	}
	if (f.is_marked && !f.ends) {
		if (contexts.empty()) {
			place = place_of(f, false);
			return;
		}
		contexts.back().place = place_of(f, true);
		contexts.back().is_frame = true;
		return;
	}
	to.is_entered = f.ends;
	if (f.is_marked) {
		to.what = context::kind::eval;
		to.is_entered = (f.cookie & S9_EVAL_ENTERED) != 0;
		to.is_within = (f.cookie & S9_EVAL_WITHIN) != 0;
		to.jump = static_cast<std::uint32_t>(f.code);
		to.before = f.position;
	} else if (f.code == 0) {
		to = a_comparison();
	} else {
		to.name = name_of(f);
	}
	contexts.push_back(std::move(to));
}

} // namespace

bool
add_reported(const question &q, const loaded &where, const places &p,
    const layout &l, written_stack &to)
{
	if (q.native.depth == 0 && q.asked.reported.empty()) {
		s9_frame_chain its = describe_contexts(where, p, l);
		if (to.chain.kind == S9_CHAIN_NONE &&
		    find_way(q, where, p, l, its))
			to.chain = its;
		return true;
	}
	if (q.asked.reported.empty()) {
		to.lacking |= weave(q, where, p, l, to).has_loops();
		return true;
	}
	naming names(q, where, p, l);
	auto reported = q.asked.reported;
	for (reported_frame its; next_reported(reported, its);)
		names.add(its);
	if (q.native.depth != 0)
		weave(q, where, p, l, to).run_reported(
		    std::move(names.contexts), std::move(names.place),
		    names.is_whole);
	return true;
}

} // namespace stack9::languages::perl
