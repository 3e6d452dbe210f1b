// Tests names for people.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstring>
#include <string>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include "core_calls.h"
#include "core/seam/symbols.h"

using boost::unit_test::description;
namespace data = boost::unit_test::data;

namespace {

struct pair {
	const char	*mangled, *name;
};

std::ostream &
operator<<(std::ostream &out, const pair &p)
{
	return out << p.mangled;
}

const pair mangled[] = {
	// C++
	{"_Z3foov", "foo()"},
	{"_ZN3foo3barEi", "foo::bar(int)"},
	{"_ZN6levelsL9innermostEi", "levels::innermost(int)"},
	{"_ZNSt6vectorIiSaIiEE9push_backEOi",
	    "std::vector<int, std::allocator<int> >::push_back(int&&)"},
	{"_Z3fooILi1EEvv.isra.0.cold",
	    "void foo<1>() [clone .isra.0] [clone .cold]"},
	{"_ZN3FooC2ERKS_", "Foo::Foo(Foo const&)"},
	{"_ZNK3FoocvbEv", "Foo::operator bool() const"},
	{"_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()() const"},
	{"_ZTV3Foo", "vtable for Foo"},
	{"_ZGVZ1fvE1x", "guard variable for f()::x"},
	// Rust, as it was until 2025, without its hash
	{"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"},
	{"_ZN4core3fmt5write17h0123456789abcdefE.llvm.123456",
	    "core::fmt::write"},
	{"_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test"
	    "$GT$$GT$3bar17h930b740aa94f1d3aE",
	    "<Test + 'static as foo::Bar<Test>>::bar"},
	// Rust v0
	{"_RNvC6_123foo3bar", "123foo::bar"},
	{"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"},
	{"_RNCINkXs25_NgCsbmNqQUJIY6D_4core5sliceINyB9_4IterhENuNgNoBb_4iter8it"
	    "erator8Iterator9rpositionNCNgNpB9_6memchr7memrchrs_0E0Bb_",
	    "<core::slice::Iter<u8> as core::iter::iterator::Iterator>::"
	    "rposition::<core::slice::memchr::memrchr::{closure#1}>::"
	    "{closure#0}"},
	{"_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
	    "utf8_idents::"
	    "\u10e1\u10d0\u10ed\u10db\u10d4\u10da\u10d0\u10d3_\u10d2\u10d4"
	    "\u10db\u10e0\u10d8\u10d4\u10da\u10d8_\u10e1\u10d0\u10d3\u10d8"
	    "\u10da\u10d8"},
	// D
	{"_Dmain", "D main"},
	{"_D3std5stdio7writelnFAyaZv", "std.stdio.writeln(immutable(char)[])"},
	{"_D6object9Throwable7messageMxFNbNfZAxa",
	    "object.Throwable.message() const"},
	{"_D3std10checkedint__T7CheckedTmTSQBfQBe5AbortZQz6toHashMxFNaNbNiNfZm",
	    "std.checkedint.Checked!(ulong, std.checkedint.Abort).Checked."
	    "toHash() const"},
	{"_D3gcc8sections3elf7freeDSOFNbNiPSQBgQBfQz3DSOZv",
	    "gcc.sections.elf.freeDSO(gcc.sections.elf.DSO*)"},
};

const char *const unmangled[] = {"", "main", "_start", "_Z", "_R", "Z3foov",
    "_Zfoo", "_ZN3foo", "_RNvC6_123foo", "__libc_start_main", "_ZNoE",
    "foo::bar", "runtime.main", "_Rfoo", "Reader", "_D", "_DYNAMIC",
    "_D3fo", "_D3fooFQbZv"};

std::string
repeat(const std::string &part, int times)
{
	std::string s;
	while (times-- > 0)
		s += part;
	return s;
}

// A reference of D to what is so many bytes before it.
std::string
back_in_d(std::size_t distance)
{
	std::string s(1, static_cast<char>('a' + distance % 26));
	while ((distance /= 26) != 0)
		s.insert(s.begin(), static_cast<char>('A' + distance % 26));
	return 'Q' + s;
}

// Returns, with whatever text, and in its room.
void
ask(const std::string &name)
{
	for (const std::size_t size : std::vector<std::size_t>{1, 2, 5, 100,
	    stack9::name_max, 5000}) {
		std::string text(size + 1, '#');
		const int error = stack9::demangle(name.c_str(), text.data(),
		    size);
		BOOST_REQUIRE((error == 0 || error == ENOENT));
		BOOST_REQUIRE(strnlen(text.data(), size) < size);
		BOOST_REQUIRE(text[size] == '#');
	}
}

} // namespace

