// Tests which threads the table takes for new, for others, and for gone.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <vector>

#include "tools/model/thread_table.h"

using boost::unit_test::description;

namespace {

struct entry : tools::looked_at {
	int	value = 0;
};

class looks {
public:
	// Looks at threads, each with its start.
	void
	look(const std::vector<stack9_thread> &threads)
	{
		is_new.clear();
		gone.clear();
		const auto forget = [this](const entry &e) {
			gone.push_back(e.thread.tid);
		};
		table.begin();
		for (const stack9_thread &td : threads) {
			const auto [e, fresh] = table.of(td, forget);
			if (fresh)
				is_new.push_back(td.tid);
			e.value++;
			table.see(e);
		}
		table.settle(forget);
	}

	tools::thread_table<entry> table;
	std::vector<pid_t> is_new, gone;
};

using tids = std::vector<pid_t>;

} // namespace

BOOST_AUTO_TEST_SUITE(model_threads)

BOOST_AUTO_TEST_CASE(new_and_gone, *description(
    "a thread is new once, and gone once"))
{
	looks l;
	l.look({{2, 1, 5}, {1, 1, 5}, {9, 9, 6}});
	BOOST_TEST(l.is_new == tids({2, 1, 9}));
	l.look({{1, 1, 5}, {9, 9, 6}});
	BOOST_TEST(l.is_new.empty());
	BOOST_TEST(l.gone == tids({2}));
	BOOST_TEST(l.table.find(9)->value == 2);
	BOOST_TEST((l.table.find(2) == nullptr));
	l.look({});
	BOOST_TEST(l.gone == tids({1, 9}));
	BOOST_TEST(l.table.all().empty());
}

BOOST_AUTO_TEST_CASE(a_tid_again, *description(
    "a thread that has the tid of another one is another thread"))
{
	looks l;
	l.look({{7, 7, 5}, {8, 7, 5}});
	l.look({{7, 7, 5}, {8, 8, 66}});
	BOOST_TEST(l.is_new == tids({8}));
	BOOST_TEST(l.gone == tids({8}));
	BOOST_TEST(l.table.find(8)->value == 1);
	BOOST_TEST(l.table.find(8)->thread.start == 66u);
	BOOST_TEST(l.table.find(7)->value == 2);
}

BOOST_AUTO_TEST_SUITE_END()
