// Has the frames of CPython told at events, and gives them their names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "languages/runtime.h"

#include "calls.h"
#include "code.h"
#include "layout.h"

namespace stack9::languages::python {

// Describes the frames of a process for programs that follow them.  False: the
// layout is beyond what they can.
bool describe_chain(const loaded &, const layout &, s9_frame_chain &);

// The code objects that events have told, of all processes that have the file.
// They are read when they are told first, and kept, for the process and its
// functions may be gone when the names are wanted.
class told_codes final : public process::attachment {
public:
	// Gives the code object with this cookie at an address; NULL: another
	// one, or none, is there by now.  Throws std::bad_alloc.
	std::shared_ptr<const code_object> find(const question &,
	    const layout &, std::uint64_t at, std::uint32_t cookie) const;

private:
	struct key {
		pid_t		tid;
		std::uint64_t	start, at;
		std::uint32_t	cookie;
		auto operator<=>(const key &) const = default;
	};

	mutable std::mutex	lock_;
	mutable std::map<key, std::shared_ptr<const code_object>> all_;
	mutable std::size_t	bytes_ = 0;
};

// Puts the frames that were told in the place of the calls of the loop.  Throws
// std::bad_alloc.
void weave(const question &, const loaded &, const places &, const layout &,
    const told_codes &, written_stack &);

} // namespace stack9::languages::python
