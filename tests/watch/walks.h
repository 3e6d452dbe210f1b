// Tells whether this kernel walks user stacks by learned rules.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

#include "paths.h"

// Whether the kernel counts changes of mappings, where a program can read it.
inline bool
counts_mappings()
{
	std::ifstream types("/sys/kernel/btf/vmlinux", std::ios::binary);
	const std::string all{std::istreambuf_iterator<char>(types), {}};
	return all.find("mm_lock_seq") != all.npos &&
	    access("/sys/kernel/realtime", F_OK) != 0;
}

// "": this kernel can walk.  A copy tells; a kernel that counts and does not
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
	return w.tally().walks == 1 ? "" : "this kernel does not tell when "
	    "mappings change";
}
