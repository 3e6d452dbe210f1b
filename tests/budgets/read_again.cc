// Tests that a reader which asks for memory again gets it as it is then.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/seam/kept_process.h"
#include "reader/requests.h"
#include "remote/present_memory.h"

using boost::unit_test::description;

namespace {

using namespace stack9::sandbox;

// Answers each request for memory with bytes that are its number, and notes
// how long the part was.  It gives the descriptors of this process, or none.
class numbered_memory {
public:
	explicit numbered_memory(bool gives = false) : gives_(gives)
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
	std::atomic<int> asked{0};	// for descriptors

private:
	void
	serve(channel c)
	{
		message m;
		stack9::unique_fd none;
		while (c.receive(m, none, question_max)) {
			m.get<std::uint32_t>();
			if (m.what == kind::open_memory) {
				give(c, m);
				continue;
			}
			m.get<std::uint64_t>();
			sizes.push_back(m.get<std::uint64_t>());
			const std::vector<char> bytes(sizes.back(),
			    static_cast<char>(sizes.size()));
			m.begin(kind::reply);
			m.put_bytes(bytes.data(), bytes.size());
			c.send(m);
		}
	}

	void
	give(channel &c, message &m)
	{
		const char *const file = m.get<bool>() ?
		    "/proc/self/pagemap" : "/proc/self/mem";
		const stack9::unique_fd fd(gives_ ? open(file, O_RDONLY |
		    O_CLOEXEC) : -1);
		asked++;
		m.begin(kind::reply);
		c.send(m, fd.get());
	}

	const bool	gives_;
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

// A sentence of SECURITY.md.
BOOST_AUTO_TEST_CASE(much_is_read_by_a_descriptor, *description("after four "
    "questions for memory of a process it is given descriptors of it"))
{
	numbered_memory memory(true);
	requests r(*memory.reader);
	const auto bytes = std::make_unique<std::array<char, 16 * 4096>>();
	bytes->fill(77);
	const auto at = reinterpret_cast<std::uintptr_t>(bytes->data());
	const stack9_thread who{getpid(), getpid(), 1};
	r.begin(who);
	for (std::uintptr_t i = 0; i < 4; i++)
		BOOST_TEST(byte_at(r, 4096 * (1 + i)) == static_cast<int>(i) +
		    1);
	BOOST_TEST(memory.asked == 0);
	for (std::uintptr_t i = 0; i < 10; i++)
		BOOST_TEST(byte_at(r, at + 4096 * i) == 77);
	BOOST_TEST(memory.asked == 2);
	BOOST_TEST(memory.sizes.size() == 4u);
	bytes->fill(78);
	r.forget();
	BOOST_TEST(byte_at(r, at) == 78);

	// Nothing is mapped there.  It is asked for once, until the process is
	// known to have mapped more, or another question begins.
	BOOST_TEST(byte_at(r, 4096) == 5);
	r.begin(who);
	BOOST_TEST(byte_at(r, 4096) == 6);
	BOOST_TEST(memory.asked == 2);

	// Another process has descriptors of its own.
	r.begin({1, 1, 1});
	BOOST_TEST(byte_at(r, at) == 7);
	BOOST_TEST(memory.sizes.size() == 7u);
}

BOOST_AUTO_TEST_CASE(without_descriptors_it_is_asked, *description(
    "where the asker gives none, each part is asked for"))
{
	numbered_memory memory(false);
	requests r(*memory.reader);
	r.begin({getpid(), getpid(), 1});
	for (std::uintptr_t i = 0; i < 9; i++)
		BOOST_TEST(byte_at(r, 4096 * (1 + i)) == static_cast<int>(i) +
		    1);
	BOOST_TEST(memory.asked == 1);
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

BOOST_AUTO_TEST_CASE(one_moment_reads_a_page_once, *description("walks of "
    "threads that have slept since one moment share what they read of their "
    "process, and no other walk gets it"))
{
	using stack9::remote::pass_memory;
	alignas(4096) static volatile char page[4096];
	pass_memory kept;
	const stack9_thread who{getpid(), getpid(), 0};
	const auto read = [&](pass_memory::use &&by, bool ahead = false,
	    bool again = false) {
		const stack9::user_copy none;
		stack9::remote::present_memory words(none, who, nullptr,
		    by.pages());
		const auto at = reinterpret_cast<std::uintptr_t>(page) + 9;
		const stack9::languages::memory::range part{at, 1};
		if (ahead)
			words.prefetch({&part, 1});
		char byte = -1;
		if (again) {
			words.forget();
			BOOST_TEST(words.read(at, &byte, 1));
			BOOST_TEST(byte == page[9]);
			words.remember();
		}
		BOOST_TEST(words.read(at, &byte, 1));
		return int{byte};
	};
	for (const bool ahead : {false, true}) {
		page[9] = 1;
		BOOST_TEST(read({kept, 7}, ahead) == 1);
		page[9] = 2;
		BOOST_TEST(read({kept, 7}, ahead) == 1);
		BOOST_TEST(read({kept, 7}, ahead, true) == 1);
		BOOST_TEST(read({kept, 0}, ahead) == 2);
		pass_memory::use other(kept, 7);
		BOOST_TEST(other.pages() != nullptr);
		BOOST_TEST(read({kept, 7}, ahead) == 2);
	}
	page[9] = 3;
	BOOST_TEST(read({kept, 8}) == 3);
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
