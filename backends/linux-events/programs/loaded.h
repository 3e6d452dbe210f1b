// Loads a configured object and owns the descriptors of its programs and maps.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>

#include <bpf/libbpf.h>

#include "os/unique_fd.h"

#include "object_ids.h"

namespace stack9::events {

class loaded {
public:
	// Loads by a program that has the kernel do all of it: 2 ms.
	// 0; an errno.
	int by_kernel(bpf_object *);
	// Loads by libbpf: it reads all of the kernel's types first, in 15 ms.
	int by_libbpf(bpf_object *);

	// -1: it was not loaded.
	int program(program_id id) const noexcept
	    { return programs_[index_of(id)].get(); }
	int map(map_id id) const noexcept
	    { return maps_[index_of(id)].get(); }

private:
	void	keep(bpf_program *, unique_fd) noexcept;
	void	keep(bpf_map *, unique_fd) noexcept;

	std::array<unique_fd, program_count> programs_;
	std::array<unique_fd, map_count> maps_;
};

} // namespace stack9::events
