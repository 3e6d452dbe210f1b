// Lists the cast, in the order of fake.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "fake_cast.h"

#include <cerrno>
#include <iterator>

namespace fake {
namespace {

const std::uintptr_t usual[] = {text_start + 0x10, text_start + 0x131e,
    0xffffffffc00000a0};
const std::uintptr_t after_do_exit[] = {text_start + 0x2100};
const std::uintptr_t nowhere[] = {0xffffffff90000000};
const std::uintptr_t bad[] = {text_start + 0x3008};

// The first one is a pc, in a system call.
const std::uintptr_t user_usual[] = {libc + 0x805e,
    program + 0x304d, program + 0x208b, program + 0x19c5};
const std::uintptr_t user_nowhere[] = {libc + 0x805e,
    program + 0x9123, anonymous + 0x40};
const std::uintptr_t user_odd[] = {libc + 0x805e, odd + 0x10};
const std::uintptr_t user_bad[] = {program + 0x4008};

const std::vector<std::uintptr_t> forty_kernel(40, usual[1]);
const std::vector<std::uintptr_t> forty_user(40, user_usual[1]);

constexpr half
none(int error, stack9_why why, const char *reason = nullptr)
{
	return {error, why, reason, 0, nullptr, 0, 0};
}

half
all_of(const std::vector<std::uintptr_t> &pcs)
{
	return {0, STACK9_WHY_NONE, nullptr, 0, pcs.data(),
	    static_cast<std::uint32_t>(pcs.size()), 0};
}

template <std::size_t n>
constexpr half
some(const std::uintptr_t (&pcs)[n], unsigned int flags = 0,
    stack9_why why = STACK9_WHY_NONE, std::uint32_t dropped = 0)
{
	return {0, why, nullptr, flags, pcs, n, dropped};
}

const half kernel_usual = some(usual);
const half whole_user = some(user_usual, STACK9_STACK_EXACT);
const half no_bpf = none(EPERM, STACK9_WHY_RIGHTS, "bpf(2) was refused");
const half torn_off = none(EAGAIN, STACK9_WHY_TORN);
const half dead = none(ESRCH, STACK9_WHY_ZOMBIE);
const half no_btf = none(EOPNOTSUPP, STACK9_WHY_MACHINE,
    "this kernel has no BTF");

const role cast[] = {
	{whole, 'S', "nginx", kernel_usual, whole_user},
	{at_end, 'D', "dying", some(after_do_exit), whole_user},
	{interrupted, 'R', "irq",
	    some(after_do_exit, STACK9_STACK_EXACT), whole_user},
	{text, 'S', "text",
	    {0, STACK9_WHY_NONE, nullptr, text_only, nullptr, 2, 0},
	    whole_user},
	{nameless, 'I', "nameless", some(nowhere),
	    some(user_nowhere, STACK9_STACK_EXACT)},
	{truncated, 'T', "deep",
	    some(usual, 0, STACK9_WHY_TRUNCATED, 2),
	    some(user_usual, STACK9_STACK_EXACT, STACK9_WHY_TRUNCATED, 7)},
	{torn_short, 'P', "short",
	    {0, STACK9_WHY_UNWIND, nullptr, 0, usual, 1, 0},
	    some(user_odd, STACK9_STACK_EXACT, STACK9_WHY_UNWIND)},
	{user_mode, 'R', "spin", none(EAGAIN, STACK9_WHY_USER_MODE),
	    whole_user},
	{torn, 't', "torn", torn_off, torn_off},
	{zombie, '?', "", dead, dead},
	{refused, 'S', "secret", no_bpf, no_bpf},
	{impossible, 'R', "old", no_btf, no_btf},
	{hostile, 'S', "a\n\033]0;b\303\233", some(bad),
	    some(user_bad)},
	{kthread, 'I', "kworker/0:1", kernel_usual,
	    none(EOPNOTSUPP, STACK9_WHY_KTHREAD)},
	{registers, 'S', "regs", kernel_usual,
	    some(user_usual, STACK9_STACK_EXACT, STACK9_WHY_REGISTERS)},
	{traced, 't', "traced", kernel_usual,
	    none(EBUSY, STACK9_WHY_TRACED)},
	{by_pointers, 'S', "jit", kernel_usual,
	    some(user_usual, STACK9_STACK_EXACT | STACK9_STACK_GUESSED)},
	{user_refused, 'S', "strange", kernel_usual,
	    none(EPERM, STACK9_WHY_RIGHTS, "ptrace(2) was refused")},
	{dying, 'X', "ending", kernel_usual,
	    none(ESRCH, STACK9_WHY_EXITING)},
	{by_ptrace, 'R', "held", kernel_usual, whole_user},
};
static_assert(std::size(cast) == roles);

} // namespace

role
role_of(pid_t tid)
{
	for (const role &r : cast)
		if (r.tid == tid)
			return r;
	role r = cast[0];
	r.tid = tid;
	if (tid == deep) {
		r.kernel = all_of(forty_kernel);
		r.user = all_of(forty_user);
	}
	if (tid < process)
		r.comm = "someone";
	return r;
}

std::vector<role>
members(pid_t pid)
{
	std::vector<role> all;
	if (pid == process || pid == 0)
		all.assign(std::begin(cast), std::end(cast));
	for (int i = 0; pid == crowd && i < crowd_size; i++)
		all.push_back(role_of(crowd + 1 + i));
	for (int i = 0; pid == twin && i < twin_size; i++)
		all.push_back(role_of(twin + 1 + i));
	for (int i = 0; pid == vanishing && i < 2; i++) {
		all.push_back(role_of(zombie));
		all.push_back(role_of(whole));
	}
	return all;
}

} // namespace fake
