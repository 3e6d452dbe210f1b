// Damages words of a runtime in /proc/PID/mem.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "spoiled.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <stack9.h>
#include <stack9_frames.h>

#include "memory.h"

namespace {

using clock_type = std::chrono::steady_clock;

// Gives the words of the program's own memory that hold an address of it: those
// that a walk follows are among them.
std::vector<std::uint64_t>
pointers_of(const memory_of &m)
{
	std::vector<std::uint64_t> all;
	const auto parts = m.writable();
	const auto is_own = [&](std::uint64_t a) {
		return std::any_of(parts.begin(), parts.end(),
		    [&](const auto &p) {
			return a >= p.first && a < p.second;
		});
	};
	for (const auto &[from, to] : parts) {
		std::vector<std::uint64_t> words((to - from) / 8);
		if (to - from > 64 << 20 || !m.read(from, words.data(),
		    words.size() * 8))
			continue;
		for (std::size_t i = 0; i < words.size(); i++)
			if (is_own(words[i]))
				all.push_back(from + 8 * i);
	}
	return all;
}

// Returns true if it lacks functions, and does not say so.
bool
is_cut_silently(const woven &w, const woven &before)
{
	return !w.functions.empty() &&
	    w.functions.size() < before.functions.size() &&
	    std::none_of(w.flags.begin(), w.flags.end(), [](std::uint32_t f) {
		return (f & STACK9_WRITTEN_GUESSED) != 0;
	});
}

} // namespace

int
spoil(const asked &p, const char *language, int times)
{
	const memory_of m(p.pid());
	const woven before = p.look(language);
	const std::vector<std::uint64_t> pointers = pointers_of(m);
	BOOST_REQUIRE(!pointers.empty());
	BOOST_REQUIRE(!before.functions.empty());
	std::mt19937_64 random(9);
	int changed = 0, cut = 0;
	for (int i = 0; i < times; i++) {
		// Many words at once: the walk meets but a few of them.
		std::vector<std::pair<std::uint64_t, std::uint64_t>> old;
		const std::size_t n = std::size_t{1} << random() % 14;
		for (std::size_t k = 0; k < n; k++) {
			const std::uint64_t at = pointers[random() %
			    pointers.size()];
			const std::uint64_t values[] = {0, random() % 4096,
			    random(), at, at - 8,
			    pointers[random() % pointers.size()],
			    ~std::uint64_t{0}, m.word(at) + 8 * (random() % 9)};
			const std::uint64_t w = values[random() %
			    std::size(values)];
			old.emplace_back(at, m.word(at));
			m.write(at, &w, sizeof w);
		}
		const auto begin = clock_type::now();
		const woven w = p.look(language);
		const auto took = clock_type::now() - begin;
		for (auto o = old.rbegin(); o != old.rend(); ++o)
			m.write(o->first, &o->second, sizeof o->second);
		changed += w.functions != before.functions;
		cut += is_cut_silently(w, before);
		BOOST_TEST(w.error == 0, fmt::format("round {}", i));
		BOOST_TEST((took < std::chrono::seconds(5)),
		    fmt::format("round {}", i));
		BOOST_TEST(!w.native.empty());
		BOOST_TEST((w.native.empty() || w.native[0] ==
		    before.native[0]));
	}
	BOOST_TEST(changed > times / 100);
	BOOST_TEST((p.look(language).functions == before.functions));
	return cut;
}
