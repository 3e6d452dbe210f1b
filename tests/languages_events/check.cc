// Compares counts.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "check.h"

#include <boost/test/unit_test.hpp>

std::uint64_t
events_of(const stack_counts &all)
{
	std::uint64_t sum = 0;
	for (const auto &[stack, n] : all)
		sum += n;
	return sum;
}

std::uint64_t
not_said(const stack_counts &said, const stack_counts &seen,
    const std::string &of)
{
	std::uint64_t events = 0;
	for (const auto &[stack, n] : seen)
		if (stack.find(of) != stack.npos && !said.contains(stack))
			events += n;
	return events;
}

void
check_equal(const stack_counts &said, const stack_counts &seen,
    const std::string &of)
{
	for (const auto &[stack, n] : said) {
		const auto at = seen.find(stack);
		const std::uint64_t events = at == seen.end() ? 0 : at->second;
		BOOST_TEST(events == n, events << " in place of " << n <<
		    ": " << stack);
	}
	for (const auto &[stack, n] : seen)
		BOOST_TEST((stack.find(of) == stack.npos ||
		    said.contains(stack)), "not said: " << stack << " " << n);
}

void
check_gone(const stack_counts &said, const stack_counts &seen,
    const std::string &of, std::uint64_t wanted)
{
	std::uint64_t events = 0, wrong = 0;
	for (const auto &[stack, n] : seen) {
		if (stack.find(of) == stack.npos)
			continue;
		events += n;
		const auto at = said.find(stack);
		const bool is_wrong = stack.find("|?|") == stack.npos &&
		    (at == said.end() || at->second < n);
		wrong += is_wrong;
		BOOST_TEST(!is_wrong, n << " of " << stack);
	}
	BOOST_TEST(events == wanted);
	BOOST_TEST(wrong == 0u);
}
