// Tests stacks that are longer than what is copied at once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <alloca.h>
#include <csignal>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "require.h"
#include "user_child.h"
#include "user_capture.h"

using stack9::job;

BOOST_AUTO_TEST_SUITE(user_deep)

namespace {

constexpr std::uint64_t key = 0x5bd1e9955bd1e995;

std::uint64_t
word_for(std::uint64_t at)
{
	return at * key;
}

// Fills size bytes of the stack, each word by its address, and says where they
// are.
[[gnu::noinline]] void
lie_deep(std::size_t size, child::board &b)
{
	auto *const words = static_cast<volatile std::uint64_t *>(alloca(size));
	for (std::size_t i = 0; i < size / 8; i++)
		words[i] = word_for(reinterpret_cast<std::uint64_t>(&words[i]));
	b.word[1] = reinterpret_cast<std::uint64_t>(words);
	b.word[0] = static_cast<std::uint64_t>(gettid());
	for (;;)
		pause();
}

struct deep_child : child {
	explicit deep_child(std::size_t size) : child([size](board &b) {
		pthread_attr_t attr;
		pthread_attr_init(&attr);
		pthread_attr_setstacksize(&attr, size + (1 << 20));
		static board *to;
		static std::size_t deep;
		to = &b;
		deep = size;
		pthread_t t;
		pthread_create(&t, &attr, [](void *) -> void * {
			lie_deep(deep, *to);
			return nullptr;
		}, nullptr);
		pthread_join(t, nullptr);
	}) {}
};

} // namespace

BOOST_AUTO_TEST_CASE(a_long_stack_is_fetched_on, *needs("bpf")
    * boost::unit_test::description(
    "a longer stack is fetched on, not cut silently"))
{
	for (const std::size_t size : {std::size_t{1} << 20,
	    std::size_t{8} << 20}) {
		const deep_child deep(size);
		const auto tid = static_cast<pid_t>(deep.told(0));
		wait_for_state(tid, 'S');
		const std::uint64_t from = deep.told(1), to = from + size;
		for (const std::string &name : sleeper_routes) {
			auto *const r = usable_route<job::user>(name);
			if (r == nullptr)
				continue;
			user_capture c;
			const stack9_thread td = thread_named(tid);
			BOOST_REQUIRE_EQUAL(c.take_asleep(*r, td), 0);
			auto &piece = c.copy.stack;
			int fetches = 0;
			while (piece.more) {
				const std::size_t had = piece.bytes.size();
				BOOST_REQUIRE_EQUAL(r->extend_copy(td, c.copy,
				    piece.at + had), 0);
				BOOST_TEST((piece.bytes.size() >= 2 * had ||
				    !piece.more));
				fetches++;
			}
			BOOST_TEST(fetches < 16);
			BOOST_REQUIRE(piece.holds(from, size));
			std::size_t wrong = 0;
			for (std::uint64_t at = from; at < to; at += 8)
				wrong += c.word(at) != word_for(at);
			BOOST_TEST(wrong == 0u);
		}
	}
}

BOOST_AUTO_TEST_CASE(another_stack_is_fetched_too, *needs("bpf")
    * boost::unit_test::description("anywhere else, other begins anew a "
    "little below wanted; EFAULT: there is nothing"))
{
	const child c([](child::board &b) {
		auto *page = static_cast<std::uint64_t *>(mmap(nullptr, 4096,
		    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0));
		for (int i = 0; i < 512; i++)
			page[i] = word_for(reinterpret_cast<std::uint64_t>(
			    &page[i]));
		b.word[1] = reinterpret_cast<std::uint64_t>(page);
		b.word[0] = 1;
		for (;;)
			pause();
	});
	c.told(0);
	wait_for_state(c.pid(), 'S');
	const std::uint64_t page = c.told(1);
	const stack9_thread td = thread_named(c.pid());
	for (const std::string &name : sleeper_routes) {
		auto *const r = usable_route<job::user>(name);
		if (r == nullptr)
			continue;
		user_capture seen;
		BOOST_REQUIRE_EQUAL(seen.take_asleep(*r, td), 0);
		const std::size_t had = seen.copy.stack.bytes.size();
		auto &other = seen.copy.other;
		for (const std::uint64_t at : {page + 1024, page}) {
			BOOST_REQUIRE_EQUAL(r->extend_copy(td, seen.copy,
			    at), 0);
			BOOST_REQUIRE(other.holds(at, 8));
			std::uint64_t w;
			std::memcpy(&w, other.bytes.data() + (at - other.at),
			    sizeof w);
			BOOST_TEST(w == word_for(at));
			BOOST_TEST(other.at >= at - 128);
		}
		BOOST_TEST(seen.copy.stack.bytes.size() == had);
		BOOST_TEST(r->extend_copy(td, seen.copy, 4096) == EFAULT);
		BOOST_TEST(other.holds(page, 8));
	}
}

BOOST_AUTO_TEST_CASE(who_ran_since_is_not_fetched_on, *needs("bpf")
    * boost::unit_test::description("EAGAIN: the thread has run since"))
{
	const child c([](child::board &b) {
		static std::atomic<std::uint64_t> *wakes;
		wakes = &b.word[1];
		signal(SIGUSR1, [](int) { ++*wakes; });
		b.word[0] = 1;
		for (;;)
			pause();
	});
	c.told(0);
	for (const std::string &name : sleeper_routes) {
		auto *const r = usable_route<job::user>(name);
		if (r == nullptr)
			continue;
		wait_for_state(c.pid(), 'S');
		const stack9_thread td = thread_named(c.pid());
		user_capture seen;
		BOOST_REQUIRE_EQUAL(seen.take_asleep(*r, td), 0);
		const std::uint64_t wanted = seen.copy.stack.at;
		BOOST_TEST(r->extend_copy(td, seen.copy, wanted) == 0);
		const std::uint64_t before = c.word(1);
		kill(c.pid(), SIGUSR1);
		while (c.word(1) == before)
			sched_yield();
		wait_for_state(c.pid(), 'S');
		BOOST_TEST(r->extend_copy(td, seen.copy, wanted) == EAGAIN);
	}
}

BOOST_AUTO_TEST_SUITE_END()
