// The object of the programs on events: configured, loaded, held.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include "bpf/object_closer.h"

#include "loaded.h"
#include "settings.h"

namespace stack9::events {

class programs {
public:
	// names: of programs, all others are left out; function: of the kernel,
	// for "at_fentry".
	// 0; EPERM, EOPNOTSUPP, ENOMEM..., and why.
	int load(const settings &, const std::vector<const char *> &names,
	    const std::string &function, std::string &why);

	// Their descriptors; -1: there is none.
	int program(const char *name) const noexcept
	    { return loaded_.program(name); }
	int map(const char *name) const noexcept
	    { return loaded_.map(name); }
	// How many events the kernel has not shown to them, that it knows of.
	std::uint64_t skipped() const noexcept;

	std::uint32_t key_size(const char *map) const noexcept;
	std::uint32_t value_size(const char *map) const noexcept;
	// Whether they know which point an event is of.
	bool has_cookies() const noexcept { return cookies_; }

private:
	int open(const settings &, const std::vector<const char *> &names,
	    const std::string &function, bool old);
	int try_load(const settings &, const std::vector<const char *> &names,
	    const std::string &function);

	std::unique_ptr<bpf_object, bpf::object_closer> object_;
	loaded	loaded_;
	std::vector<const char *> names_;
	bool cookies_ = false;
};

} // namespace stack9::events
