// Declares what a language is to the walk of a stack: where its runtime is in a
// process, and how the frames are found that the runtime keeps.
//
// A language is a folder here that defines `const runtime runtime_<folder>`.
// The table of all languages is made from the folders.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "core/seam/record.h"
#include "core/seam/user_copy.h"
#include "core/seam/written.h"
#include "process/file.h"
#include "process/space.h"
#include "unwind/code.h"
#include "unwind/memory.h"

namespace stack9::languages {

// A file with a runtime in it, as a process has mapped it.
struct loaded {
	process::file	&backing;
	std::uint64_t	 bias;		// address minus p_vaddr
	std::uint64_t	 mark;		// the address of the symbol that it was
					// found by
};

// The memory of the process.
class memory : public unwind::memory {
public:
	// A part of the memory that is read soon.
	struct range {
		std::uint64_t	from;
		std::uint32_t	size;	// at most 4096
	};
	// Forgets what was read, if that is kept, so that it is read again.
	virtual void forget() noexcept {}
	// Ends the reading again: what was read for other threads of the same
	// moment counts once more.
	virtual void remember() noexcept {}
	// Reads many parts at once, because each read takes some microseconds
	// on its own.  A part that cannot be read is left out.
	virtual void prefetch(std::span<const range>) noexcept = 0;
	// Does so with what may be needed of [from, from + size).
	virtual void prefetch_all(std::uint64_t from, std::uint64_t size)
	    noexcept;

protected:
	~memory() = default;
};

// The stack that is asked for.  The thread sleeps, or has gone on since: the
// asker compares its switches afterwards, and no walk needs to.
struct question {
	stack9_space		&space;
	const stack9_thread	&thread;
	// The registers, as they were copied, with DWARF's numbers.
	const user_copy		&copy;
	// The copy of the stack, and all else that the process has now.
	memory			&words;
	// The unwind information of native code.
	unwind::code		&code;
	const written_question	&asked;
	// The native stack.  A language whose frames no unwind information
	// describes may replace pcs and depth, up to max, with why and reason.
	stack_record		&native;
};

class runtime {
public:
	const std::string_view	language;	// "python"
	// Names of symbols.  A file that has one of them has the runtime.
	const std::span<const std::string_view> marks;
	// Languages that replace native frames come first.
	const int		rank;

	// Adds the frames of a thread, none if the thread runs none of the
	// language, or a note that says why there are none.  The memory is a
	// stranger's: every number in it may be wrong.  Throws std::bad_alloc.
	virtual void walk(const question &, const loaded &, written_stack &)
	    const = 0;
	// Does so for an event, as written_question says.  False: it cannot.
	virtual bool
	walk_event(const question &, const loaded &, written_stack &) const
	{
		return false;
	}
	// Adds the tasks of the process that no thread runs.  The question is
	// of no thread: it has neither a copy nor a native stack.  Throws
	// std::bad_alloc.
	virtual void
	tasks(const question &, const loaded &, written_tasks &) const
	{
	}

	// Gives a sentence if the file has the runtime without its marks; "".
	// Throws std::bad_alloc.
	virtual std::string
	what_is_stripped(process::file &) const
	{
		return {};
	}

	constexpr runtime(std::string_view l,
	    std::span<const std::string_view> m, int r) noexcept
	    : language(l), marks(m), rank(r) {}

protected:
	~runtime() = default;
};

// The table of languages, by rank.
std::span<const runtime *const> all_runtimes() noexcept;

// Adds the frames of all runtimes of the thread's process.  False: the process
// has no runtime, and will have none as long as its mappings are these.  Throws
// std::bad_alloc.
bool add_written(const question &, written_stack &);

// Adds the tasks of all runtimes of a process, likewise.
bool add_tasks(const question &, written_tasks &);

// Gives what a language keeps with a space, likewise.  Further threads may use
// it at the same time.
template <class T>
T &
kept_with(stack9_space &space)
{
	static constexpr char key = 0;
	return static_cast<T &>(space.attached(&key,
	    []() -> std::unique_ptr<process::attachment> {
		return std::make_unique<T>();
	}));
}

// Gives what a language keeps with a file as long as the file exists.  make()
// returns a std::unique_ptr<T>, T an attachment.  It is called without a lock,
// once, or twice at the same time.
template <class T, class Make>
const T &
kept_with(process::file &f, Make make)
{
	static constexpr char key = 0;
	std::unique_lock locked(f.lock());
	std::unique_ptr<process::attachment> &its = f.languages[&key];
	if (its == nullptr) {
		locked.unlock();
		std::unique_ptr<process::attachment> made = make();
		locked.lock();
		if (its == nullptr)
			its = std::move(made);
	}
	return static_cast<const T &>(*its);
}

// Does so with what is empty at first.
template <class T>
const T &
kept_with(process::file &f)
{
	return kept_with<T>(f, [] { return std::make_unique<T>(); });
}

} // namespace stack9::languages
