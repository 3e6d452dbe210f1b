// Makes readable names, and turns one address into frames: a function and the
// calls inlined into it, with module, build-id, file and line.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

#include "core/seam/record.h"
#include "core/seam/space.h"
#include "core/seam/symbols.h"

#include "known_frames.h"

namespace stack9 {

// A name from a stranger's file may stand for an endless text: a text that is
// longer than this is none.
inline constexpr std::size_t longest_readable = 256 << 10;

// 0; ENOENT: it is not mangled, and `to` is undefined.  Throws std::bad_alloc.
int readable_name(const char *name, std::string &to);

// Gives frames to a function of the caller's.  One object serves for a whole
// stack and allocates only where a text is longer than any before.  Functions
// return true if the caller's function ends the call; they may throw
// std::bad_alloc.
class frame_maker {
public:
	frame_maker(unsigned int flags, stack9_frame_fn *fn, void *arg) noexcept
	    : flags_(flags), fn_(fn), arg_(arg) {}

	bool of_kernel(std::uint64_t pc, bool exact, std::uint32_t index);
	bool of_process(stack9_space &, std::uint64_t pc, bool exact,
	    std::uint32_t index);
	// known: what known_frame_of() says of it.
	bool of_process(stack9_space &, std::uint64_t pc, bool exact,
	    std::uint32_t index, const known_frame *known);
	// A frame of a route that knows no addresses: name+0xoffset/0xsize
	// [module].
	bool of_text(std::string_view, std::uint32_t index, bool kernel);
	bool of_written(const stack9_written &);
	// Says of the next frame whether it only runs those of a language.
	void
	note_runs(bool runs) noexcept
	{
		more_flags_ = runs ? STACK9_FRAME_RUNS : 0;
	}

	// Returns true if the last frame was a signal's.  The pc that follows
	// it is exact.
	bool
	was_signal() const noexcept
	{
		return (frame_.flags & STACK9_FRAME_SIGNAL) != 0;
	}

private:
	void begin(std::uint64_t pc, bool exact, std::uint32_t index) noexcept;
	void find(stack9_space &, std::uint64_t pc, bool &exact,
	    std::uint32_t index);
	void set_linkage(std::string_view name, bool ends);
	void find_in(stack9_space &, std::uint64_t pc, bool exact);
	bool could_be_signal(bool exact) const noexcept;
	bool is_signal(stack9_space &, std::uint64_t pc, bool exact) const
	    noexcept;
	void place(const mapped_module &, std::uint64_t behind) noexcept;
	bool give_lines(stack9_space &, std::uint64_t pc, bool exact);
	static int take_level(void *arg, const source_line *) noexcept;
	bool give_level(const source_line &);
	bool give_inlined(const char *function);
	bool give();
	const char *readable(const char *linkage, std::string &to);

	const unsigned int	flags_;
	stack9_frame_fn		*const fn_;
	void			*const arg_;
	stack9_frame		frame_;		// set by begin()
	placed_function		found_;		// of the last address
	const char		*linkage_;	// of the frame
	std::string		linkage_text_, name_, module_name_;
	std::uint32_t		more_flags_ = 0;
	bool			given_, ended_;	// set by give_lines()
	bool			no_memory_ = false;	// for a level
};

} // namespace stack9
