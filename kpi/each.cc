// Many threads in one pass, and those again that ran while it came by.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <memory>
#include <new>
#include <vector>

#include "capture.h"
#include "route.h"
#include "uncancelled.h"

namespace stack9 {
namespace {

// What a pass needs besides the caller's function: the threads to look at
// again, because they ran while the pass came by.
struct pass {
	stack9_record_fn		*fn;
	void				*arg;
	std::vector<stack9_thread>	 again;
	int				 stop = 0;
	bool				 begun = false;
};

int
deliver(void *arg, stack9_record &rec) noexcept
{
	pass &p = *static_cast<pass *>(arg);
	p.begun = true;
	if (rec.error == EAGAIN && (rec.why == STACK9_WHY_ON_CPU ||
	    worth_another_try(rec.error, rec))) {
		try {
			p.again.push_back(rec.thread);
			return 0;
		} catch (const std::bad_alloc &) {
			// Told as it is, then: EAGAIN.
		}
	}
	return p.stop = p.fn(p.arg, &rec);
}

int
look_again(pass &p) noexcept
{
	static constexpr std::uint32_t room = 1024;
	struct buffers {
		std::uintptr_t	pcs[room];
		char		text[16384];
	};
	if (p.again.empty())
		return 0;
	const auto b = std::unique_ptr<buffers>(new (std::nothrow) buffers);
	if (b == nullptr)
		return ENOMEM;
	for (const stack9_thread &td : p.again) {
		stack9_record rec{};
		rec.pcs = b->pcs;
		rec.max = room;
		rec.text = b->text;
		rec.text_size = sizeof b->text;
		save_kernel(td, rec);
		if ((p.stop = p.fn(p.arg, &rec)) != 0)
			break;
	}
	return p.stop;
}

} // namespace
} // namespace stack9

extern "C" int
stack9_each(enum stack9_side side, pid_t pid, stack9_record_fn *fn, void *arg)
{
	using namespace stack9;
	if (fn == nullptr || pid < 0 ||
	    (side != STACK9_KERNEL && side != STACK9_USER))
		return EINVAL;
	if (side == STACK9_USER)
		return EOPNOTSUPP;
	const uncancelled guard;
	refusal refused;
	stack9_record why{};
	job_routes routes(job::each);
	while (route *r = routes.next()) {
		const verdict v = r->can();
		if (v.error != 0) {
			refused.add(v.error, v.reason, r->name);
			continue;
		}
		pass p{fn, arg, {}};
		const int error = r->each(pid, deliver, &p);
		// Once begun, another route would tell the same threads twice.
		if (is_refusal(error) && !p.begun) {
			refused.add(error, nullptr, r->name);
			continue;
		}
		return error != 0 ? error : look_again(p);
	}
	return refused.report(why);
}
