// Has goroutines that are not what a list or a record of before says, and some
// that change between two readings of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstddef>
#include <vector>

#include <sys/uio.h>

#include "core/seam/second_reading.h"
#include "pretended.h"

using boost::unit_test::description;

namespace {

constexpr std::uint64_t outer = 1024, inner = 2048;	// bytes in use

// Functions that the stack of a goroutine leads to, by how much is in use.
int
caller_of_outer()
{
	return 1;
}

int
caller_of_inner()
{
	return 2;
}

std::uint64_t
behind(int (*f)())
{
	return reinterpret_cast<std::uint64_t>(f) + 4;
}

void
put_word(std::uint64_t at, std::uint64_t word)
{
	*reinterpret_cast<std::uint64_t *>(at) = word;
}

// The goroutine of the child, whose addresses the test has, too.
struct one {
	record		*g;
	std::uint64_t	at;

	one()
	{
		g = static_cast<record *>(mmap(nullptr, sizeof *g, PROT_READ |
		    PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
		fill(*g, 1);
		give_stack(*g, 4096);
		at = g->self;
		g->sp = g->high - inner;
		put_word(g->high - inner, behind(caller_of_inner));
		put_word(g->high - outer, behind(caller_of_outer));
	}
	~one()
	{
		munmap(reinterpret_cast<void *>(g->low), 4096);
		munmap(g, sizeof *g);
	}
	one(const one &) = delete;
	one &operator=(const one &) = delete;
};

// Looks, and at the reading of this number gives the goroutine another sp.
// Returns the addresses that were read in between.
std::vector<std::uint64_t>
look(const lib::child &c, const one &of, std::size_t number, goroutines &all)
{
	static std::vector<std::uint64_t> reads;
	static std::size_t when;
	static pid_t pid;
	static std::uint64_t sp, sp_at;
	reads.clear();
	when = number;
	pid = c.pid();
	sp = of.g->high - outer;
	sp_at = of.at + offsetof(record, sp);
	stack9::before_second_reading = [](pid_t, std::uint64_t at) {
		if (reads.size() == when) {
			const iovec from{&sp, sizeof sp},
			    to{reinterpret_cast<void *>(sp_at), sizeof sp};
			BOOST_TEST(process_vm_writev(pid, &from, 1, &to, 1,
			    0) == 8);
		}
		reads.push_back(at);
	};
	BOOST_TEST(find(c.pid(), all) == 0);
	stack9::before_second_reading = nullptr;
	return reads;
}

} // namespace

BOOST_AUTO_TEST_SUITE(moments)

// The record, the stack, the record, the stack and the record are read.
BOOST_AUTO_TEST_CASE(a_record_that_changes, *description(
    "a stack is of the record that it is told with"))
{
	const one of;
	const lib::child c([&] {
		pretend(1);
		pretended.at[0] = of.at;
	});
	goroutines all;
	const auto reads = look(c, of, ~std::size_t{0}, all);
	const auto stack = static_cast<std::size_t>(std::find(reads.begin(),
	    reads.end(), of.g->sp) - reads.begin());
	BOOST_REQUIRE(stack + 3 < reads.size());
	BOOST_REQUIRE(reads[stack - 1] == of.at);
	BOOST_REQUIRE(reads[stack + 3] == of.at);
	BOOST_REQUIRE(all.at(1).pcs.size() > 1u);
	BOOST_TEST(all.at(1).pcs[1] == behind(caller_of_inner));
	for (const std::size_t number : {stack - 1, stack + 1, stack + 3}) {
		const lib::child again([&] {
			pretend(1);
			pretended.at[0] = of.at;
		});
		all.clear();
		look(again, of, number, all);
		BOOST_REQUIRE(all.at(1).pcs.size() > 1u);
		BOOST_TEST(all.at(1).error == 0);
		BOOST_TEST(all.at(1).pcs[1] == behind(caller_of_outer));
	}
}

BOOST_AUTO_TEST_CASE(one_that_is_on_a_thread, *description(
    "a goroutine that runs on a thread is that thread's"))
{
	const lib::child c([] {
		pretend(3);
		auto *const g = static_cast<record *>(make(3 *
		    sizeof(record)));
		for (int i = 0; i < 3; i++) {
			fill(g[i], 1 + static_cast<std::uint64_t>(i));
			give_stack(g[i], 4096);
			pretended.at[i] = g[i].self;
		}
		g[1].m = g[0].self;
	});
	goroutines all;
	BOOST_TEST(find(c.pid(), all) == 0);
	BOOST_TEST(all.size() == 2u);
	BOOST_TEST(all.count(2) == 0u);
}

// They come after those by which the layout is found.
BOOST_AUTO_TEST_CASE(one_that_is_listed_twice, *description(
    "an id that comes twice is nobody's"))
{
	constexpr std::uint64_t real = 300;
	const lib::child c([] {
		pretend(real + 100);
		auto *const g = static_cast<record *>(make(real *
		    sizeof(record)));
		for (std::uint64_t i = 0; i < real; i++) {
			fill(g[i], 1 + i);
			give_stack(g[i], 4096);
			pretended.at[i] = g[i].self;
		}
		std::fill_n(pretended.at + real, 100, g[7].self);
	});
	goroutines all;
	BOOST_TEST(find(c.pid(), all) == 0);	// it reports a second one
	BOOST_TEST(all.size() == real);
}

// A number that all have lies where another release has its id.
BOOST_AUTO_TEST_CASE(a_number_that_is_no_id, *description(
    "ids of goroutines differ"))
{
	const lib::child c([] {
		pretend(5);
		auto *const g = static_cast<record *>(make(5 *
		    sizeof(record)));
		for (int i = 0; i < 5; i++) {
			fill(g[i], 11 + static_cast<std::uint64_t>(i));
			give_stack(g[i], 4096);
			g[i].rest[5] = g[i].status;
			g[i].rest[6] = 7;
			pretended.at[i] = g[i].self;
		}
	});
	goroutines all;
	BOOST_TEST(find(c.pid(), all) == 0);
	BOOST_TEST(all.size() == 5u);
	BOOST_TEST(all.count(7) == 0u);
	BOOST_TEST(all.count(11) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
