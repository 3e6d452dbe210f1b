// Declares the frames that people wrote in a language that the machine does not
// know: functions of an interpreter or of its JIT, in the place of native
// frames or between them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frame_chain.h"

namespace stack9 {

// Flags of a written frame.
// The native frame at its index only runs it, and need not be shown.
inline constexpr std::uint32_t written_replaces = 0x1;
// It may be of another moment than the native frames.
inline constexpr std::uint32_t written_guessed = 0x2;

// A function at a line.  Texts are offsets into the text of the stack, where a
// NUL ends them; offset 0 is the empty text.
struct written_frame {
	std::uint32_t	at;		// index of the pc that it stands for,
					// or before; the stack's depth: it is
					// outside of all of them
	std::uint32_t	flags;
	std::uint32_t	language;	// "python"
	std::uint32_t	name;		// as its people write it
	std::uint32_t	file;		// ""; not known
	std::uint32_t	line;		// 0: not known
};

// A lock of the language's machine or of its modules that the thread waits for.
struct written_lock {
	std::uint64_t	address = 0;	// of the lock; 0: it waits for none
	std::uint64_t	word_at = 0;	// of the word that says who has it
	std::uint32_t	word = 0;	// that word
	std::uint64_t	owner = 0;	// the thread pointer of the thread that
					// has it; 0: it is not known
	std::string	object;		// "java.util.ArrayList"; ""
	bool		is_endless = false;	// the wait has no end in time
	bool		has_no_owner = false;	// it does not record one
	enum class what : std::uint8_t {
		monitor,	// of the machine
		interpreter,	// it lets one thread run at a time
		lock,		// these are of a module of the language
		condition,	// it waits to be notified
		end		// of the thread that owner names
	} kind = what::monitor;
};

// A question for written frames.
struct written_question {
	// The address that the ABI has for the thread itself: fs on x86-64; 0:
	// it is not known.
	std::uint64_t	thread_pointer = 0;
	// The thread has slept since this number was made, so that memory is of
	// its moment that another question with the number has read.  0: none.
	std::uint64_t	moment = 0;
	// The stack is of an event, and its thread may have gone on: the frames
	// are those that the program has sent (frame_chain.h), and no others.
	// If the stack has no native frames, their names are read and kept, and
	// the answer has the chain.
	bool		at_event = false;
	std::span<const std::uint64_t> reported = {};
};

// The written frames of one stack, innermost first.
class written_stack {
public:
	void
	clear() noexcept
	{
		frames.clear();
		text.assign(1, '\0');
		last_language_ = last_file_ = 0;
		note.clear();
		thread_name.clear();
		lock = {};
		chain = {};
		lacking = false;
	}

	// Frames may come in any order of their indices, but those of one index
	// come innermost first.  Throws std::bad_alloc.
	void
	add(std::uint32_t at, std::uint32_t flags, std::string_view language,
	    std::string_view name, std::string_view file, std::uint32_t line)
	{
		const std::uint32_t l = keep(language, last_language_);
		const std::uint32_t f = keep(file, last_file_);
		std::uint32_t none = 0;
		frames.push_back({at, flags, l, keep(name, none), f, line});
	}
	// Orders them by their indices.
	void sort();
	// Says that those from this one on may be of another moment.
	void
	flag_as_guessed(std::size_t first = 0) noexcept
	{
		for (; first < frames.size(); first++)
			frames[first].flags |= written_guessed;
	}
	// Gives the offset of a text.  Throws std::bad_alloc.
	std::uint32_t
	text_at(std::string_view what)
	{
		std::uint32_t none = 0;
		return keep(what, none);
	}

	std::string_view
	text_of(std::uint32_t offset) const noexcept
	{
		return text.c_str() + offset;
	}

	std::vector<written_frame> frames;
	std::string	text = std::string(1, '\0');
	// A sentence if a runtime is there whose frames cannot be found:
	// "python 3.16: its layout is not known"; "".
	std::string	note;
	written_lock	lock;
	// The name that a runtime has for the thread, in UTF-8; "": none.
	std::string	thread_name;
	// How frames are found at events.
	s9_frame_chain	chain{};
	// The stack is of an event, and runs functions of a language that are
	// not among the frames.
	bool		lacking = false;

private:
	std::uint32_t
	keep(std::string_view what, std::uint32_t &last)
	{
		const std::string_view until = what.substr(0, what.find('\0'));
		if (until.empty())
			return 0;
		if (last != 0 && text_of(last) == until)
			return last;
		last = static_cast<std::uint32_t>(text.size());
		text.append(until);
		text.push_back('\0');
		return last;
	}

	std::uint32_t	last_language_ = 0, last_file_ = 0;
};

// A task of a language that no thread runs.
struct written_task {
	std::uint64_t	id;		// as in the language
	std::uint64_t	waits_for;	// the id of the task that it waits for,
					// or 0
	std::uint32_t	runtime, name, state;	// texts of the stack
	std::uint32_t	frames;		// of the stack, after those of the
					// tasks before it
	std::uint32_t	is_torn;	// it ran each time that it was read
};

// All of a process.
struct written_tasks {
	std::vector<written_task> all;
	written_stack	stack;		// whose indices are 0

	void
	clear() noexcept
	{
		all.clear();
		stack.clear();
	}
};

} // namespace stack9
