// Goes into a stack of known depth.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "deep.h"

extern "C" const char __start_soak_deep[], __stop_soak_deep[];

namespace soak {
namespace {

struct way {
	actor			*who;
	visit			*at;
	const std::uintptr_t	*bad;
	unsigned int		 spoiled;	// the frame, if bad
	std::uintptr_t		*slot;
	const std::function<void()> *f;
};

// The frame pointer is kept, and the return address follows it.
__attribute__((noinline, section("soak_deep"))) unsigned int
deep(unsigned int more, way &w)
{
	auto *const frame = static_cast<std::uintptr_t *>(
	    __builtin_frame_address(0));
	if (more == w.spoiled)
		w.slot = frame + 1;
	if (more > 1) {
		const unsigned int n = deep(more - 1, w) + 1;
		asm volatile("" ::: "memory");
		return n;
	}
	volatile std::uintptr_t *const slot = w.slot;
	const std::uintptr_t kept = *slot;
	if (w.bad != nullptr)
		*slot = *w.bad;
	w.at->inner.store(now_ns());
	(*w.f)();
	w.at->leave.store(now_ns());
	*slot = kept;
	return 1;
}

} // namespace

void
go_deep(actor &a, unsigned int frames, const std::uintptr_t *bad,
    const std::function<void()> &f)
{
	visit &at = a.visits.next();
	at.frames = frames;
	at.spoiled = bad != nullptr;
	at.inner.store(0);
	at.leave.store(0);
	at.end.store(0);
	at.begin = now_ns();
	a.visits.publish();
	way w{&a, &at, bad, (frames + 1) / 2, nullptr, &f};
	deep(frames, w);
	at.end.store(now_ns());
}

bool
is_deep(std::uint64_t pc)
{
	return pc > reinterpret_cast<std::uintptr_t>(__start_soak_deep) &&
	    pc <= reinterpret_cast<std::uintptr_t>(__stop_soak_deep);
}

} // namespace soak
