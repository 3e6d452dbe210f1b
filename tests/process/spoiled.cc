// Walks copies of which nothing is true.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <random>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/cpu.h"
#include "core/seam/stop_reason.h"

#include "copier.h"
#include "lib/text.h"
#include "require.h"
#include "return_probe.h"

using stack9::user_copy;

namespace {

using numbers = std::mt19937_64;

// A word that walks like: an address in the stack, in code, small, or any.
std::uint64_t
lure(numbers &random, const user_copy &c,
    const std::vector<std::uintptr_t> &pcs)
{
	switch (random() % 4) {
	case 0:
		return c.stack.at + random() % (c.stack.bytes.size() + 64);
	case 1:
		return pcs[random() % pcs.size()] + random() % 16 - 8;
	case 2:
		return random() % 4096;
	default:
		return random();
	}
}

void
spoil(numbers &random, user_copy &c, const std::vector<std::uintptr_t> &pcs)
{
	const std::size_t words = c.stack.bytes.size() / 8;
	const std::size_t near = std::min<std::size_t>(words, 256);
	for (auto n = random() % 64; n > 0; n--) {
		const std::uint64_t v = lure(random, c, pcs);
		std::memcpy(c.stack.bytes.data() + random() % near * 8, &v, 8);
	}
	for (auto n = random() % 8; n > 0; n--)
		c.value[random() % 17] = lure(random, c, pcs);
	if (random() % 4 == 0)
		c.known &= random() | 1 << 16;
	if (random() % 8 == 0)
		c.stack.bytes.resize(random() % (c.stack.bytes.size() + 1));
	c.stack.more = random() % 2 != 0;
}

void
assign(user_copy &to, const user_copy &from)
{
	to.value = from.value;
	to.known = from.known;
	to.stack.at = from.stack.at;
	to.stack.more = from.stack.more;
	BOOST_REQUIRE(to.stack.bytes.resize(from.stack.bytes.size()));
	std::memcpy(to.stack.bytes.data(), from.stack.bytes.data(),
	    from.stack.bytes.size());
}

// The space of a child that has one mapping more.
stack9_space *
space_with(const std::string &mapping, const child &c)
{
	const std::string text = mapping + lib::contents("/proc/" +
	    std::to_string(c.pid()) + "/maps");
	stack9_space *made = nullptr;
	BOOST_REQUIRE_EQUAL(stack9::space_of_text(c.thread(), text, made), 0);
	return made;
}

} // namespace

BOOST_AUTO_TEST_SUITE(spoiled, *needs("ptrace"))

BOOST_AUTO_TEST_CASE(a_walk_of_anything_ends)
{
	for (const char *how : {"plain", "no_fp", "fp_only", "static"}) {
		child c({program(how), "signal"});
		BOOST_REQUIRE(c.says("ready"));
		const opened space(c.thread());
		user_copy good, bad;
		copy_thread(c.pid(), good);
		const walk w = walk_of(*space, good, c.thread());
		BOOST_REQUIRE(w.pcs.size() > 5);
		numbers random(1);
		for (int n = 0; n < 5000; n++) {
			assign(bad, good);
			spoil(random, bad, w.pcs);
			const walk v = walk_of(*space, bad, c.thread(), 64);
			BOOST_REQUIRE(v.rec.depth >= 1);
			BOOST_REQUIRE(v.rec.depth <= 64);
			BOOST_REQUIRE(v.pcs[0] == bad.value[16]);
			BOOST_REQUIRE((v.rec.dropped == 0 ||
			    v.rec.why == STACK9_WHY_TRUNCATED));
		}
	}
}

