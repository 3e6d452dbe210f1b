// Declares the questions about files of other processes.  A process without
// rights may answer them instead of this one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "os/unique_fd.h"

#include "fetch_file.h"
#include "record.h"
#include "space.h"

namespace stack9 {

// May throw std::bad_alloc: then there is no answer.
using file_task = void(unique_fd, std::string_view question,
    std::string &answer);

enum class walk_begun {
	yes,
	full,		// walks have to be ended first
	never		// it is too large, or there is no memory
};

// Each function does what the function of the same kind in space.h or symbols.h
// does, and is as thread-safe.
class reader {
public:
	virtual space_walk walk(stack9_space &, const user_copy &,
	    stack_record &, std::uint64_t &wanted) noexcept = 0;
	virtual written_search written(stack9_space &, const user_copy &,
	    const written_question &, stack_record &, written_stack &)
	    noexcept = 0;
	virtual written_search tasks(stack9_space &, written_tasks &)
	    noexcept = 0;
	virtual bool rules(stack9_space &, const std::uintptr_t *pcs,
	    std::uint32_t n, std::uint32_t *rules) noexcept = 0;
	virtual bool code_rules(stack9_space &, std::uintptr_t from,
	    std::uint32_t size, std::vector<rule_run> &) = 0;
	// Adds what only the file can say: vaddr and the build id.
	virtual void module(stack9_space &, std::uintptr_t pc,
	    mapped_module &) noexcept = 0;
	virtual int function(stack9_space &, std::uintptr_t pc,
	    bool return_address, std::string &name, std::uintptr_t &offset,
	    std::uintptr_t &size) = 0;
	virtual int lines(stack9_space &, std::uintptr_t pc,
	    unsigned int flags, source_line_fn *, void *arg) noexcept = 0;
	// The name came from a file.
	virtual int demangle(const char *name, char *text, std::size_t size)
	    noexcept = 0;
	// Runs a function of this program on a file, in the other process, and
	// gives its answer.  False: the other process is gone.
	virtual bool run(file_task *, int fd, const std::string &question,
	    std::string &answer) = 0;
	// As fetch_by_id(), in a third process.
	virtual unique_fd fetch(std::span<const unsigned char> build_id,
	    file_kind) noexcept = 0;
	// The space ends.
	virtual void forget(const stack9_space &) noexcept = 0;

	// Walks that are done while their asker goes on: see walks.h.  False:
	// another thread has claimed them.
	virtual bool claim_walks() noexcept = 0;
	// Walks that have not been ended are forgotten.
	virtual void release_walks() noexcept = 0;
	// Keeps nothing of the copy and of the record.  With a moment the
	// question for written frames is asked, too.
	virtual walk_begun begin_walk(stack9_space &, const user_copy &,
	    const stack_record &, const written_question &) noexcept = 0;
	// As walk(), of the walk that was begun first; and as written(), if it
	// is done and was asked so, into the record's written frames.
	virtual space_walk end_walk(stack_record &, std::uint64_t &wanted,
	    written_search &) noexcept = 0;

	// The other process has this pid, until it ends and another one is
	// started; -1: there is none.
	virtual pid_t pid() noexcept = 0;

	// Set if this process unwinds by itself, and so reads what that takes.
	const bool only_names;

protected:
	explicit reader(bool only) noexcept : only_names(only) {}
	~reader() = default;
};

// The reader of this process, once there is one.  NULL: this process reads the
// files itself.
inline constinit std::atomic<reader *> the_reader{nullptr};

// The reader that unwinds, too; NULL: this process does.
inline reader *
the_unwinder() noexcept
{
	reader *const r = the_reader.load();
	return r == nullptr || r->only_names ? nullptr : r;
}

} // namespace stack9
