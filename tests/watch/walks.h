// Finds out whether this kernel walks user stacks by learned rules, and
// compares walks with copies.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "paths.h"

// Returns whether the kernel counts changes of mappings, for programs to read.
inline bool
counts_mappings()
{
	std::ifstream types("/sys/kernel/btf/vmlinux", std::ios::binary);
	const std::string all{std::istreambuf_iterator<char>(types), {}};
	// Real-time kernels count where programs can read it since 6.14, and
	// have vm_refcnt since 6.15.
	return all.find("mm_lock_seq") != all.npos && (!is_real_time() ||
	    all.find("vm_refcnt") != all.npos);
}

// "": this kernel can walk.  A copy shows it; a kernel that counts and does not
// walk fails.
inline std::string
no_walks(const char *event)
{
	if (counts_mappings())
		return "";
	staged p("deep_lean", {"1", "1"});
	watching w(event, only(p.pid()), counted(STACK9_USER));
	w.all_of(p);
	w.end();
	return (w.tally().flags & STACK9_TALLY_NO_WALK) == 0 ? "" :
	    "this kernel does not tell when mappings change";
}

inline constexpr char event[] = "syscall:getppid";

inline auto
walks()
{
	return unless([] {
		static const std::string lack = no_walks(event);
		return lack;
	});
}

// Watches that begin meanwhile walk and copy each stack, and compare.
class comparing {
public:
	comparing() { setenv("STACK9_WALK", "compare", 1); }
	comparing(const comparing &) = delete;
	~comparing() { unsetenv("STACK9_WALK"); }
};

// The ring may lack room for so many copies at once.  A kernel that preempts
// programs does not show them all events, and counts those.
inline void
check_compared(const watching &w, std::uint64_t events)
{
	const stack9::watch_totals t = w.tally();
	BOOST_TEST(t.events <= events);
	BOOST_TEST(t.events + t.skipped >= events);
	BOOST_TEST(t.kept + t.no_room == t.events);
	BOOST_TEST(t.copied == t.events);
	BOOST_TEST(t.walked > 0u);
	BOOST_TEST(t.differing == 0u);
}
