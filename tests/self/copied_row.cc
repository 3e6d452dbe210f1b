// Compares unwind information read through a memory with the same in place.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <random>
#include <vector>

#include <dlfcn.h>
#include <link.h>

#include "unwind/copied_row.h"
#include "unwind/generation.h"
#include "unwind/row_here.h"
#include "unwind/stacks.h"
#include "unwind/table.h"

#include "backends/self/memory.h"

namespace {

namespace unwind = stack9::unwind;

struct range {
	std::uintptr_t	begin, end;
};

int
add_code(dl_phdr_info *info, std::size_t, void *arg)
{
	auto &all = *static_cast<std::vector<range> *>(arg);
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) &p = info->dlpi_phdr[i];
		if (p.p_type == PT_LOAD && (p.p_flags & PF_X) != 0)
			all.push_back({info->dlpi_addr + p.p_vaddr,
			    info->dlpi_addr + p.p_vaddr + p.p_memsz});
	}
	return 0;
}

// All code of this process, a pc every so many bytes.
template <typename F>
void
for_code(std::uintptr_t step, F f)
{
	std::vector<range> all;
	dl_iterate_phdr(add_code, &all);
	for (const range &r : all)
		for (std::uintptr_t pc = r.begin; pc < r.end; pc += step)
			f(pc);
}

// A library that is being replaced: some of it is gone, or something else.
class changing_memory final : public unwind::memory {
public:
	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		const unsigned int luck = random_() % 64;
		if (luck == 0 ||
		    stack9::self::read_memory(from, to, size) != size)
			return false;
		if (luck < 8)
			static_cast<unsigned char *>(to)[random_() % size] =
			    static_cast<unsigned char>(random_());
		return true;
	}

private:
	std::mt19937	random_{1};
};

// An entry's length is read by itself first, and again with its bytes.  By then
// the entry has become longer.
class growing_memory final : public unwind::memory {
public:
	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		if (stack9::self::read_memory(from, to, size) != size)
			return false;
		if (size >= 16) {
			static_cast<unsigned char *>(to)[0] += 4;
			grown++;
		}
		return true;
	}

	long		grown = 0;
};

// A library is loaded before the last of some reads.
class loading_memory final : public unwind::memory {
public:
	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		if (loads && library == nullptr)
			library = dlopen(PLUGIN, RTLD_NOW);
		return stack9::self::read_memory(from, to, size) == size;
	}
	~loading_memory()
	{
		if (library != nullptr)
			dlclose(library);
	}

	bool	loads = false;
	void	*library = nullptr;
};

// The result of an expression is compared by the rule, if it fits one.
bool
same(const unwind::place &a, const unwind::place &b)
{
	switch (a.what) {
	case unwind::place::offset:
	case unwind::place::value_offset:
	case unwind::place::in_register:
		return a.what == b.what && a.number == b.number;
	default:
		return a.what == b.what;
	}
}

bool
same(const unwind::row &a, const unwind::row &b)
{
	bool all = a.cfa_register == b.cfa_register &&
	    a.cfa_offset == b.cfa_offset &&
	    a.return_column == b.return_column &&
	    a.signal_frame == b.signal_frame && a.begin == b.begin &&
	    a.end == b.end;
	for (std::size_t n = 0; n < unwind::register_count; n++)
		all = all && same(a.places[n], b.places[n]);
	return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(unwind_information_read_through_a_memory_says_the_same)
{
	unwind::own_memory words;
	unwind::copied_row copied;
	long wrong = 0, described = 0;
	for_code(13, [&](std::uintptr_t pc) {
		unwind::row here;
		const unwind::found how = unwind::row_here(pc, here);
		wrong += copied.read(words, pc) != how;
		if (how != unwind::found::yes)
			return;
		described++;
		wrong += !same(copied.get(), here);
		wrong += unwind::rule_of_row(copied.get(), pc) !=
		    unwind::rule_of_row(here, pc);
		wrong += unwind::rule_for(words, pc, copied) !=
		    unwind::rule_here(pc);
	});
	BOOST_TEST(wrong == 0);
	BOOST_TEST(described > 10000);
	BOOST_TEST_MESSAGE(described << " rows");
}

BOOST_AUTO_TEST_CASE(unwind_information_that_changes_meanwhile_is_survived)
{
	changing_memory words;
	unwind::copied_row copied;
	long by_how[3] = {};
	for_code(61, [&](std::uintptr_t pc) {
		by_how[static_cast<int>(copied.read(words, pc))]++;
	});
	for (const long n : by_how)
		BOOST_TEST(n > 0);
}

BOOST_AUTO_TEST_CASE(an_entry_that_grows_meanwhile_has_its_first_length)
{
	growing_memory words;
	unwind::copied_row copied;
	long wrong = 0;
	for_code(61, [&](std::uintptr_t pc) {
		unwind::row here;
		const unwind::found how = unwind::row_here(pc, here);
		wrong += copied.read(words, pc) != how;
		wrong += how == unwind::found::yes &&
		    !same(copied.get(), here);
	});
	BOOST_TEST(words.grown > 1000);
	BOOST_TEST(wrong == 0);
}

// A place where nobody asks for a rule: after the first byte of a function.
BOOST_AUTO_TEST_CASE(a_rule_is_not_kept_if_a_library_was_loaded_meanwhile)
{
	const auto at = reinterpret_cast<std::uintptr_t>(&for_code<void (*)(
	    std::uintptr_t)>) + 1;
	for (const bool loads : {true, false}) {
		const std::uint16_t generation = unwind::code_generation.now();
		const auto key = unwind::rule_table::key_of(generation, at);
		BOOST_REQUIRE(unwind::rules.find(key) == nullptr);
		loading_memory words;
		unwind::copied_row copied;
		words.loads = loads;
		const unwind::rule r = unwind::rule_for(words, at, copied);
		BOOST_TEST((words.library != nullptr) == loads);
		BOOST_TEST((r == unwind::rule_here(at)));
		BOOST_TEST((unwind::rules.find(key) == nullptr) == loads);
	}
}
