// Declares what the core needs of process/ and remote/: the mappings of a
// process, and walks by the unwind information of the mapped files.  process/
// defines struct stack9_space.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "record.h"

#include "user_copy.h"
#include "written.h"

namespace stack9 {

// 0; ESRCH; EPERM; ENOMEM, EMFILE and the like.  out is
// untouched on failure.
int space_open(const stack9_thread &, stack9_space *&out) noexcept;
struct space_closer;
using unique_space = std::unique_ptr<stack9_space, space_closer>;
// Gives the space that the process has now: one that is in use already, if the
// process has the same code mapped at the same addresses, or a new one.
// Returns as space_open().
int space_of_now(const stack9_thread &, unique_space &) noexcept;
// Opens the space of a process that has ended.  text is what its
// /proc/TID/maps held.
int space_of_text(const stack9_thread &, std::string_view text,
    stack9_space *&out) noexcept;
// Opens a space of one file, in which addresses are those of its ELF image.
// 0; ENOENT and the like; EINVAL: it is not a regular file; ENOMEM, EMFILE.
int space_of_file(const char *path, stack9_space *&out) noexcept;
// Opens a space without a process, whose files are found by their build-ids in
// these directories and files.  0; ENOMEM; EOPNOTSUPP.
int space_of_build_ids(std::vector<std::string> paths, stack9_space *&out)
    noexcept;
// Gives the address that such a space has for an address of the ELF image of a
// file; exact: it is not a return address.  0; EINVAL: the space is none, or
// vaddr is beyond 2^47; ENOSPC: too many files.  Throws std::bad_alloc.
int space_place(stack9_space &, const std::vector<unsigned char> &build_id,
    const std::string &path, std::uint64_t vaddr, bool exact,
    std::uint64_t &pc);
// Returns true if the space is such a one.
bool has_places(const stack9_space &) noexcept;
// Returns true if the address was made as an exact one.
bool is_exact_place(const stack9_space &, std::uint64_t pc) noexcept;
void space_hold(stack9_space &) noexcept;
void space_drop(stack9_space *) noexcept;

struct space_closer {
	void operator()(stack9_space *s) const noexcept { space_drop(s); }
};

// Reads the mappings again, to find what was mapped since.  Pointers that were
// given out before stay valid.
int space_renew(stack9_space &) noexcept;

// The number of the last snapshot: no other one of any space has it; 0: this
// library keeps no snapshots.
std::uint64_t space_number(const stack9_space &) noexcept;

enum class space_walk {
	// The walk has ended.  why, reason, dropped and flags say how.  If it
	// could not even begin, why is STACK9_WHY_RESOURCE.
	done,
	// The walk needs memory from `wanted` on: the copy lacks it and no
	// file has it.  rec has the frames up to there, or those by another way
	// if there is one: they count if nobody has that memory.
	wants_more,
	// The walk met a pc where no code was mapped.  rec has the frames up
	// to there.
	wants_renewal,
};

// Unwinds a copy into rec: pcs up to max, depth, dropped, flags, why, reason.
// A frame costs 30 ns, without a system call, if its file was met before.
// Thread-safe; allocates when it first meets a file.
space_walk walk_copy(stack9_space &, const user_copy &, stack_record &rec,
    std::uint64_t &wanted) noexcept;

enum class written_search {
	none,		// no language's runtime is among its files
	done,		// the frames that there are have been added
	failed,		// there was no memory, or nobody to answer
	unasked,	// with a walk that was begun: it has to be asked
};

// Adds the frames of languages' runtimes to a copy that was walked into rec.
// They are read from the process as it is now: the caller compares the thread's
// switches afterwards.  It may replace pcs, depth, why and reason of rec.
// Thread-safe.
written_search walk_written(stack9_space &, const user_copy &,
    const written_question &, stack_record &rec, written_stack &) noexcept;

// Finds the tasks of languages that no thread of the process runs.
// Thread-safe.
written_search find_tasks(stack9_space &, written_tasks &) noexcept;

// Returns true if it is known that a space has no language's runtime.
bool is_silent(const stack9_space &) noexcept;

// A copy grows to twice its size at a time: 64 KiB to 2 GiB.
inline constexpr int most_extensions = 16;

// Walks a copy to its end.  Calls renew(space), once, if the walk meets a pc
// that the mappings lack: true if space has newer mappings now, or is another
// space that has, in the caller's variable too: the one before may be gone.
// extend(wanted) reads more memory into the copy: 0; any other error ends the
// walk, and ENODATA is not an error of the walk.
template <class Renew, class Extend>
int
walk_and_extend(stack9_space *&space, const user_copy &copy,
    stack_record &rec, Renew renew, Extend extend) noexcept
{
	bool renewed = false;
	for (int extensions = 0;;) {
		std::uint64_t wanted = 0;
		const space_walk how = walk_copy(*space, copy, rec, wanted);
		if (rec.depth == 0 && rec.why == STACK9_WHY_RESOURCE)
			return EIO;
		if (how == space_walk::wants_renewal && !renewed) {
			renewed = true;
			if (renew(space))
				continue;
		}
		if (how != space_walk::wants_more ||
		    ++extensions > most_extensions)
			return 0;
		if (const int error = extend(wanted); error != 0)
			return error == ENODATA ? 0 : error;
	}
}

// Says by what a frame without unwind information is left.  In code that the
// process has made while it ran: the rule has this bit, and holds as long as
// the code is the same.
inline constexpr std::uint32_t jit_rule = 1u << 31;
// In other code the rule is of kind absent; in place of saved it says whether
// the frame pointer is followed where the pc is a return address, and where it
// is not.
inline constexpr std::uint32_t absent_called = 1, absent_exact = 2;
// The code after a return address may remove the frame and pop the frame
// pointer last; then cfa is the frame's size.  The frame pointer may be
// followed if it is that frame's, for both ways lead to the same place.
// The third is for rules of a stretch of such code: the bytes around each pc
// show the other two.
inline constexpr std::uint32_t absent_by_code = 4;

// Gives the rule (unwind/rule.h) of each frame of a stack that begins with an
// exact pc; 0: it has none.  False: there is no answer.
bool stack_rules(stack9_space &, const std::uintptr_t *pcs, std::uint32_t n,
    std::uint32_t *rules) noexcept;

// Returns, by the rule of a frame, whether a signal has interrupted the next
// one: its pc is not a return address then.
bool is_interrupted(std::uint32_t rule) noexcept;

// The rule of the code from a distance on, up to the next run's.
struct rule_run {
	std::uint32_t	from;
	std::uint32_t	rule;	// 0: stack_rules() may find it
};
// Gives, by address, the rules of the code [from, from + size).  It has to lie
// in one mapping.  False: there is no answer.  Throws std::bad_alloc.
bool code_rules(stack9_space &, std::uintptr_t from, std::uint32_t size,
    std::vector<rule_run> &);

// Returns true if something is mapped at each pc.
bool space_has(stack9_space &, const std::uintptr_t *pcs, std::uint32_t n)
    noexcept;

// Says what is mapped at pc.  0; ENOENT.
int space_module(stack9_space &, std::uintptr_t pc, mapped_module &) noexcept;

// Describes the memory at an address, code or not.
struct mapped_memory {
	std::string	path;		// "[heap]"; "": nothing names it
	bool		is_file = false;
	std::uint64_t	offset = 0;	// of the address, in the file
};
// 0; ENOENT: nothing is.  Throws std::bad_alloc.
int space_memory(stack9_space &, std::uintptr_t address, mapped_memory &);

} // namespace stack9
