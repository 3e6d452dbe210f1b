// Compares the unwind information of hundreds of real objects, as rows and as
// rules, with elfutils' libdw at every pc where a row begins or ends.
//
// STACK9_CORPUS is how many objects are taken, 800 without it; "all" takes
// every one there is.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "corpus_files.h"
#include "corpus_libdw.h"
#include "corpus_object.h"
#include "corpus_rule.h"
#include "corpus_tally.h"
#include "require.h"

using namespace stack9::unwind;

namespace {

constexpr std::size_t objects_all = 800, objects_usual = 300;
constexpr std::size_t objects_least = 200;
constexpr std::size_t files_least = 240;	// some have no such section

// More than this takes more than its share of the minute.
constexpr std::size_t section_max = 512 * 1024;

std::size_t
objects_wanted()
{
	const char *n = std::getenv("STACK9_CORPUS");
	if (n != nullptr)
		return std::strtoul(n, nullptr, 10);
	return long_run() ? objects_all : objects_usual;
}

// So far into a function whose CFA is computed, every pc is looked at: a PLT's
// depends on it.
constexpr std::size_t every_pc = 64;

class examination {
public:
	examination(const object &o, const frame_section &s, tally &t)
	    : object_(o), section_(s), tally_(t) {}

	void
	everything()
	{
		const std::size_t few = section_.functions.size() / 8 + 1;
		std::size_t n = 0;
		for (const function &f : section_.functions)
			one(f, n++ % few == 0);
		tally_.functions += section_.functions.size();
	}

private:
	void
	one(const function &f, bool search)
	{
		for (std::uintptr_t pc = f.begin; pc < f.end; ) {
			std::uintptr_t next = at(f, pc, search);
			next = std::clamp(next, pc + 1, f.end);
			if (next - 1 != pc)
				at(f, next - 1, search);
			pc = next;
		}
		// After it may be another, or nothing.
		if (by_table())
			at(f, f.end, search);
	}

	// Returns where to look next.
	std::uintptr_t
	at(const function &f, std::uintptr_t pc, bool search)
	{
		const libdw_row theirs(section_.libdw, pc);
		tally_.pcs++;
		row ours;
		compare(pc, lookup(f, pc, ours), ours, theirs, true);
		if (search) {
			row found;
			const auto how = row_by_search(section_.cfi, pc, found);
			compare(pc, how, found, theirs, false);
			tally_.searched++;
		}
		if (theirs.computes() && pc - f.begin < every_pc)
			return pc + 1;
		return theirs.end() != 0 ? theirs.end() : f.end;
	}

	bool
	by_table() const
	{
		return !section_.cfi.debug_frame && object_.header != 0;
	}

	found
	lookup(const function &f, std::uintptr_t pc, row &ours) const
	{
		return by_table() ? row_by_header(object_.image(),
		    object_.header, pc, ours) :
		    row_of_fde(section_.cfi, f.fde, pc, ours);
	}

	void
	compare(std::uintptr_t pc, found how, const row &ours,
	    const libdw_row &theirs, bool with_rule)
	{
		if ((how == found::yes) != theirs.found())
			return differs("only one of them finds a row", pc,
			    ours, theirs);
		if (how != found::yes)
			return;
		// libgcrypt's assembler, for one: the offset meant is the one
		// before the expression, where libgcc and libunwind have it.
		if (!theirs.has_cfa())
			tally_.explained("libdw has no CFA for "
			    "def_cfa_register after def_cfa_expression");
		if (pc < ours.begin || pc >= ours.end)
			differs("the function is another", pc, ours, theirs);
		if (const char *what = theirs.differs(ours))
			differs(what, pc, ours, theirs);
		if (with_rule)
			check_rule(pc, ours, theirs);
	}

	void
	check_rule(std::uintptr_t pc, const row &ours, const libdw_row &theirs)
	{
		const rule made = rule_of_row(ours, pc);
		tally_.rule(text_of(made));
		if (const char *wrong = wrong_with(made, ours, pc))
			differs(wrong, pc, ours, theirs);
	}

	void
	differs(const char *what, std::uintptr_t pc, const row &ours,
	    const libdw_row &theirs)
	{
		tally_.differs(what, [&] {
			const std::string mine = ours.begin == ours.end ?
			    "none" : text_of(ours) + " made " +
			    text_of(rule_of_row(ours, pc));
			return fmt::format("{} {:#x}\n    ours:   {}\n"
			    "    libdw:  {}", object_.name, pc, mine,
			    theirs.text());
		});
	}

	const object		&object_;
	const frame_section	&section_;
	tally			&tally_;
};

void
examine(const std::string &path, tally &t)
{
	const object o(path);
	bool any = false;
	for (const frame_section *s : {&o.eh_frame, &o.debug_frame}) {
		if (s->libdw == nullptr || (objects_wanted() != 0 &&
		    s->cfi.bytes.size() > section_max))
			continue;
		examination(o, *s, t).everything();
		any = true;
	}
	t.objects += any ? 1 : 0;
}

// Named like a requirement of needs(): in STACK9_REQUIRE it is a failure.
boost::unit_test::decorator::precondition
needs_files(std::size_t least)
{
	return boost::unit_test::decorator::precondition(
	    [least, name = std::string("corpus")]
	    (boost::unit_test::test_unit_id id)
	    -> boost::test_tools::assertion_result {
		    const std::size_t n = elf_files().size();
		    const char *list = std::getenv("STACK9_REQUIRE");
		    if (n >= least || (list != nullptr &&
			std::string(list).find(name) != std::string::npos))
			    return true;
		    const std::string lack = fmt::format("needs {}: {} ELF "
			"files of {}", name, n, least);
		    fmt::print(stderr, "skipped: {}: {}\n",
			boost::unit_test::framework::get(id,
			    boost::unit_test::TUT_ANY).p_name.get(), lack);
		    boost::test_tools::assertion_result no(false);
		    no.message() << lack;
		    return no;
	    });
}

} // namespace

BOOST_AUTO_TEST_SUITE(corpus)

BOOST_AUTO_TEST_CASE(rows_are_libdw_s, *needs_files(files_least)
    *boost::unit_test::description("DETAILS: Unwind information is read as "
    "elfutils reads it, and a rule says what its row says."))
{
	tally t;
	for (const std::string &path : spread(elf_files(), objects_wanted()))
		examine(path, t);
	t.print("corpus");
	BOOST_TEST(t.differences() == 0U);
	BOOST_TEST(t.expected() <= t.pcs / 10000);
	if (std::getenv("STACK9_CORPUS") == nullptr)
		BOOST_TEST(t.objects >= objects_least);
}

BOOST_AUTO_TEST_CASE(every_form_is_read,
    *boost::unit_test::description("DETAILS: .debug_frame of any version, and "
    ".eh_frame without its table, are read like .eh_frame."))
{
	for (const char *name : {"version1", "version3", "version4", "wide",
	    "no_table"}) {
		tally t;
		examine(fmt::format(FIXTURES "unwind_{}.so", name), t);
		t.print(name);
		BOOST_TEST(t.differences() == 0U);
		BOOST_TEST(t.pcs > 20U);
	}
}

BOOST_AUTO_TEST_SUITE_END()
