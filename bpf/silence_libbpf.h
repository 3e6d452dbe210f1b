// Silences libbpf's log callback for a scope.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bpf/libbpf.h>

namespace stack9::bpf {

// libbpf prints each error, and blames RLIMIT_MEMLOCK for a lack of rights.
// This library prints nothing; the host's own print function is set again at
// the end.
class silence_libbpf {
public:
	silence_libbpf() noexcept : kept_(libbpf_set_print(nullptr)) {}
	~silence_libbpf() { libbpf_set_print(kept_); }

private:
	libbpf_print_fn_t kept_;
};

} // namespace stack9::bpf
