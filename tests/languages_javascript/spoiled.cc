// Overwrites parts of a stopped program's heap and stack, and captures it:
// whatever is there, a capture ends soon.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "node_program.h"

#include <chrono>
#include <cinttypes>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9.h>

#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

namespace {

struct region {
	std::uint64_t	start, end;
};

// The memory that is the program's own to write.
std::vector<region>
written_by(pid_t pid)
{
	constexpr std::uint64_t largest = 4 << 20;
	std::vector<region> all;
	const std::string name = "/proc/" + std::to_string(pid) + "/maps";
	const std::unique_ptr<std::FILE, int (*)(std::FILE *)> maps(
	    std::fopen(name.c_str(), "r"), std::fclose);
	BOOST_REQUIRE(maps != nullptr);
	for (char line[4096]; std::fgets(line, sizeof line, maps.get()) !=
	    nullptr;) {
		region r;
		char modes[5], path[64] = "";
		if (std::sscanf(line, "%" SCNx64 "-%" SCNx64
		    " %4s %*s %*s %*s %63s", &r.start, &r.end, modes, path) >=
		    3 && modes[0] == 'r' && modes[1] == 'w' &&
		    (path[0] == '\0' || std::string(path) == "[stack]") &&
		    r.end - r.start <= largest)
			all.push_back(r);
	}
	return all;
}

// Puts other words in the place of one in so many: small numbers, large ones,
// and pointers to other words of the region.
void
spoil(pid_t pid, const region &r, unsigned int one_in, std::mt19937_64 &random)
{
	const std::string name = "/proc/" + std::to_string(pid) + "/mem";
	const int fd = open(name.c_str(), O_RDWR | O_CLOEXEC);
	BOOST_REQUIRE(fd >= 0);
	std::vector<std::uint64_t> words((r.end - r.start) / 8);
	const std::size_t size = 8 * words.size();
	if (pread(fd, words.data(), size, static_cast<off_t>(r.start)) ==
	    static_cast<ssize_t>(size)) {
		for (std::uint64_t &w : words) {
			const std::uint64_t n = random();
			if (w == 0 || n % one_in != 0)
				continue;
			switch (n >> 32 & 3) {
			case 0: w = random(); break;
			case 1: w = random() << 32; break;
			case 2: w = r.start + (random() % size & ~7ull) + 1;
				break;
			default: w ^= 1ull << (random() & 63); break;
			}
		}
		BOOST_TEST(pwrite(fd, words.data(), size,
		    static_cast<off_t>(r.start)) == static_cast<ssize_t>(size));
	}
	close(fd);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_spoiled_heap_is_bounded, *has_node() * needs("bpf") *
    SAYS("LANGUAGES: a heap that was overwritten costs no more than a "
    "stack that is not found"))
{
	constexpr auto longest = std::chrono::seconds(5);
	std::mt19937_64 random(1);
	for (const std::string &node : nodes())
		for (const unsigned int one_in : {4096u, 256u, 16u, 2u}) {
			node_program p(node, {}, 5, 40, 500);
			frames said;
			BOOST_REQUIRE(p.next(said));
			BOOST_TEST(captured(p.pid()) == said);
			int status;
			BOOST_REQUIRE(kill(p.pid(), SIGSTOP) == 0);
			BOOST_REQUIRE(waitpid(p.pid(), &status, WUNTRACED) ==
			    p.pid());
			BOOST_REQUIRE(WIFSTOPPED(status));
			for (const region &r : written_by(p.pid()))
				spoil(p.pid(), r, one_in, random);
			stack9_save_options o{};
			o.size = sizeof o;
			o.flags = STACK9_SAVE_LANGUAGES;
			const stack9_thread td{p.pid(), 0, 0};
			stack9_sample *s = nullptr;
			const auto begin = std::chrono::steady_clock::now();
			BOOST_TEST(stack9_save(&td, STACK9_USER, &o, &s) == 0);
			BOOST_TEST((std::chrono::steady_clock::now() - begin <
			    longest));
			stack9_sample_close(s);
		}
}
