// Makes code at run time, and calls what it is given from there.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "robust_code.h"

#include <cstring>
#include <vector>

#include <sys/mman.h>

#include "robust_child.h"

namespace {

using bytes = std::vector<unsigned char>;

// All take fn and arg, and call fn(arg).
struct machine_code {
	bytes	text;
	int	call_end;	// where the call's return address is
};

#ifdef __x86_64__
bytes
load_fp(std::uintptr_t value)
{
	bytes b{0x48, 0xbd};			// mov $value,%rbp
	b.resize(10);
	std::memcpy(&b[2], &value, sizeof value);
	return b;
}

machine_code
assemble(jit_code::kind k, std::uintptr_t value)
{
	bytes text{0x55};			// push %rbp
	if (k == jit_code::with_frame_pointer)
		text.insert(text.end(),
		    {0x48, 0x89, 0xe5});	// mov %rsp,%rbp
	else if (k >= jit_code::with_another_use)
		for (unsigned char c : load_fp(value))
			text.push_back(c);
	text.insert(text.end(), {
		0x48, 0x89, 0xf8,		// mov %rdi,%rax
		0x48, 0x89, 0xf7,		// mov %rsi,%rdi
		0xff, 0xd0});			// call *%rax
	const int call_end = static_cast<int>(text.size());
	if (k != jit_code::straight)
		text.push_back(0x90);			// nop
	text.insert(text.end(), {0x5d, 0xc3});	// pop %rbp; ret
	return {text, call_end};
}
#else
machine_code
assemble(jit_code::kind k, std::uintptr_t value)
{
	// stp x29,x30,[sp,-16]!
	std::vector<std::uint32_t> text{0xa9bf7bfd};
	if (k == jit_code::with_frame_pointer)
		text.push_back(0x910003fd);		// mov x29,sp
	for (unsigned int i = 0; k >= jit_code::with_another_use && i < 4; i++)
		text.push_back((i == 0 ? 0xd280001du : 0xf280001du) | i << 21 |
		    static_cast<std::uint32_t>(value >> 16 * i & 0xffff) << 5);
	text.insert(text.end(), {
		0xaa0003e2,			// mov x2,x0
		0xaa0103e0,			// mov x0,x1
		0xd63f0040});			// blr x2
	const int call_end = static_cast<int>(text.size() * 4);
	text.insert(text.end(), {
		0xa8c17bfd,			// ldp x29,x30,[sp],16
		0xd65f03c0});			// ret
	bytes b(text.size() * 4);
	std::memcpy(b.data(), text.data(), b.size());
	return {b, call_end};
}
#endif

} // namespace

jit_code::jit_code(kind k, std::uintptr_t at, std::uintptr_t value)
{
	const machine_code code = assemble(k, value);
	const auto before = static_cast<std::uintptr_t>(code.call_end);
	const std::uintptr_t want = at == 0 ? 0 : at - before;
	const std::uintptr_t into = want % page;
	size_ = (into + code.text.size() + page - 1) / page * page;
	pages_ = mmap(reinterpret_cast<void *>(want - into), size_,
	    PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS |
	    (at != 0 ? MAP_FIXED_NOREPLACE : 0), -1, 0);
	must(pages_ != MAP_FAILED, "there is room for JIT code");
	char *const start = static_cast<char *>(pages_) + into;
	std::memcpy(start, code.text.data(), code.text.size());
	__builtin___clear_cache(start, start + code.text.size());
	at_ = reinterpret_cast<std::uintptr_t>(start) + before;
	entry_ = reinterpret_cast<decltype(entry_)>(start);
}

jit_code::~jit_code()
{
	munmap(pages_, size_);
}
