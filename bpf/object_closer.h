// Closes an object of libbpf at the end of a std::unique_ptr's life.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bpf/libbpf.h>

namespace stack9::bpf {

struct object_closer {
	void operator()(bpf_object *o) const noexcept { bpf_object__close(o); }
};

} // namespace stack9::bpf
