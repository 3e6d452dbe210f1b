// Applies rule and row to made-up registers and memory: whatever they look
// like, they must lead to the same places.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "corpus_rule.h"

#include <optional>

#include "corpus_expression.h"

using namespace stack9::unwind;

namespace {

// The place of the caller's register.
struct spot {
	enum { unknown, kept, lost, at } what = unknown;
	std::uint64_t address = 0;

	bool operator==(const spot &) const = default;
};

struct frame {
	std::uint64_t	cfa = 0;	// also the caller's sp
	spot		sp, fp, ra;
	bool operator==(const frame &) const = default;
};

spot
spot_of(const place &p, const made_up &m, std::uint64_t cfa)
{
	switch (p.what) {
	case place::unspecified:
	case place::same:
		return {spot::kept};
	case place::undefined:
		return {spot::lost};
	case place::offset:
		return {spot::at, cfa + static_cast<std::uint64_t>(p.number)};
	case place::expression:
		if (const auto v = work_out(p.bytes(), m, cfa))
			return {spot::at, *v};
		return {};
	default:
		return {};
	}
}

std::optional<std::uint64_t>
cfa_by(const row &r, const made_up &m)
{
	if (r.cfa_register < 0)
		return work_out(r.cfa_expression, m);
	return m.of_register(static_cast<std::uint64_t>(r.cfa_register)) +
	    static_cast<std::uint64_t>(r.cfa_offset);
}

std::optional<frame>
by_row(const row &r, const made_up &m)
{
	const auto cfa = cfa_by(r, m);
	if (!cfa)
		return std::nullopt;
	return frame{*cfa, spot_of(r.places[register_sp], m, *cfa),
	    spot_of(r.places[register_fp], m, *cfa),
	    spot_of(r.places[register_pc], m, *cfa)};
}

std::optional<frame>
by_rule(rule r, const made_up &m)
{
	const std::uint64_t sp = m.of_register(register_sp);
	const std::uint64_t fp = m.of_register(register_fp);
	frame f;
	f.sp = {spot::kept};
	switch (r.kind()) {
	case kind::sp:
		f.cfa = sp + r.cfa();
		break;
	case kind::fp:
		f.cfa = fp + r.cfa();
		break;
	case kind::realigned:
		f.cfa = m.word(fp - r.cfa());
		f.fp = {spot::at, fp};
		f.ra = {spot::at, ra_slot(r, f.cfa)};
		return f;
	case kind::signal:
		f.cfa = m.word(sp + signal_sp);
		f.sp = {spot::at, sp + signal_sp};
		f.fp = {spot::at, sp + signal_fp};
		f.ra = {spot::at, sp + signal_pc};
		return f;
	default:
		return std::nullopt;
	}
	f.fp = r.saved() == 0 ? spot{spot::kept} :
	    spot{spot::at, fp_slot(r, f.cfa)};
	f.ra = {spot::at, ra_slot(r, f.cfa)};
	return f;
}

// A CFA at the register itself (only valgrind's libraries have one) may be
// left to full stepping.
bool
words(std::int64_t bytes)
{
	return bytes > 0 && bytes % 8 == 0 &&
	    bytes / 8 <= static_cast<std::int64_t>(rule::field_max);
}

bool
plain_return(const row &r)
{
	const place &p = r.places[register_pc];
	return r.return_column == register_pc && p.what == place::offset &&
	    p.number == -8;
}

bool
kept(const place &p)
{
	return p.what == place::unspecified || p.what == place::same;
}

bool
by_sp_or_fp(const row &r)
{
	return r.cfa_register == register_sp || r.cfa_register == register_fp;
}

// True if a rule of the two common kinds has room for it.
bool
fits(const row &r)
{
	const place &fp = r.places[register_fp];
	return by_sp_or_fp(r) && words(r.cfa_offset) && plain_return(r) &&
	    kept(r.places[register_sp]) && !r.signal_frame &&
	    (kept(fp) || (fp.what == place::offset && fp.number < 0 &&
	    words(-fp.number)));
}

// The cause given must be one of those that there are.
bool
true_cause(cause c, const row &r)
{
	const place &fp = r.places[register_fp];
	switch (c) {
	case cause::cfa_register:
		return r.cfa_register >= 0 && !by_sp_or_fp(r);
	case cause::cfa_expression:
		return r.cfa_register < 0;
	case cause::far:
		return !words(r.cfa_offset) ||
		    (fp.what == place::offset && !words(-fp.number));
	case cause::return_address:
		return !plain_return(r) || r.signal_frame;
	case cause::frame_pointer:
		return !kept(fp) && (fp.what != place::offset ||
		    fp.number >= 0);
	case cause::malformed:
		return false;
	}
	return false;
}

const char *
wrong_with_full(rule made, const row &r)
{
	if (fits(r))
		return "kind full, but a rule would fit";
	return true_cause(made.cause(), r) ? nullptr :
	    "kind full, and its cause is not true";
}

} // namespace

const char *
wrong_with(rule made, const row &r, std::uintptr_t pc)
{
	const bool end = r.places[register_pc].what == place::undefined;
	if (end != (made.kind() == kind::end))
		return end ? "not kind end, but there is no return address" :
		    "kind end, but there is a return address";
	if (end)
		return nullptr;
	if (made.kind() == kind::full)
		return wrong_with_full(made, r);
	if (r.signal_frame != (made.kind() == kind::signal))
		return "only kind signal is for signal frames";
	for (const std::uint64_t seed : {0x1000, 0x3579}) {
		const auto row_says = by_row(r, {pc, seed});
		const auto rule_says = by_rule(made, {pc, seed});
		if (!rule_says)
			return "no kind for a row";
		if (!row_says || *row_says != *rule_says)
			return "the rule leads elsewhere than the row";
	}
	return nullptr;
}

std::string
text_of(rule r)
{
	constexpr const char *kinds[] = {
		"none", "sp", "fp", "realigned", "signal", "end", "full",
		"absent",
	};
	constexpr const char *causes[] = {
		"CFA in another register", "CFA computed", "far",
		"return address elsewhere", "frame pointer elsewhere",
		"malformed",
	};
	const std::string text = kinds[static_cast<unsigned int>(r.kind())];
	return r.kind() != kind::full ? text :
	    text + ": " + causes[static_cast<unsigned int>(r.cause())];
}
