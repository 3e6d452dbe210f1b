// Tests captures on stacks that a program switches to by itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "core/seam/record.h"
#include "robust_child.h"
#include "robust_fiber.h"
#include "robust_truth.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(switches)

namespace {

void
agree(void *end)
{
	must_agree("on a coroutine", *static_cast<outermost *>(end));
}

void
agree_under(unsigned int depth, outermost end = outermost::marked)
{
	under(depth, agree, &end);
}

void
end_of_stack(fiber::start how, outermost end)
{
	fiber f(fiber::memory(65536), [end] {
		for (unsigned int depth = 0; depth < 50; depth++)
			agree_under(depth, end);
	}, how);
	f.resume();
	must(f.ended(), "the coroutine has ended");
}

// Large, gone, small at the same place, gone: what was readable is not.
void
reuse_memory()
{
	std::minstd_rand random(4);
	char *place = nullptr;
	for (int i = 0; i < 2000; i++) {
		fiber::memory m(i % 2 == 0 ? 262144 : 32768, place);
		place = m.begin() - page;
		fiber f(std::move(m), [&] {
			agree_under(static_cast<unsigned int>(random() % 50),
			    outermost::unmarked);
		}, i % 3 == 0 ? fiber::bare : fiber::by_makecontext);
		f.resume();
	}
}

// On the small one a frame pointer leads to where the large one had been.
[[gnu::noinline]] void
look_back(void *gone)
{
	static frames seen;
	static stack9::stack_record rec;
	auto *const frame = static_cast<std::uintptr_t *>(
	    __builtin_frame_address(0));
	auto *const outer = reinterpret_cast<std::uintptr_t *>(*frame);
	const std::uintptr_t kept = *outer;
	const auto wrong = reinterpret_cast<std::uintptr_t>(gone);
	for (std::uintptr_t fp : {kept, wrong}) {
		*outer = fp;
		OUR_FRAMES(seen, rec);
		*outer = kept;
		must(rec.error == 0 && rec.depth >= 2, "something is captured");
		must((rec.why == STACK9_WHY_NONE) == (fp == kept),
		    "where it ends is told");
	}
}

void
capture_only(void *)
{
	static frames seen;
	static stack9::stack_record rec;
	OUR_FRAMES(seen, rec);
	must(rec.error == 0, "a deep stack is captured");
}

// The small one lies where the deeper half of the large one was.
void
look_back_at_memory()
{
	constexpr std::size_t large = 262144, half = large / 2;
	char *place = nullptr;
	for (int i = 0; i < 200; i++) {
		{
			fiber::memory m(large, place);
			place = m.begin() - page;
			fiber f(std::move(m), [] {
				under(half / 48, capture_only, nullptr);
			});
			f.resume();
		}
		char *const gone = place + page + large - 1024;
		fiber f(fiber::memory(32768, place + half), [gone] {
			under_by_fp(20, look_back, gone);
		});
		f.resume();
	}
}

// Many, in any order, each at its own depth, by two threads in turn.
class crowd {
public:
	explicit crowd(int count)
	{
		for (int i = 0; i < count; i++)
			add();
	}

	void
	resume_some(int count)
	{
		while (count-- > 0)
			all_[random_() % all_.size()]->resume();
	}

private:
	void
	add()
	{
		const auto depth = static_cast<unsigned int>(random_() % 30);
		all_.push_back(std::make_unique<fiber>(fiber::memory(32768),
		    [depth, this, i = all_.size()] {
			for (unsigned int n = 0;; n++) {
				agree_under(depth + n % 3);
				all_[i]->pause();
			}
		}));
	}

	std::minstd_rand			random_{5};
	std::vector<std::unique_ptr<fiber>>	all_;
};

void
switch_often()
{
	crowd c(200);
	for (int i = 0; i < 20; i++) {
		c.resume_some(200);
		std::thread([&] { c.resume_some(200); }).join();
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(the_stack_of_a_context_ends_where_it_was_made,
    *description("STACK9_WHY_NONE if the outermost frame was reached"))
{
	BOOST_TEST(in_child([] {
		end_of_stack(fiber::by_makecontext, outermost::marked);
	}) == "");
}

BOOST_AUTO_TEST_CASE(a_stack_ends_at_a_return_address_of_0, *description(
    "STACK9_WHY_NONE if the outermost frame was reached"))
{
	BOOST_TEST(in_child([] {
		end_of_stack(fiber::bare, outermost::marked);
	}) == "");
}

BOOST_AUTO_TEST_CASE(memory_of_stacks_may_be_mapped_anew)
{
	BOOST_TEST(in_child(reuse_memory) == "");
}

BOOST_AUTO_TEST_CASE(memory_that_was_once_a_stack_is_not_read)
{
	BOOST_TEST(in_child(look_back_at_memory) == "");
}

BOOST_AUTO_TEST_CASE(coroutines_of_many_stacks_may_change_threads)
{
	BOOST_TEST(in_child(switch_often) == "");
}

BOOST_AUTO_TEST_SUITE_END()
