// Damages stacks whose truth is known, and walks them: a stack that was cut is
// never called complete.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "unwind/begin.h"
#include "unwind/walk.h"

#include "cfi_section.h"

namespace u = stack9::unwind;

namespace {

constexpr std::size_t word_size = 8, stack_words = 512, function_size = 0x80;
constexpr std::uintptr_t code_at = 0x500000, stack_at = 0x7ff000000000,
    stack_end = stack_at + stack_words * word_size;
constexpr std::uintptr_t functions = 32, returns_to = 0x40;	// in each
// The functions of each kind, in this order; the last one is the outermost.
constexpr std::uintptr_t by_sp = 20, by_fp = 28, blank = functions - 1;

constexpr std::uintptr_t
pc_in(std::uintptr_t function) noexcept
{
	return code_at + function * function_size + returns_to;
}

// The words of each function's frame, with its return address.
constexpr std::uintptr_t
frame_words(std::uintptr_t function) noexcept
{
	return 4 + function * 7 % 24;
}

// Those that are left by the frame pointer save it, and some others, too.
constexpr bool
keeps_fp(std::uintptr_t function) noexcept
{
	return function < 8 || (function >= by_sp && function < by_fp);
}

class program final : public u::code {
public:
	explicit program(bool described) noexcept : described_(described) {}

	u::rule
	rule_of(std::uintptr_t at) noexcept override
	{
		const std::uintptr_t f = (at - code_at) / function_size;
		const auto words = static_cast<std::uint32_t>(frame_words(f));
		if (at < code_at || f >= functions)
			return u::kind::absent;
		if (f < by_sp)
			return u::rule(u::kind::sp, words, keeps_fp(f) ? 2 : 0);
		if (f < by_fp)
			return u::rule(u::kind::fp, 2, 2);
		if (f < blank)
			return u::kind::absent;
		return described_ ? u::rule(u::kind::end) :
		    u::rule(u::kind::sp, words);
	}
	u::found
	row_of(std::uintptr_t at, u::row &to) noexcept override
	{
		using made::column;
		const std::uintptr_t f = (at - code_at) / function_size;
		if (at < code_at || f >= functions || rule_of(at).kind() ==
		    u::kind::absent)
			return u::found::no;
		made::bytes says{0x0e};		// DW_CFA_def_cfa_offset
		says.uleb(frame_words(f) * word_size);
		if (rule_of(at).kind() == u::kind::end)
			says = {0x07, column};
		else if (f >= by_sp && f < by_fp)
			says = {0x0c, u::register_fp, 16};
		if (keeps_fp(f))
			says.add(made::bytes{0x80 + u::register_fp, 2});
		made::cie c;
		to = made::row_of(says, 0, c);
		to.begin = code_at + f * function_size;
		to.end = to.begin + function_size;
		return u::found::yes;
	}
	bool
	covers(std::uintptr_t at) noexcept override
	{
		return at - code_at < functions * function_size;
	}
	bool
	is_stack_end(std::uintptr_t cfa) noexcept override
	{
		return u::is_at_end(cfa, stack_end);
	}

private:
	const bool	described_;	// the outermost function says so
};

class memory final : public u::memory {
public:
	memory()
	{
		// There is a call before each place that one returns to.
		for (std::uintptr_t f = 0; f < functions; f++)
			code_[f * function_size + returns_to - 5] = 0xe8;
	}

	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		const auto copy = [&](std::uintptr_t at, const void *bytes,
		    std::size_t has) {
			if (from < at || from - at > has ||
			    size > has - (from - at))
				return false;
			std::memcpy(to, static_cast<const char *>(bytes) +
			    (from - at), size);
			return true;
		};
		return copy(stack_at, stack.data(), sizeof stack) ||
		    copy(code_at, code_.data(), code_.size());
	}

	std::uintptr_t &
	at(std::uintptr_t address)
	{
		return stack.at((address - stack_at) / word_size);
	}

	std::array<std::uintptr_t, stack_words> stack{};

private:
	std::array<std::uint8_t, functions * function_size> code_{};
};

using chain = std::vector<std::uintptr_t>;

class trial {
public:
	trial(std::uint64_t seed, bool described)
	    : random_(seed), described_(described), program_(described) {}