// A frame pointer of 0 alone does not make a frame the outermost.
BOOST_AUTO_TEST_CASE(a_return_to_what_is_no_code_is_not_the_outermost)
{
	child c({program("plain")});
	BOOST_REQUIRE(c.says("ready"));
	const opened space(c.thread());
	user_copy copy;
	copy_thread(c.pid(), copy);
	const walk w = walk_of(*space, copy, c.thread());
	BOOST_REQUIRE(w.is_whole());
	std::uint64_t word = 0;
	std::size_t at = stack9::unwind::red_zone;
	for (; word != w.pcs[1]; at += 8)
		std::memcpy(&word, copy.stack.bytes.data() + at, 8);
	const std::uint64_t data = copy.stack.at + 64;
	std::memcpy(copy.stack.bytes.data() + at - 8, &data, 8);
	copy.set(6, 0);
	const walk v = walk_of(*space, copy, c.thread());
	BOOST_TEST(v.pcs.at(1) == data);
	BOOST_TEST(!v.is_whole());
	BOOST_TEST(v.rec.why == STACK9_WHY_UNWIND);
}

BOOST_AUTO_TEST_CASE(a_stack_that_leads_to_itself_ends)
{
	child c({program("fp_only")});
	BOOST_REQUIRE(c.says("ready"));
	const opened space(c.thread());
	user_copy copy;
	copy_thread(c.pid(), copy);
	const walk w = walk_of(*space, copy, c.thread());
	const std::uint64_t fp = copy.value[7] + 64;
	const auto names = names_of(*space, w);
	const std::uint64_t inner = w.pcs.at(static_cast<std::size_t>(
	    std::find(names.begin(), names.end(), "inner") - names.begin()));
	const std::uint64_t frame[2] = {fp, inner};
	std::memcpy(copy.stack.bytes.data() + (fp - copy.stack.at), frame,
	    sizeof frame);
	copy.set(6, fp);
	copy.set(16, inner);
	const walk v = walk_of(*space, copy, c.thread(), 1 << 20);
	BOOST_TEST(v.rec.depth < 10u);
	BOOST_TEST(v.rec.why != STACK9_WHY_NONE);
}

// Mapped here, and never run.
BOOST_AUTO_TEST_CASE(a_file_may_say_anything)
{
	const scratch dir;
	const std::string path = dir.take(program("debug_frame"));
	const int fd = open(path.c_str(), O_RDWR);
	const auto size = static_cast<std::size_t>(lseek(fd, 0, SEEK_END));
	std::vector<std::byte> good(size);
	BOOST_REQUIRE(pread(fd, good.data(), size, 0) ==
	    static_cast<ssize_t>(size));
	const stack9_thread self{gettid(), getpid(), 0};
	numbers random(2);
	std::vector<std::uint64_t> stack(1000);
	for (int n = 0; n < 400; n++) {
		auto bad = good;
		const std::size_t most = n % 2 == 0 ? 1024 : size;
		for (auto i = 1 + random() % 40; i > 0; i--)
			bad[random() % most] = static_cast<std::byte>(
			    random() % 4 != 0 ? random() : 0xff);
		BOOST_REQUIRE(pwrite(fd, bad.data(), size, 0) ==
		    static_cast<ssize_t>(size));
		void *const at = mmap(nullptr, size, PROT_READ | PROT_EXEC,
		    MAP_PRIVATE, fd, 0);
		const auto code = reinterpret_cast<std::uintptr_t>(at);
		const opened space(self);
		BOOST_REQUIRE(space.error == 0);
		user_copy copy;
		copy.stack.at = 0x7000000000;
		BOOST_REQUIRE(copy.stack.bytes.resize(8 * stack.size()));
		for (auto &word : stack)
			word = random() % 2 != 0 ? code + random() % size :
			    copy.stack.at + random() % 8000;
		std::memcpy(copy.stack.bytes.data(), stack.data(),
		    copy.stack.bytes.size());
		for (std::size_t pc = 0; pc < size; pc += 64) {
			copy.set(16, code + pc);
			copy.set(7, copy.stack.at + 256);
			copy.set(6, copy.stack.at + 512);
			const walk w = walk_of(*space, copy, self, 64);
			BOOST_REQUIRE(w.rec.depth >= 1);
		}
		munmap(at, size);
	}
	close(fd);
}

