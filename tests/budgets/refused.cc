// Tests what a reader may have while it works on a question: all else is
// refused, and the reader goes on.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>

#include <unistd.h>

#include "reader/services.h"

using boost::unit_test::description;

namespace {

using namespace stack9::sandbox;

const stack9_thread own{getpid(), getpid(), 0};

// Returns true if there is a reply.
bool
ask(kind question, message &m, stack9::unique_fd &fd)
{
	return services(own, question).serve(m, fd) && m.what == kind::reply;
}

} // namespace

BOOST_AUTO_TEST_SUITE(refused)

BOOST_AUTO_TEST_CASE(memory_while_names_are_found, *description(
    "While it answers a question, it can ask for memory of the process that "
    "the question is about, and, for names, for ELF files by their names"))
{
	const std::uint64_t known = 0x1234;
	for (const kind question : {kind::walk, kind::describe}) {
		message m;
		stack9::unique_fd fd;
		m.begin(kind::read_memory);
		m.put(std::uint32_t{0});
		m.put(std::uint64_t{reinterpret_cast<std::uintptr_t>(&known)});
		m.put(std::uint64_t{sizeof known});
		BOOST_TEST(ask(question, m, fd));
		BOOST_TEST(m.get_bytes(sizeof known).empty() ==
		    (question == kind::describe));
		BOOST_TEST(!fd);
	}
}

BOOST_AUTO_TEST_CASE(files_while_stacks_are_walked)
{
	for (const kind question : {kind::walk, kind::walks, kind::describe}) {
		message m;
		stack9::unique_fd fd;
		m.begin(kind::open_elf);
		m.put_text("/proc/self/exe");
		BOOST_TEST(ask(question, m, fd));
		const bool may = question == kind::describe;
		BOOST_TEST((m.get<int>() == 0) == may);
		BOOST_TEST(bool(fd) == may);
		fd.reset();
		m.begin(kind::open_perf_map);
		BOOST_TEST(ask(kind::walk, m, fd));
		BOOST_TEST(!fd);
		m.begin(kind::fetch);
		BOOST_TEST(ask(kind::walk, m, fd));
		BOOST_TEST(!fd);
	}
}

BOOST_AUTO_TEST_CASE(what_there_is_not)
{
	message m;
	stack9::unique_fd fd;
	m.begin(kind::walk);
	BOOST_TEST(!ask(kind::describe, m, fd));
}

BOOST_AUTO_TEST_SUITE_END()
