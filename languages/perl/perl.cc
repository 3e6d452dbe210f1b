// Finds Perl in a process, and the thread's frames in it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <string>

#include "at_event.h"
#include "weave.h"

namespace stack9::languages {
namespace perl {
namespace {

std::unique_ptr<process::attachment>
find_perl_places(process::file &f)
{
	static constexpr std::string_view names[] = {
		"PL_version", "PL_thr_key", "PL_curcop", "PL_curstackinfo",
		"Perl_runops_standard", "Perl_runops_debug", "PL_op",
	};
	found_symbol found[std::size(names)];
	find_symbols(f, names, found);
	auto made = std::make_unique<places>();
	made->version = found[0];
	made->key = found[1];
	made->current_cop = found[2];
	made->current_stack = found[3];
	std::copy_n(found + 4, made->loops.size(), made->loops.begin());
	made->current_op = found[6];
	return made;
}

// Maintenance of a release keeps the structures.
layout
layout_of(unwind::memory &m, const places &p, std::uint64_t bias,
    std::string &why)
{
	std::uint8_t minor;
	layout l;
	if (p.version.vaddr == 0 ||
	    !m.read(p.version.vaddr + bias, &minor, sizeof minor)) {
		why = "perl: its version is not known";
		return l;
	}
	l.has_threads = p.key.vaddr != 0;
	if (minor < 32 || minor > 42 || minor % 2 != 0 || (!l.has_threads &&
	    (p.current_cop.vaddr == 0 || p.current_stack.vaddr == 0))) {
		why = "perl 5." + std::to_string(minor) +
		    ": its layout is not known";
		return l;
	}
	l.minor = minor;
	l.current_cop = minor == 32 ? 0xe0 : 0xd0;
	l.current_stack = minor == 32 ? 0xf0 : 0xe0;
	l.aux_in_body = minor >= 36;
	// The headers of 5.38 were not at hand.
	l.next_state = minor <= 36 ? 195 : minor == 40 ? 198 :
	    minor == 42 ? 202 : 0;
	l.scope = l.next_state == 0 ? 0 : l.next_state + 5;
	return l;
}

} // namespace

class perl5 final : public runtime {
public:
	constexpr perl5() noexcept : runtime("perl", marks_, 100) {}

	void
	walk(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		const places &p = places_in(where);
		const layout l = layout_of(q.words, p, where.bias, to.note);
		if (l.minor != 0)
			weave(q, where, p, l, to).run();
	}

	bool
	walk_event(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		const places &p = places_in(where);
		const layout l = kept_with<kept_layouts<layout>>(q.space).find(
		    where.bias, [&] {
			return layout_of(q.words, p, where.bias, to.note);
		}, [](const layout &its) { return its.minor != 0; });
		return l.minor != 0 && add_reported(q, where, p, l, to);
	}

private:
	static const places &
	places_in(const loaded &where)
	{
		return kept_with<places>(where.backing, [&] {
			return find_perl_places(where.backing);
		});
	}

	static constexpr std::string_view marks_[] = {"PL_curinterp",
	    "PL_curstackinfo"};
};

} // namespace perl

static constexpr perl::perl5 the_perl;
extern const runtime &runtime_perl;
const runtime &runtime_perl = the_perl;

} // namespace stack9::languages
