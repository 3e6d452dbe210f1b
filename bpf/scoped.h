// Closes libbpf's objects, and silences libbpf's log callback, at the end of a
// scope.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bpf/libbpf.h>

namespace stack9::bpf {

// These two are for std::unique_ptr.
struct object_closer {
	void operator()(bpf_object *o) const noexcept { bpf_object__close(o); }
};
struct ring_freer {
	void operator()(ring_buffer *r) const noexcept { ring_buffer__free(r); }
};

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
