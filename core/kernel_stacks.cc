// Captures and keeps kernel stacks of many threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kernel_stacks.h"

#include <new>

#include "each.h"

namespace stack9 {

int
kernel_stacks::add(void *arg, const stack_record *rec, const stack_record *)
{
	try {
		kept &k = static_cast<kernel_stacks *>(arg)->
		    stacks_[rec->thread.tid];
		k.rec = *rec;
		if (rec->flags & record_has_text) {
			k.text = rec->text;
			k.pcs.assign(rec->depth, 0);
		} else if (rec->pcs != nullptr) {
			k.pcs.assign(rec->pcs, rec->pcs + rec->depth);
		}
		return 0;
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
}

void
kernel_stacks::take(pid_t pid) noexcept
{
	each_kernel(pid, add, this);
}

bool
kernel_stacks::find(const stack9_thread &td, stack_record &rec) noexcept
{
	const auto at = stacks_.find(td.tid);
	if (at == stacks_.end() || (td.start != 0 &&
	    at->second.rec.thread.start != td.start))
		return false;
	kept &k = at->second;
	rec = k.rec;
	rec.pcs = k.pcs.data();
	rec.max = rec.depth;
	rec.text = k.text.data();
	rec.text_size = k.text.size() + 1;
	return true;
}

} // namespace stack9
