// libbpf without its voice.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bpf/libbpf.h>

namespace stack9::bpf {

// libbpf prints what goes wrong, and blames RLIMIT_MEMLOCK for a want of
// rights.  A library keeps silent; the host's own print function comes back.
class silence_libbpf {
public:
	silence_libbpf() noexcept : kept_(libbpf_set_print(nullptr)) {}
	~silence_libbpf() { libbpf_set_print(kept_); }

private:
	libbpf_print_fn_t kept_;
};

} // namespace stack9::bpf
