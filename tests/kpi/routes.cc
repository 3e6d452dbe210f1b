// Tests the table of routes: its contents, its order, and what it refuses.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <deque>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "core/seam/record.h"
#include "core/route_table.h"

namespace {

using stack9::job;
using stack9::most_routes_of_a_job;

class idle final : public stack9::kernel_route {
public:
	explicit idle(int r) : kernel_route("idle", "does nothing", r) {}

	stack9::verdict
	can() noexcept override
	{
		return {EOPNOTSUPP, "never"};
	}

	int
	save(const stack9_thread &, stack9::stack_record &, stack9::lead &)
	    noexcept override
	{
		return EOPNOTSUPP;
	}
};

// A backend of so many routes of job::kernel.
struct backend_of {
	explicit backend_of(const std::vector<int> &ranks)
	{
		for (const int rank : ranks)
			routes.push_back(&kept.emplace_back(rank));
	}

	stack9::backend
	get() const
	{
		return {.name = "many", .kernel = routes};
	}

	std::deque<idle>			kept;
	std::vector<stack9::kernel_route *>	routes;
};

} // namespace

BOOST_AUTO_TEST_SUITE(routes)

BOOST_AUTO_TEST_CASE(a_table_that_is_full_refuses_a_further_route)
{
	stack9::route_table table;
	const backend_of full(std::vector<int>(most_routes_of_a_job, 10));
	BOOST_TEST(table.add(full.get()) == nullptr);
	BOOST_TEST(table.row<job::kernel>().count == most_routes_of_a_job);
	const backend_of one_more({10});
	const char *const why = table.add(one_more.get());
	BOOST_REQUIRE(why != nullptr);
	BOOST_TEST(std::string(why).find("more routes") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(routes_of_equal_rank_stay_in_the_order_of_the_backends)
{
	stack9::route_table table;
	const backend_of first({90, 10}), second({10, 20});
	BOOST_TEST(table.add(first.get()) == nullptr);
	BOOST_TEST(table.add(second.get()) == nullptr);
	const auto &row = table.row<job::kernel>();
	BOOST_TEST_REQUIRE(row.count == 4u);
	BOOST_TEST(row.of[0] == first.routes[1]);
	BOOST_TEST(row.of[1] == second.routes[0]);
	BOOST_TEST(row.of[2] == second.routes[1]);
	BOOST_TEST(row.of[3] == first.routes[0]);
}

BOOST_AUTO_TEST_SUITE_END()
