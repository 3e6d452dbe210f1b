// Compares frames of the code loaded here with libunwind's: one step from
// made-up registers, at every pc where a row begins or ends.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include <link.h>
#include <sys/auxv.h>

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include <fmt/format.h>
#include "unwind/full.h"
#include "unwind/row_here.h"

#include "corpus_libdw.h"
#include "corpus_object.h"
#include "corpus_rule.h"
#include "corpus_tally.h"

using namespace stack9::unwind;

namespace {

// Each word holds its own address and a bit, so that what a step found shows
// where it found it, and how often it read.
class reporting final : public memory {
public:
	reporting() : words_(new std::uintptr_t[count])
	{
		for (std::size_t i = 0; i < count; i++)
			words_[i] = address(i) + bit;
	}

	// Registers point far enough apart for the largest frames, sp below
	// all others: a CFA by whichever register is above it.
	std::uintptr_t
	of_register(int number) const
	{
		const int slot = number == register_sp ? 4 : number + 8;
		return address(count / 32 * static_cast<std::size_t>(slot));
	}

	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		if (from < address(0) || from > address(count) ||
		    size > address(count) - from)
			return false;
		std::memcpy(to, reinterpret_cast<const void *>(from), size);
		return true;
	}

private:
	static constexpr std::size_t count = 1 << 20;
	static constexpr std::uintptr_t bit = 0x2468;

	std::uintptr_t
	address(std::size_t i) const
	{
		return reinterpret_cast<std::uintptr_t>(words_.get() + i);
	}

	std::unique_ptr<std::uintptr_t[]> words_;
};

constexpr std::array<int, 8> compared{register_pc, register_sp, register_fp,
	3, 12, 13, 14, 15};

struct step {
	bool		went = false;
	std::array<std::uintptr_t, compared.size()> value{};

	bool operator==(const step &) const = default;
};

step
by_libunwind(std::uintptr_t pc, const reporting &memory)
{
	unw_context_t context{};
	for (int i = 0; i < register_count; i++)
		context.uc_mcontext.gregs[stack9::ucontext_index[
		    static_cast<std::size_t>(i)]] =
		    static_cast<greg_t>(i == register_pc ? pc :
		    memory.of_register(i));
	unw_cursor_t cursor;
	step s;
	if (unw_init_local2(&cursor, &context, UNW_INIT_SIGNAL_FRAME) != 0 ||
	    unw_step(&cursor) <= 0)
		return s;
	s.went = true;
	for (std::size_t i = 0; i < compared.size(); i++) {
		unw_word_t value = 0;
		unw_get_reg(&cursor, compared[i], &value);
		s.value[i] = value;
	}
	return s;
}

registers
made_up_registers(std::uintptr_t pc, const reporting &memory)
{
	registers r;
	for (int i = 0; i < register_count; i++)
		r.set(i, i == register_pc ? pc : memory.of_register(i));
	r.exact = true;
	return r;
}

step
by_full_step(const row &ours, std::uintptr_t pc, reporting &memory)
{
	registers r = made_up_registers(pc, memory);
	step s;
	if (full_step(ours, memory, r) != outcome::stepped)
		return s;
	s.went = true;
	for (std::size_t i = 0; i < compared.size(); i++)
		s.value[i] = r.knows(compared[i]) ?
		    r.value[static_cast<std::size_t>(compared[i])] : 0;
	return s;
}

std::string
text_of(const step &s)
{
	std::string text = s.went ? "stepped" : "no step";
	for (std::size_t i = 0; s.went && i < compared.size(); i++)
		text += fmt::format(" r{}={:#x}", compared[i], s.value[i]);
	return text;
}

class examination {
public:
	examination(const object &o, std::uintptr_t base, reporting &m,
	    tally &t)
	    : object_(o), base_(base), memory_(m), tally_(t) {}