	// Makes a stack from the outermost frame inwards; answers its truth.
	chain
	make()
	{
		for (std::uintptr_t &w : words_.stack)
			w = random_() & 0xffff;
		// Beyond it are a thread's descriptor or a program's arguments.
		std::uintptr_t cfa = stack_end -
		    (described_ ? 64 + below(8) : below(2)) * word_size;
		std::uintptr_t pair = 0;
		const std::size_t depth = 2 + below(12);
		chain pcs;
		for (std::size_t n = 0; n < depth; n++) {
			const std::uintptr_t f = n == 0 ? blank :
			    below(by_fp);
			const std::uintptr_t caller = pcs.empty() ? 0 :
			    pcs.back();
			words_.at(cfa - word_size) = caller;
			if (keeps_fp(f))
				words_.at(cfa - 2 * word_size) = pair;
			if (f >= by_sp && f < by_fp)
				pair = cfa - 2 * word_size;
			pcs.push_back(pc_in(f));
			cfa -= frame_words(f) * word_size;
		}
		first_ = {};
		first_.set(u::register_pc, pcs.back());
		first_.set(u::register_sp, cfa);
		first_.set(u::register_fp, pair);
		std::reverse(pcs.begin(), pcs.end());
		return pcs;
	}

	void
	damage()
	{
		const std::uintptr_t from = first_.sp(),
		    count = (stack_end - from) / word_size;
		if (below(2) == 0) {	// as an overflow does
			const std::uintptr_t begin = below(count),
			    size = 1 + below(count - begin);
			const auto what = below(3) == 0 ? junk() : 0;
			for (std::uintptr_t n = begin; n < begin + size; n++)
				words_.at(from + n * word_size) = what;
			return;
		}
		for (std::uintptr_t n = 1 + below(6); n != 0; n--)
			words_.at(from + below(count) * word_size) = junk();
	}

	u::walked
	walk(chain &pcs)
	{
		pcs.resize(256);
		const u::walked w = u::walk_memory(program_, words_, first_,
		    pcs.data(), 256);
		pcs.resize(w.depth);
		return w;
	}

private:
	std::uintptr_t below(std::uintptr_t n) { return random_() % n; }

	// The outermost function's own address is not among it: who plants that
	// has made an outermost frame.  Where no function says that it is the
	// outermost, each may be one, and no address of code is among it.
	std::uintptr_t
	junk()
	{
		switch (below(described_ ? 6 : 3)) {
		case 0:
			return 0;
		case 1:
			return random_();
		case 2:
			return stack_at + below(stack_words) * word_size;
		case 3:
			return code_at + below(blank * function_size);
		default:
			return pc_in(below(blank));
		}
	}

	std::mt19937_64	random_;
	const bool	described_;
	program		program_;
	memory		words_;
	u::registers	first_;
};

std::uint64_t
rounds()
{
	return std::getenv("STACK9_LONG") != nullptr ? 5'000'000 : 50'000;
}

// Checks whether what came out in the end is the outermost frame.
void
check_damaged(bool described, std::uint64_t allowed)
{
	trial t(described ? 1 : 2, described);
	chain pcs;
	std::uint64_t complete = 0, cut = 0, wrong = 0;
	for (std::uint64_t n = rounds(); n != 0; n--) {
		const chain truth = t.make();
		t.damage();
		const u::walked w = t.walk(pcs);
		const bool is_cut = pcs.back() != truth.back();
		cut += is_cut;
		complete += w.how == u::outcome::end;
		wrong += w.how == u::outcome::end && is_cut;
	}
	BOOST_TEST(wrong <= allowed);
	BOOST_TEST(cut > rounds() / 4);
	BOOST_TEST(complete > rounds() / 10);
}

} // namespace

BOOST_AUTO_TEST_SUITE(truth)

BOOST_AUTO_TEST_CASE(an_undamaged_stack_is_complete)
{
	for (const bool described : {true, false}) {
		trial t(3, described);
		chain pcs;
		for (int n = 0; n < 10'000; n++) {
			const chain truth = t.make();
			const u::walked w = t.walk(pcs);
			BOOST_TEST_REQUIRE((w.how == u::outcome::end));
			BOOST_TEST_REQUIRE(pcs == truth);
		}
	}
}

BOOST_AUTO_TEST_CASE(a_cut_stack_is_never_called_complete,
    *boost::unit_test::description("STACK9_WHY_NONE: the stack is complete"))
{
	check_damaged(true, 0);
}

// The stacks of many coroutines have a 0 at their end.  A frame pointer that
// was overwritten by the one address that leads to that 0, with another 0
// before it, is as good as the true one: it happens once in five million.
BOOST_AUTO_TEST_CASE(one_that_begins_with_a_zero_neither)
{
	check_damaged(false, rounds() / 1'000'000);
}

BOOST_AUTO_TEST_SUITE_END()
