// Tests that a reader which asks for memory again gets it as it is then.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

#include "core/seam/kept_process.h"
#include "reader/server.h"
#include "remote/present_memory.h"

using boost::unit_test::description;

namespace {

using namespace stack9::sandbox;

// Answers each request for memory with bytes that are its number, and notes
// how long the part was.
class numbered_memory {
public:
	numbered_memory()
	{
		int ends[2];
		BOOST_REQUIRE_EQUAL(socketpair(AF_UNIX, SOCK_STREAM |
		    SOCK_CLOEXEC, 0, ends), 0);
		reader.emplace(stack9::unique_fd(ends[0]));
		answers_ = std::thread([fd = ends[1], this] {
			serve(channel(stack9::unique_fd(fd)));
		});
	}
	~numbered_memory()
	{
		reader->close();
		answers_.join();
	}

	std::optional<channel>	reader;
	std::vector<std::uint64_t> sizes;

private:
	void
	serve(channel c)
	{
		message m;
		stack9::unique_fd none;
		while (c.receive(m, none, question_max)) {
			m.get<std::uint32_t>();
			m.get<std::uint64_t>();
			sizes.push_back(m.get<std::uint64_t>());
			const std::vector<char> bytes(sizes.back(),
			    static_cast<char>(sizes.size()));
			m.begin(kind::reply);
			m.put_bytes(bytes.data(), bytes.size());
			c.send(m);
		}
	}

	std::thread	answers_;
};

int
byte_at(requests &of, std::uintptr_t at)
{
	char byte = -1;
	BOOST_TEST(of.read_memory(at, &byte, 1));
	return byte;
}

} // namespace

BOOST_AUTO_TEST_SUITE(read_again)

BOOST_AUTO_TEST_CASE(what_is_forgotten_is_asked_for_again, *description(
    "tasks are read twice, and believed where both readings are the same"))
{
	numbered_memory memory;
	requests r(*memory.reader);
	const stack9_thread who{getpid(), getpid(), 1};
	r.begin(who);
	BOOST_TEST(byte_at(r, 0x5000) == 1);
	BOOST_TEST(byte_at(r, 0x5ff0) == 1);
	r.forget();
	BOOST_TEST(byte_at(r, 0x5000) == 2);
	BOOST_TEST(byte_at(r, 0x6000) == 3);
	r.begin(who);
	BOOST_TEST(byte_at(r, 0x5000) == 4);
	r.begin_walk(7, who);
	BOOST_TEST(byte_at(r, 0x5000) == 4);
	r.begin_walk(8, {1, 1, 1});
	BOOST_TEST(byte_at(r, 0x5000) == 5);
}

BOOST_AUTO_TEST_CASE(languages_forget_both_copies)
{
	numbered_memory memory;
	requests r(*memory.reader);
	const stack9_thread who{getpid(), getpid(), 1};
	const stack9::user_copy none;
	stack9::remote::present_memory words(none, who);
	r.begin(who);
	stack9::the_outside = &r;
	char byte = 0;
	BOOST_TEST(words.read(0x5000, &byte, 1));
	words.forget();
	BOOST_TEST(words.read(0x5000, &byte, 1));
	stack9::the_outside = nullptr;
	BOOST_TEST(byte == 2);
}

BOOST_AUTO_TEST_CASE(little_of_a_core_is_read_at_once, *description(
    "a dump has what stacks, names, waits and languages read, and no pages "
    "around it"))
{
	numbered_memory memory;
	requests r(*memory.reader);
	for (const std::uint64_t mark : {std::uint64_t{0}, stack9::kept_mark}) {
		r.begin({1, 1, mark | 1});
		byte_at(r, 0x5678);
	}
	BOOST_TEST(memory.sizes == (std::vector<std::uint64_t>{4096, 256}),
	    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
