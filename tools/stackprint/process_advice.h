// Says what would give names to the frames of a process, where most of them
// have none or are a runtime's own.  Threads that run nothing of the kind, of
// which runtimes have many, do not count.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "ours.h"
#include "tools/lib/names.h"
#include "tools/lib/output.h"

namespace stackprint {

class process_advice {
public:
	struct hint {
		pid_t		pid;
		std::string	comm;
		unsigned long	without, frames;
		std::string	help;	// "": it was not looked for
		std::string	path;	// whose names would help; or ""
		std::string	note{};	// of a runtime; or ""
	};

	// Adds the frames of a sample's user stack.
	void	add(const sample &, names &);
	// Looks for the help of all, or of those that print() prints: each file
	// takes some 10 ms.
	std::vector<hint> hints(bool all) const;

	static void	print(output &, const std::vector<hint> &);
	// Gives a member of the last object, ",\"hints\":[...]", or "".
	static std::string json(const std::vector<hint> &);

private:
	static constexpr std::size_t printed = 4;

	struct counts {
		unsigned long	frames = 0;
		unsigned long	made = 0;	// at run time, without a name
		unsigned long	named = 0;	// made at run time
		unsigned long	runtimes = 0;	// in the runtime's file
		bool		interpreted = false;	// by some of these
	};
	// Threads of a pool have the same stack: its names are looked up once.
	struct equal_stacks {
		unsigned long	threads = 0;
		counts		each;
		std::string	runtime;	// its file
		std::map<std::string, unsigned long> nameless;	// by file
	};
	struct process {
		std::string	comm;
		std::string	note;	// why its functions are missing
		std::unordered_map<std::uint64_t, equal_stacks> stacks;
	};
	struct totals;
	static void	count(equal_stacks &, const place &);
	static bool	hint_of(pid_t, const process &, hint &);
	std::map<pid_t, process> all_;
};

} // namespace stackprint
