// Tests the slots of learned rules over maps of the kernel's: how they grow,
// and what they refuse.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <bpf/bpf.h>

#include "bpf/unwind/rule_slots.h"
#include "os/unique_fd.h"

#include "require.h"

BOOST_AUTO_TEST_SUITE(event_slots)

namespace {

using boost::unit_test::description;
using stack9::unique_fd;
using stack9::events::rule_budget;
using stack9::events::rule_slots;

unique_fd
part_of(std::size_t bytes)
{
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_flags = BPF_F_MMAPABLE);
	return unique_fd(bpf_map_create(BPF_MAP_TYPE_ARRAY, nullptr, 4,
	    static_cast<std::uint32_t>(bytes), 1, &o));
}

// The maps, as in the programs.
struct maps {
	unique_fd first, like, more;

	explicit maps(const rule_budget &r)
	    : first(part_of(r.part() + 8)), like(part_of(r.part()))
	{
		LIBBPF_OPTS(bpf_map_create_opts, o, .inner_map_fd =
		    static_cast<std::uint32_t>(like.get()));
		more = unique_fd(bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS,
		    nullptr, 4, 4, S9_MORE_PARTS, &o));
	}
	// The parts that the programs see.
	unsigned
	parts() const
	{
		unsigned n = 0;
		std::uint32_t id;
		while (bpf_map_lookup_elem(more.get(), &n, &id) == 0)
			n++;
		return n;
	}
};

std::uint64_t
key_of(std::uint64_t n)
{
	return std::uint64_t{1} << S9_OFFSET_BITS | n * 16;
}

std::uint32_t
rule_of(std::uint64_t n)
{
	return static_cast<std::uint32_t>(n % 1000 << 3 | 1);
}

// The number of rules among the first n that are found as they were added.
std::uint64_t
found(const rule_slots &s, std::uint64_t n)
{
	std::uint64_t all = 0;
	for (std::uint64_t i = 0; i < n; i++)
		all += s.find(key_of(i)) == rule_of(i);
	return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(they_grow_when_they_are_full, *needs("bpf")
    * description("rules: The rules take 6.5 MiB at first, and more when they "
    "need it"))
{
	const rule_budget room{12, 5, 0, 0};
	const maps m(room);
	rule_slots s;
	BOOST_TEST_REQUIRE(s.open(m.first.get(), m.more.get(), room) == 0);
	constexpr std::uint64_t n = 14000;	// of 6 * 4096
	for (std::uint64_t i = 0; i < n; i++) {
		BOOST_TEST((i != 1000 || m.parts() == 0));
		s.add(key_of(i), rule_of(i));
	}
	BOOST_TEST(m.parts() >= 3u);
	BOOST_TEST(m.parts() <= 5u);
	BOOST_TEST(s.refused() == 0u);
	BOOST_TEST(found(s, n) == n);
}

BOOST_AUTO_TEST_CASE(each_rule_without_a_place_is_counted_once, *needs("bpf")
    * description("refused: The learned rules that found no place in the "
    "memory that rules allows"))
{
	const rule_budget room{12, 1, 0, 0};
	const maps m(room);
	rule_slots s;
	BOOST_TEST_REQUIRE(s.open(m.first.get(), m.more.get(), room) == 0);
	constexpr std::uint64_t n = 14000;	// of 2 * 4096
	for (int again = 0; again < 2; again++)
		for (std::uint64_t i = 0; i < n; i++)
			s.add(key_of(i), rule_of(i));
	BOOST_TEST(m.parts() == 1u);
	BOOST_TEST(s.refused() >= n - 2 * 4096);
	BOOST_TEST(found(s, n) == n - s.refused());
}

BOOST_AUTO_TEST_SUITE_END()
