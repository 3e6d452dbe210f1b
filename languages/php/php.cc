// Finds PHP in a process, and the thread's frames in it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <string>

#include "at_event.h"
#include "globals.h"
#include "weave.h"

namespace stack9::languages {
namespace php {
namespace {

std::unique_ptr<process::attachment>
find_places(process::file &f)
{
	static constexpr std::string_view names[] = {
		"executor_globals", "executor_globals_offset",
		"tsrm_get_ls_cache", "module_registry", "execute_ex",
		"execute_ex.cold", "zend_ce_generator", "zend_flf_functions",
		"zend_flf_handlers", "zend_call_function", "zend_execute",
		"zend_generator_resume",
	};
	found_symbol found[std::size(names)];
	find_symbols(f, names, found);
	auto made = std::make_unique<places>();
	made->globals = found[0];
	made->globals_offset = found[1];
	made->thread_cache = found[2];
	made->modules = found[3];
	made->loop = found[4];
	made->cold_loop = found[5];
	made->generator_class = found[6];
	made->frameless = found[7];
	made->frameless_handlers = found[8];
	std::copy_n(found + 9, made->loop_callers.size(),
	    made->loop_callers.begin());
	return made;
}

} // namespace

class zend final : public runtime {
public:
	constexpr zend() noexcept : runtime("php", marks_, 100) {}

	void
	walk(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		const places &p = places_in(where);
		std::uint64_t globals;
		const layout l = layout_of(q.words, p, where.bias, to.note);
		if (l.api == 0)
			return;
		if (!find_globals(q, p, where.bias, globals))
			to.note = std::string(l.name) +
			    " with threads: its globals are not found";
		else if (globals != 0)
			php::weave(q, where, p, l, globals, to).run();
	}

	bool
	walk_event(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		const places &p = places_in(where);
		const layout l = kept_with<kept_layouts<layout>>(q.space).find(
		    where.bias, [&] {
			return layout_of(q.words, p, where.bias, to.note);
		}, [](const layout &its) { return its.api != 0; });
		s9_frame_chain its{};
		if (l.api == 0 || !describe_chain(where, p, l, its))
			return false;
		if (q.native.depth == 0 && to.chain.kind == S9_CHAIN_NONE)
			to.chain = its;
		if (!q.asked.reported.empty())
			weave_reported(q, where, p, l,
			    kept_with<reported_code_of_php>(
			    where.backing), to);
		else
			to.lacking |= !find_loops(q, where, p).empty();
		return true;
	}

private:
	static const places &
	places_in(const loaded &where)
	{
		return kept_with<places>(where.backing, [&] {
			return find_places(where.backing);
		});
	}

	static constexpr std::string_view marks_[] = {"executor_globals",
	    "executor_globals_offset"};
};

} // namespace php

static constexpr php::zend the_php;
extern const runtime &runtime_php;
const runtime &runtime_php = the_php;

} // namespace stack9::languages
