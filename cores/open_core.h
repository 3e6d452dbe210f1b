// Declares an open core, and what the calls for it share.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <stack9_core.h>

#include "api/sample.h"
#include "core/seam/user_copy.h"
#include "process/space.h"

#include "images.h"
#include "kept_pages.h"
#include "live_contents.h"

// Opaque to callers.
struct stack9_core {
	stack9::unique_space		space;		// has the process
	stack9::cores::core_process	*process = nullptr;
	stack9::cores::kept_pages	*pages = nullptr;	// or NULL
	stack9_core_facts		info{};
	std::vector<std::string>	notes;
	std::string			end;
};

namespace stack9::cores {

// Opens a core whose headers were read.  keeps: what is read of its memory is
// kept for a dump.  Throws std::bad_alloc.
std::unique_ptr<stack9_core> open_contents(std::unique_ptr<core_bytes>,
    contents &&, const places &, bool keeps);

// Gives the samples of a core's threads one after the other.
class thread_walks {
public:
	thread_walks(core_process &p, std::uint32_t frames, bool languages);

	// The sample is valid until the next one.
	const stack9_sample &walk(const thread &);
	// The memory of the last stack, and its frames.
	const user_copy &copy() const noexcept { return copy_; }

private:
	core_process			&process_;
	std::vector<std::uintptr_t>	pcs_;
	const bool			languages_;
	written_stack			written_{};
	user_copy			copy_{};
	lent_sample			lent_{};
};

} // namespace stack9::cores