// Its file is not opened, because nothing of it is code.
BOOST_AUTO_TEST_CASE(a_return_address_in_a_file_that_is_no_code,
    *boost::unit_test::description("0: no unwind information for the last pc"))
{
	child c({program("plain"), "signal"});
	BOOST_REQUIRE(c.says("ready"));
	const opened space(c.thread());
	user_copy copy;
	copy_thread(c.pid(), copy);
	const walk whole = walk_of(*space, copy, c.thread());
	BOOST_REQUIRE(whole.is_whole());
	constexpr std::uint64_t data = 0x20040;
	stack9::unique_space with_data;
	with_data.reset(space_with(
	    "20000-21000 r--p 00000000 00:01 77 /etc/passwd\n", c));
	const std::uint64_t caller = whole.pcs[whole.rec.depth - 3];
	for (std::size_t at = 0; at + 8 <= copy.stack.bytes.size(); at += 8)
		if (std::memcmp(copy.stack.bytes.data() + at, &caller, 8) == 0)
			std::memcpy(copy.stack.bytes.data() + at, &data, 8);
	const walk cut = walk_of(*with_data, copy, c.thread());
	BOOST_REQUIRE(cut.rec.depth >= 2u);
	BOOST_TEST(cut.pcs[cut.rec.depth - 1] == data);
	BOOST_TEST(cut.rec.why == STACK9_WHY_UNWIND);
	BOOST_TEST(cut.rec.reason != stack9::file_unread);
}

// A route that is not an event cannot put the address back.
BOOST_AUTO_TEST_CASE(a_return_address_that_a_tracers_probe_has_replaced,
    *needs("ptrace"))
{
	child c({program("plain"), "dlopen", program("plugin.so")});
	BOOST_REQUIRE(c.says("waits"));
	const return_probe probe(c.pid(), program("plain"), "middle");
	if (!probe.is_there()) {
		BOOST_TEST_MESSAGE("skipped: this kernel has no uretprobes");
		return;
	}
	c.give_byte();
	BOOST_REQUIRE(c.says("ready"));
	const opened space(c.thread());
	user_copy copy;
	copy_thread(c.pid(), copy);
	const walk w = walk_of(*space, copy, c.thread());
	const auto names = names_of(*space, w);
	BOOST_TEST(has(names, {"inner", "middle", "?"}), text(names));
	BOOST_TEST(w.rec.why == STACK9_WHY_UNWIND);
	BOOST_TEST(w.rec.reason == std::string(stack9::return_probed));
}

// The space that the walk began with is gone then, and frames of languages are
// looked for in the other one.
BOOST_AUTO_TEST_CASE(a_walk_that_renews_its_space_goes_on_with_the_new_one)
{
	child c({program("plain"), "signal"});
	BOOST_REQUIRE(c.says("ready"));
	user_copy copy;
	copy_thread(c.pid(), copy);
	stack9_space *before = nullptr, *space;
	BOOST_REQUIRE_EQUAL(stack9::space_of_text(c.thread(), {}, before), 0);
	stack9::unique_space own(before);
	space = before;
	walk w;
	w.pcs.resize(64);
	w.rec.thread = c.thread();
	w.rec.side = STACK9_USER;
	w.rec.max = 64;
	w.rec.pcs = w.pcs.data();
	BOOST_TEST(stack9::walk_and_extend(space, copy, w.rec,
	    [&](stack9_space *&with) {
		stack9_space *now = nullptr;
		BOOST_REQUIRE_EQUAL(stack9::space_open(c.thread(), now), 0);
		own.reset(now);
		with = now;
		return true;
	    }, [](std::uint64_t) { return ENODATA; }) == 0);
	BOOST_TEST(w.rec.depth > 5u);
	BOOST_TEST(space == own.get());
}

BOOST_AUTO_TEST_SUITE_END()