BOOST_AUTO_TEST_SUITE(demangled)

BOOST_DATA_TEST_CASE(as_in_the_source, data::make(mangled), p)
{
	char text[stack9::name_max];
	BOOST_TEST(stack9::demangle(p.mangled, text, sizeof(text)) == 0);
	BOOST_TEST(std::string(text) == p.name);
}

BOOST_DATA_TEST_CASE(what_is_not_mangled_stays, data::make(unmangled), name)
{
	char text[64];
	BOOST_TEST(stack9::demangle(name, text, sizeof(text)) == ENOENT);
	BOOST_TEST(std::string(text) == name);
}

BOOST_AUTO_TEST_CASE(cut_to_size, *description(
    "The name is stored in text, cut to size and NUL-ended"))
{
	char text[16];
	BOOST_TEST(stack9::demangle("_ZN3foo3barEi", text, 9) == 0);
	BOOST_TEST(std::string(text) == "foo::bar");
	BOOST_TEST(stack9::demangle("main", text, 3) == ENOENT);
	BOOST_TEST(std::string(text) == "ma");
	BOOST_TEST(stack9::demangle("_RNqCs4fqI2P2rA04_11utf8_identsu30____7"
	    "hkackfecea1cbdathfdh9hlq6y", text, 16) == 0);
	BOOST_TEST(std::string(text) == "utf8_idents::");
	BOOST_TEST(stack9::demangle("main", text, 0) == EINVAL);
	BOOST_TEST(stack9::demangle(nullptr, text, 9) == EINVAL);
	BOOST_TEST(stack9::demangle("main", nullptr, 9) == EINVAL);
}

BOOST_AUTO_TEST_CASE(hostile_names_end)
{
	// Texts that double with each part.
	std::string doubled = "_Z1fP1A";
	std::string tuples = "_RINvC1a1fTmmE";
	for (int i = 0; i < 30; i++) {
		doubled += "1BIS" + (i ? std::string(1, "0123456789ABCDEFGHIJKL"
		    "MNOPQRSTUVWXYZ"[i - 1]) : "") + "_S_E";
		tuples += "TB8_B8_E";
	}
	ask(doubled);
	ask(tuples + "E");
	// In D each parameter may be two of the one before it.
	std::string pairs = "_D3fooFB2ii";
	for (std::size_t before = pairs.size() - 4; pairs.size() < 900;) {
		const std::size_t at = pairs.size();
		pairs += "B2";
		for (int i = 0; i < 2; i++)
			pairs += back_in_d(pairs.size() - before);
		before = at;
	}
	ask(pairs + "Zv");
	// Parsers that try all twice, or call themselves too often.
	for (const char *part : {"cvT_I", "T0_I", "cv", "P", "N", "I", "Z", "X",
	    "pt", "cl", "DpT_", "J", "L_Z", "S_", "sr", "fL0p_", "Dt"})
		for (int n : {10, 40, 200, 1000, 100000}) {
			ask("_Zcv" + repeat(part, n));
			ask("_Z" + repeat(part, n));
			ask("_Z1fI" + repeat(part, n) + "EvT_");
		}
	for (const char *part : {"I", "Nv", "T", "R", "A", "B_", "FE", "D",
	    "u3abc", "M", "X", "Y", "Kj"})
		for (int n : {10, 40, 200, 1000, 100000}) {
			ask("_R" + repeat(part, n));
			ask("_RINvC1a1f" + repeat(part, n) + "E");
		}
	for (const char *part : {"P", "A", "G9", "Hi", "S3foo", "FZ", "B2", "D",
	    "__T1a", "Qb", "Nk", "x"})
		for (int n : {10, 40, 200, 1000, 100000}) {
			ask("_D3foo" + repeat(part, n));
			ask("_D3fooF" + repeat(part, n) + "iZv");
		}
}

BOOST_AUTO_TEST_SUITE_END()
