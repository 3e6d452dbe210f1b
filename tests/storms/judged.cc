// Judges samples of a crowd: a stack is of the thread that was asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "judged.h"

#include <cstdint>
#include <cstring>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "mark.h"

namespace {

// A stack says this.
struct spelled {
	int		bits = 0;	// of the mark, outermost first
	std::uint32_t	mark = 0;
	std::string	place;		// the function after the last bit
	std::string	all;
};

int
spell(void *to, const stack9_frame *f)
{
	spelled &s = *static_cast<spelled *>(to);
	const std::string name = f->name;
	s.all = name + " " + s.all;
	return 0;
}

// Frames come innermost first, so the mark is spelled from its end.
spelled
read_mark(const stack9_stack &stack)
{
	spelled s;
	stack9_frames(&stack, 0, spell, &s);
	std::size_t at = 0;
	for (std::size_t end; (end = s.all.find(' ', at)) != s.all.npos;
	    at = end + 1) {
		const std::string name = s.all.substr(at, end - at);
		if (name == "storm_0" || name == "storm_1") {
			s.mark = s.mark << 1 | (name == "storm_1");
			s.bits++;
		} else if (name.starts_with("storm_") && name != "storm_next")
			s.place = name;
	}
	return s;
}

// The functions in which a thread can sleep only at one place of the crowd.
std::string
foreign_to(const std::string &place, const stack9_stack &kernel)
{
	std::string names;
	stack9_frames(&kernel, 0, [](void *to, const stack9_frame *f) {
		*static_cast<std::string *>(to) += std::string(" ") + f->name;
		return 0;
	}, &names);
	if (place != "storm_polls" && names.find(" do_sys_poll") !=
	    names.npos)
		return names;
	if (place != "storm_sleeps" && names.find(" hrtimer_nanosleep") !=
	    names.npos)
		return names;
	return {};
}

} // namespace

void
tally::count(const std::string &what)
{
	const std::lock_guard alone(lock_);
	ends_[what]++;
}

void
tally::fault(const std::string &what)
{
	const std::lock_guard alone(lock_);
	faults_[what]++;
}

bool
tally::tell()
{
	for (const auto &[what, n] : ends_)
		fmt::print("    {} {}\n", n, what);
	int shown = 0;
	for (const auto &[what, n] : faults_)
		if (shown++ < 10)
			BOOST_ERROR(n << " times: " << what);
	// A storm that met nobody shows nothing.
	BOOST_TEST(ends_["whole marks"] > 0);
	return faults_.empty() && ends_["whole marks"] > 0;
}

void
judge(const stack9_sample &s, const stack9_thread &asked, tally &t)
{
	if (asked.tid != 0 && s.thread.tid != asked.tid)
		return t.fault("another tid than was asked for");
	const stack9_stack *const user = s.user;
	const bool any = (user != nullptr && user->depth > 0) ||
	    (s.kernel != nullptr && s.kernel->depth > 0);
	if (any && asked.start != 0 && s.thread.start != asked.start)
		return t.fault(fmt::format("another start than was asked for: "
		    "{} by {}, {} by {}", s.kernel->depth, s.kernel->route,
		    user->depth, user->route));
	if (user == nullptr || user->error != 0)
		return t.count(user == nullptr ? "without" :
		    strerrorname_np(user->error));
	const spelled m = read_mark(*user);
	if (m.bits == 0)
		return t.count("at the beginning or the end");
	if (user->why != STACK9_WHY_NONE)
		return t.count("in part");
	const std::uint32_t mark = mark_of(s.thread.tid, s.thread.start);
	if (m.bits > mark_bits)
		return t.fault("more than a mark: " + m.all);
	// On its way down a thread has the first bits only.
	if (m.mark != mark >> (mark_bits - m.bits) && s.thread.start != 0)
		return t.fault(fmt::format("the mark of another thread: {:x} "
		    "of {} bits, not {:x}, tid {} start {} by {}: {}", m.mark,
		    m.bits, mark, s.thread.tid, s.thread.start, user->route,
		    m.all));
	if (m.bits < mark_bits)
		return t.count("marks in part");
	t.count("whole marks");
	// Both are of one moment if one route took both.
	if (s.kernel == nullptr || s.kernel->error != 0 || m.place.empty() ||
	    std::string(s.kernel->route) != user->route)
		return;
	if (const std::string names = foreign_to(m.place, *s.kernel);
	    !names.empty())
		t.fault("the kernel stack of another thread: " + names +
		    " in " + m.place);
	t.count("with the kernel's side");
}
