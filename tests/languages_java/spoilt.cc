// Tests that a machine whose memory is spoilt neither ends a capture nor keeps
// it busy: the words of a stopped program's own tables are overwritten.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "os/unique_fd.h"

#include "java_program.h"
#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

namespace {

struct range {
	std::uint64_t	from, to;
};

// The writable memory of the machine's library, and that after it: its
// variables and the tables that describe it.
std::vector<range>
variables_of(pid_t pid)
{
	std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
	std::vector<range> all;
	std::uint64_t end = 0;
	for (std::string line; std::getline(maps, line);) {
		unsigned long long from, to;
		char rights[5];
		if (std::sscanf(line.c_str(), "%llx-%llx %4s", &from, &to,
		    rights) != 3)
			continue;
		const bool is_it = line.ends_with("/libjvm.so");
		if ((is_it || from == end) && rights[1] == 'w')
			all.push_back({from, to});
		if (is_it)
			end = to;
	}
	return all;
}

// Writes words that resemble addresses, sizes and indices.
void
spoil(pid_t pid, const std::vector<range> &in, std::mt19937_64 &random,
    unsigned int one_in)
{
	const stack9::unique_fd memory(open(("/proc/" + std::to_string(pid) +
	    "/mem").c_str(), O_WRONLY | O_CLOEXEC));
	BOOST_REQUIRE(memory.get() >= 0);
	for (const range &r : in)
		for (std::uint64_t at = r.from; at + 8 <= r.to; at += 8) {
			if (random() % one_in != 0)
				continue;
			const range &other = in[random() % in.size()];
			const std::uint64_t words[] = {0, UINT64_MAX,
			    random() % 4096, random(), at,
			    other.from + random() % (other.to - other.from)};
			const std::uint64_t w = words[random() % 6];
			BOOST_REQUIRE(pwrite(memory.get(), &w, sizeof w,
			    static_cast<off_t>(at)) == sizeof w);
		}
}

} // namespace

BOOST_AUTO_TEST_CASE(spoilt_memory_is_bounded, *has_java() * needs("bpf") *
    SAYS("LANGUAGES: what a runtime has in its memory may be anything"))
{
	using namespace std::chrono;
	const int rounds = long_run() ? 50 : 4;
	for (int seed = 1; seed <= rounds; seed++) {
		const java_program p(javas().front(), "-Xint", seed, 5, 0);
		std::mt19937_64 random(static_cast<unsigned int>(seed));
		std::size_t guessed;
		BOOST_REQUIRE(kill(p.pid(), SIGSTOP) == 0);
		const std::vector<range> in = variables_of(p.pid());
		BOOST_REQUIRE(!in.empty());
		for (const unsigned int one_in : {2048u, 64u, 8u, 2u}) {
			spoil(p.pid(), in, random, one_in);
			const auto begun = steady_clock::now();
			const stacks seen = captured(p.pid(), guessed);
			BOOST_TEST(seen.size() > 5u);
			BOOST_TEST(duration_cast<seconds>(steady_clock::now() -
			    begun).count() < 20);
		}
	}
}