	void
	everything()
	{
		for (const function &f : object_.eh_frame.functions)
			for (std::uintptr_t pc = f.begin; pc < f.end; )
				pc = at(f, pc);
		tally_.functions += object_.eh_frame.functions.size();
		tally_.objects++;
	}

private:
	// Returns the end of the row.
	std::uintptr_t
	at(const function &f, std::uintptr_t pc)
	{
		const libdw_row theirs(object_.eh_frame.libdw, pc);
		const std::uintptr_t end = theirs.end() != 0 ?
		    std::clamp(theirs.end(), pc + 1, f.end) : f.end;
		compare(pc + base_);
		if (end - 1 != pc)
			compare(end - 1 + base_);
		return end;
	}

	void
	compare(std::uintptr_t pc)
	{
		tally_.pcs++;
		row ours;
		if (row_here(pc, ours) != found::yes)
			return differs("no row", pc, ours, {}, {});
		const step we = by_full_step(ours, pc, memory_);
		step they = by_libunwind(pc, memory_);
		// glibc's longjmp() and setcontext() say where sp is.
		if (ours.places[register_sp].what != place::unspecified &&
		    !ours.signal_frame && we.value[1] != they.value[1]) {
			tally_.explained("libunwind takes the CFA for sp, "
			    "whatever is said of sp");
			they.value[1] = we.value[1];
		}
		if (we != they)
			differs("the step", pc, ours, we, they);
		check_rule(pc, ours, we, they);
	}

	void
	check_rule(std::uintptr_t pc, const row &ours, const step &we,
	    const step &they)
	{
		const rule made = rule_here(pc);
		tally_.rule(::text_of(made));
		if (const char *wrong = wrong_with(made, ours, pc))
			differs(wrong, pc, ours, we, they);
	}

	void
	differs(const char *what, std::uintptr_t pc, const row &ours,
	    const step &we, const step &they)
	{
		tally_.differs(what, [&] {
			return fmt::format("{} {:#x}: {}\n    ours:      {}\n"
			    "    libunwind: {}", object_.name, pc - base_,
			    ::text_of(ours), text_of(we), text_of(they));
		});
	}

	const object	&object_;
	std::uintptr_t	base_;
	reporting	&memory_;
	tally		&tally_;
};

struct loaded {
	std::string	name;
	std::uintptr_t	base;
};

int
note(dl_phdr_info *info, std::size_t, void *to)
{
	const std::string name = info->dlpi_name;
	static_cast<std::vector<loaded> *>(to)->push_back(
	    {name.empty() ? "/proc/self/exe" : name, info->dlpi_addr});
	return 0;
}

std::vector<loaded>
modules()
{
	std::vector<loaded> all;
	dl_iterate_phdr(note, &all);
	return all;
}

// Its pages are an ELF file, sections and all.
std::unique_ptr<object>
open_module(const loaded &m)
{
	const std::uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
	if (m.base != vdso || vdso == 0)
		return std::make_unique<object>(m.name);
	const auto *header = reinterpret_cast<const Elf64_Ehdr *>(vdso);
	const std::size_t size = header->e_shoff +
	    std::size_t{header->e_shnum} * header->e_shentsize;
	return std::make_unique<object>("vdso", reinterpret_cast<void *>(vdso),
	    size);
}

} // namespace

BOOST_AUTO_TEST_SUITE(corpus)

BOOST_AUTO_TEST_CASE(steps_here_are_libunwind_s,
    *boost::unit_test::description("DETAILS: A frame of code loaded here leads "
    "to the caller that libunwind finds."))
{
	reporting memory;
	tally t;
	unw_set_caching_policy(unw_local_addr_space, UNW_CACHE_NONE);
	for (const loaded &m : modules()) {
		const auto o = open_module(m);
		if (o->eh_frame.libdw != nullptr)
			examination(*o, m.base, memory, t).everything();
	}
	t.print("here");
	BOOST_TEST(t.differences() == 0U);
	BOOST_TEST(t.objects >= 4U);
}

BOOST_AUTO_TEST_SUITE_END()
