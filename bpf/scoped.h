// Closes libbpf's objects, and silences libbpf's log callback, at the end of a
// scope; and copies descriptors that outlive the object.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bpf/libbpf.h>
#include <fcntl.h>

#include "os/unique_fd.h"

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

// None if there is none.
inline unique_fd
kept_copy(int fd) noexcept
{
	unique_fd there(fcntl(fd, F_DUPFD_CLOEXEC, 3));
	there.step_aside();
	return there;
}

} // namespace stack9::bpf
