// Finds the blob of code that an address is in: a compiled method, the
// interpreter, or a stub.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "languages/noted_memory.h"

#include "layout.h"

namespace stack9::languages::java {

struct blob {
	enum class kind : std::uint8_t {
		interpreter,
		compiled,
		native,		// a compiled call of a native method
		other,		// a stub or an adapter
	};

	std::uint64_t	at = 0;		// 0: there is none
	kind		what = kind::other;
	std::string	name;		// in the machine's form
	std::uint64_t	code = 0;	// its first instruction
	std::uint32_t	frame_size = 0;	// in bytes; 0: it is not known
	std::uint64_t	complete = 0;	// the pc from which on it has a frame

	bool
	is_method() const noexcept
	{
		return what == kind::compiled || what == kind::native;
	}
};

// The code of a process at one moment.
class code_cache {
public:
	// Throws std::bad_alloc, as all of it.
	code_cache(noting_memory &, const layout &);

	bool
	covers(std::uint64_t pc) const noexcept
	{
		return heap_of(pc) != nullptr;
	}
	// NULL: no blob that is in use is there.  The blob lives as long as
	// this.
	const blob *find(std::uint64_t pc);

private:
	struct heap {
		std::uint64_t	low, high, map;
		std::uint32_t	shift;
	};

	void add_heap(std::uint64_t at);
	const heap *heap_of(std::uint64_t pc) const noexcept;
	bool find_start(std::uint64_t pc, std::uint64_t &start);
	bool read(std::uint64_t pc, std::uint64_t at, blob &);

	noting_memory			&m_;
	const layout			&l_;
	std::vector<heap>		heaps_;
	std::map<std::uint64_t, blob>	blobs_;
};

} // namespace stack9::languages::java
