// Tries whether the programs on events may be loaded, and holds their object:
// configured and loaded for one watch.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include "bpf/unwind/sized_parts.h"
#include "bpf/scoped.h"
#include "core/seam/backend.h"

#include "loaded.h"
#include "settings.h"

namespace stack9::events {

// Tries whether this process may load a program that reads kernel memory, as
// all of them do.  It loads one at each call, for a seccomp filter or a
// lockdown may come later.
verdict try_reader() noexcept;

// Refuses where /sys is hidden: the number of CPUs is there.
verdict find_sys() noexcept;

class programs {
public:
	// Loads the programs that are wanted.  function: of the kernel, for
	// at_fentry.
	// 0; EPERM, EOPNOTSUPP, ENOMEM..., and why.
	int load(const settings &, program_set wanted,
	    const std::string &function, std::string &why);

	// Their descriptors; -1: it is not loaded.
	int program(program_id id) const noexcept
	    { return loaded_.program(id); }
	int map(map_id id) const noexcept
	    { return loaded_.map(id); }
	// How many events the kernel is known not to have shown to them.
	std::uint64_t skipped() const noexcept;

	std::uint32_t key_size(map_id) const noexcept;
	std::uint32_t value_size(map_id) const noexcept;
	// True if they know which probe an event is of.
	bool has_cookies() const noexcept { return cookies_; }
	// True if they walk user stacks by learned rules.
	bool walks() const noexcept { return walks_; }
	// True if they report the frames of runtimes.
	bool reports() const noexcept { return reports_; }

private:
	int open(const settings &, program_set wanted,
	    const std::string &function, bool old);
	int try_load(const settings &, program_set wanted,
	    const std::string &function);

	sized_parts parts_;	// closed after the object
	std::unique_ptr<bpf_object, bpf::object_closer> object_;
	loaded	loaded_;
	program_set wanted_;
	std::string odd_;	// a name that the object or our list lacks
	bool cookies_ = false, walks_ = false, reports_ = false;
};

} // namespace stack9::events
