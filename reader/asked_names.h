// Declares the names and lines that the reader is asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/seam/space.h"

#include "connection.h"
#include "descriptions.h"
#include "file_places.h"

namespace stack9::sandbox {

// Each function is called with the client's lock held, and may throw
// std::bad_alloc.
class asked_names {
public:
	explicit asked_names(connection &by) noexcept : by_(by) {}

	// The addresses of this stack will be asked about.
	void expect(std::uint64_t snapshot, const stack_record &);
	// As the functions of reader (core/seam/reader.h).
	int function(stack9_space &, std::uintptr_t pc, bool return_address,
	    std::string &name, std::uintptr_t &offset, std::uintptr_t &size);
	void module(stack9_space &, std::uintptr_t pc, mapped_module &);
	// False: there is no answer.
	bool lines(stack9_space &, std::uintptr_t pc, unsigned int flags,
	    std::vector<line> &);
	// The name as people write it.  ENOENT: it stays as it is.
	int demangle(const char *name, std::size_t size, std::string &shown);
	// The rule of a pc that was asked about last.  False: it was another.
	bool rule(const stack9_space &, std::uintptr_t pc, std::uint32_t &)
	    const noexcept;

private:
	bool ask(stack9_space &, const address &);
	bool describe(stack9_space &, const address &);
	bool describe_by_file(stack9_space &, const address &);
	// Returns true if last_ describes pc.
	bool is_last(const stack9_space &, std::uint64_t pc) const noexcept;
	file_place place_of(stack9_space &, const address &) noexcept;

	connection	&by_;
	descriptions	described_;
	file_places	places_;
	std::uint64_t	generation_ = 0;	// of the reader, of places_
	// The last answer, and its address in its snapshot.
	description	last_;
	address		last_address_;
	std::uint64_t	last_snapshot_ = 0;
	// A program that asks for names or lines once asks for those of the
	// next stacks.
	bool		wants_names_ = false;
	bool		wants_lines_ = false;
	std::uint32_t	lines_flags_ = 0;
};

} // namespace stack9::sandbox
