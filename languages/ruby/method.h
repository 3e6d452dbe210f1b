// Reads the control frames of Ruby, and finds the methods that they run.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "objects.h"

namespace stack9::languages::ruby {

struct control_frame {
	std::uint64_t	position = 0, code = 0, environment = 0;
	std::uint64_t	flags = 0;	// of the environment

	// It is one of compiled code, or of a function in C.  Others are the
	// machine's.
	bool
	is_compiled() const noexcept
	{
		return code != 0 && position != 0 && !is_dummy();
	}
	// The outermost frame of a thread.  No call of the loop runs it.  That
	// of the main thread has the code of the program, too.
	bool
	is_dummy() const noexcept
	{
		return (flags & 0x7fff0001) == 0x79990001;
	}
	bool
	is_function() const noexcept
	{
		return code == 0 && (flags & 0x7fff0001) == 0x55550001;
	}
	// The machine's loop ends with it.
	bool ends_loop() const noexcept { return (flags & 0x20) != 0; }
};

// False: there is none.
bool read_frame(unwind::memory &, std::uint64_t at, control_frame &);

// Gives the word of a frame that may lead to its method; 0: it cannot be read.
std::uint64_t method_value(unwind::memory &, const control_frame &);

struct method {
	std::uint64_t	owner = 0;	// a class; 0: there is no method
	std::uint64_t	name = 0;	// an identifier
	std::uint64_t	code = 0;	// compiled; 0: it is not
	std::uint64_t	function = 0;	// of C; 0: it is not
};

// Reads the method whose entry is at an address.  False: it is something else.
bool read_method(unwind::memory &, std::uint64_t at, method &);

// Follows at most `left` environments outwards, and takes them off.
method method_of(unwind::memory &, const control_frame &, unsigned int &left);

} // namespace stack9::languages::ruby
