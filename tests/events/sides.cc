// Tests the user side of an event, from records made by hand.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstring>
#include <vector>

#include "backends/linux-events/watch/copied_side.h"

using boost::unit_test::description;
namespace events = stack9::events;

namespace {

constexpr std::uint64_t bottom = 0x7ffd00000000;

// A record of an event, and the bytes that follow it.
class record {
public:
	record(std::uint32_t what, std::uint64_t when_ns, std::uint64_t from,
	    std::size_t size, char fill)
	    : bytes_(sizeof(s9_event_copy) + size, fill)
	{
		std::memset(bytes_.data(), 0, sizeof(s9_event_copy));
		get().head.what = what;
		get().head.when_ns = when_ns;
		get().head.scratch = 3;
		get().user.from = from;
		get().user.bytes = static_cast<__u32>(size);
	}
	s9_event_copy &
	get()
	{
		return *reinterpret_cast<s9_event_copy *>(bytes_.data());
	}

private:
	alignas(8) std::vector<char>	bytes_;
};

record
part(std::uint64_t when_ns, std::uint64_t from, char fill)
{
	return record(S9_STACK_PART, when_ns, from, S9_COPY_ROOM, fill);
}

record
event(std::uint64_t when_ns)
{
	return record(S9_EVENT_COPY, when_ns, bottom, S9_COPY_ROOM, '0');
}

std::string
joined(events::stack_parts &parts, std::uint64_t when_ns)
{
	stack9::user_copy copy;
	const stack9::copied_piece &to = copy.stack;
	BOOST_TEST(parts.join(event(when_ns).get(), copy));
	BOOST_TEST(to.at == bottom);
	BOOST_TEST(to.bytes.size() % S9_COPY_ROOM == 0u);
	std::string fills;
	for (std::size_t n = 0; n < to.bytes.size(); n += S9_COPY_ROOM) {
		BOOST_TEST((to.bytes.data()[n] ==
		    to.bytes.data()[n + S9_COPY_ROOM - 1]));
		fills += static_cast<char>(to.bytes.data()[n]);
	}
	return fills;
}

} // namespace

BOOST_AUTO_TEST_SUITE(sides)

BOOST_AUTO_TEST_CASE(parts_come_behind_the_events_own_bytes)
{
	events::stack_parts parts;
	parts.add(part(7, bottom + S9_COPY_ROOM, '1').get());
	parts.add(part(7, bottom + 2 * S9_COPY_ROOM, '2').get());
	BOOST_TEST(joined(parts, 7) == "012");
	BOOST_TEST(joined(parts, 8) == "0");
	parts.add(part(8, bottom + S9_COPY_ROOM, '3').get());
	BOOST_TEST(joined(parts, 8) == "03");
}

// The ring had no room for the record after them.
BOOST_AUTO_TEST_CASE(parts_of_a_lost_event_are_dropped)
{
	events::stack_parts parts;
	parts.add(part(7, bottom + S9_COPY_ROOM, '1').get());
	BOOST_TEST(joined(parts, 8) == "0");
	parts.add(part(9, bottom + S9_COPY_ROOM, '4').get());
	parts.add(part(9, bottom + 2 * S9_COPY_ROOM, '5').get());
	BOOST_TEST(joined(parts, 9) == "045");
}

BOOST_AUTO_TEST_CASE(parts_of_another_place_are_not_joined)
{
	events::stack_parts parts;
	parts.add(part(7, bottom + 2 * S9_COPY_ROOM, '1').get());
	BOOST_TEST(joined(parts, 7) == "0");
}

#ifdef __x86_64__
BOOST_AUTO_TEST_CASE(what_was_copied_of_an_ended_process_is_shown,
    *description("If a process has ended before its mappings could be read, "
    "the address of the event is all that is known of its user stack."))
{
	record r = event(7);
	constexpr int rip = 16, cs = 17;	// words of struct pt_regs
	r.get().user.regs[rip] = 0x401000;
	r.get().user.regs[cs] = 0x33;
	events::stack_parts none;
	events::copied_side side(10);
	events::processes nobody;
	BOOST_TEST(!side.take(r.get(), none, nobody, nullptr));
	const stack9::stack_record &user = side.record();
	BOOST_TEST(user.error == 0);
	BOOST_TEST(user.why == STACK9_WHY_GONE);
	BOOST_TEST(user.depth == 1u);
	BOOST_TEST(user.pcs[0] == 0x401000u);
	BOOST_TEST((user.flags & STACK9_STACK_EXACT) != 0);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
