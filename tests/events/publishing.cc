// Tests what the publisher of the programs knows of a process that maps code.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <bpf/bpf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/unwind/rule_publisher.h"
#include "core/seam/space.h"
#include "os/unique_fd.h"

#include "require.h"

BOOST_AUTO_TEST_SUITE(event_teaching)

namespace {

using boost::unit_test::description;
using stack9::unique_fd;
using stack9::events::rule_budget;
using stack9::events::rule_publisher;

constexpr rule_budget room{12, 1, 4096, 1024};
constexpr rule_publisher::space_key key{1, 2};

unique_fd
array_of(std::size_t bytes, std::uint32_t entries)
{
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_flags = BPF_F_MMAPABLE);
	return unique_fd(bpf_map_create(BPF_MAP_TYPE_ARRAY, nullptr, 4,
	    static_cast<std::uint32_t>(bytes), entries, &o));
}

// The maps, as in the programs.
struct maps {
	unique_fd first = array_of(room.part() + 8, 1),
	    like = array_of(room.part(), 1), pages = array_of(8, room.pages),
	    rows = array_of(8, room.rows / 2), more, mapped;

	maps()
	{
		LIBBPF_OPTS(bpf_map_create_opts, o, .inner_map_fd =
		    static_cast<std::uint32_t>(like.get()));
		more = unique_fd(bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS,
		    nullptr, 4, 4, S9_MORE_PARTS, &o));
		mapped = unique_fd(bpf_map_create(BPF_MAP_TYPE_HASH, nullptr,
		    16, sizeof(s9_mapped), 16, nullptr));
	}
	rule_publisher::maps
	all() const
	{
		return {first.get(), more.get(), pages.get(), rows.get(),
		    mapped.get()};
	}
};

// The mappings of this process now.
stack9::unique_space
space_now()
{
	stack9_space *opened = nullptr;
	BOOST_REQUIRE(stack9::space_open({getpid(), getpid(), 0}, opened) ==
	    0);
	return stack9::unique_space(opened);
}

// A stack of one frame.
struct stack {
	std::uintptr_t		pc;
	stack9::stack_record	rec{};

	explicit stack(const void *at)
	    : pc(reinterpret_cast<std::uintptr_t>(at))
	{
		rec.pcs = &pc;
		rec.depth = rec.max = 1;
	}
	stack(const stack &) = delete;
	stack &operator=(const stack &) = delete;
};

} // namespace

// A list is of the moment when its code was mapped, and so are the numbers of
// stacks.
BOOST_AUTO_TEST_CASE(code_is_as_old_as_its_list, *needs("bpf")
    * description("The number that the programs say of such a stack, which was "
    "copied when the list with that number was true"))
{
	const maps m;
	rule_publisher t;
	BOOST_REQUIRE(t.open(m.all(), room) == 0);
	const auto learn = [&](std::uint32_t number, stack9_space &space,
	    const stack &s) {
		t.publish(key, number, space, s.rec, S9_WALK_NEW_CODE, number);
	};
	const stack before(reinterpret_cast<const void *>(&getppid));
	const auto first = space_now();
	learn(1, *first, before);
	const unique_fd program(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
	void *const code = mmap(nullptr, 4096, PROT_READ | PROT_EXEC,
	    MAP_PRIVATE, program.get(), 0);
	BOOST_REQUIRE(code != MAP_FAILED);
	const stack behind(static_cast<char *>(code) + 64);
	const auto second = space_now();
	BOOST_TEST(t.number_of(key, 1, before.rec) == 1u);
	BOOST_TEST(t.number_of(key, 1, behind.rec) == 0u);
	learn(2, *second, behind);
	const auto check = [&] {
		BOOST_TEST(t.number_of(key, 1, before.rec) == 1u);
		BOOST_TEST(t.number_of(key, 2, before.rec) == 1u);
		BOOST_TEST(t.number_of(key, 2, behind.rec) == 2u);
		// When that list was true the code was not there.
		BOOST_TEST(t.number_of(key, 1, behind.rec) == 0u);
		BOOST_TEST(t.number_of(key, 3, before.rec) == 0u);
		BOOST_TEST(t.number_of({1, 3}, 1, before.rec) == 0u);
	};
	check();
	// An event of before, from another CPU.
	learn(1, *first, before);
	check();
	munmap(code, 4096);
}

BOOST_AUTO_TEST_SUITE_END()
