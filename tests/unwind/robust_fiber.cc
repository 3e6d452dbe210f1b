// Makes coroutines by swapcontext(3).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "robust_fiber.h"

#include <utility>

#include <sys/mman.h>

#include "robust_child.h"

namespace {

thread_local fiber *starting;

// Starts with fn as if called by nobody.
void
make_bare(ucontext_t &uc, void (*fn)())
{
	const auto top = reinterpret_cast<std::uintptr_t>(
	    uc.uc_stack.ss_sp) + uc.uc_stack.ss_size;
	const auto pc = reinterpret_cast<std::uintptr_t>(fn);
#ifdef __x86_64__
	const std::uintptr_t sp = top - 8;
	*reinterpret_cast<std::uintptr_t *>(sp) = 0;	// return address
	uc.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(pc);
	uc.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(sp);
	uc.uc_mcontext.gregs[REG_RBP] = 0;
#else
	uc.uc_mcontext.pc = pc;
	uc.uc_mcontext.sp = top;
	uc.uc_mcontext.regs[29] = uc.uc_mcontext.regs[30] = 0;
#endif
}

} // namespace

fiber::memory::memory(std::size_t size, void *at)
    : size_((size + page - 1) / page * page)
{
	const std::size_t all = size_ + 2 * page;
	void *const p = mmap(at, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
	    (at == nullptr ? 0 : MAP_FIXED_NOREPLACE), -1, 0);
	must(p != MAP_FAILED, "there is memory for a stack");
	begin_ = static_cast<char *>(p) + page;
	mprotect(begin_, size_, PROT_READ | PROT_WRITE);
}

fiber::memory::memory(memory &&m) noexcept
    : begin_(std::exchange(m.begin_, nullptr)), size_(m.size_)
{
}

fiber::memory::~memory()
{
	if (begin_ != nullptr)
		munmap(begin_ - page, size_ + 2 * page);
}

fiber::fiber(memory m, std::function<void()> body, start how)
    : memory_(std::move(m)), body_(std::move(body))
{
	getcontext(&inside_);
	inside_.uc_stack.ss_sp = memory_.begin();
	inside_.uc_stack.ss_size = memory_.size();
	inside_.uc_link = nullptr;
	if (how == bare)
		make_bare(inside_, enter);
	else
		makecontext(&inside_, enter, 0);
}

void
fiber::enter()
{
	fiber &self = *starting;
	self.body_();
	self.ended_ = true;
	self.pause();
}

void
fiber::resume()
{
	starting = this;
	swapcontext(&outside_, &inside_);
}

void
fiber::pause()
{
	swapcontext(&inside_, &outside_);
}
