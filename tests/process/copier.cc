// Copies threads by ptrace(2), walks the copies, and names their frames.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "copier.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gelf.h>
#include <libunwind-ptrace.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include "arch/cpu.h"

#include "process/space.h"

namespace {

// Stopped as long as this lives.
class stopped {
public:
	explicit stopped(pid_t tid) : tid_(tid)
	{
		int status;
		if (ptrace(PTRACE_SEIZE, tid, 0, 0) != 0 ||
		    ptrace(PTRACE_INTERRUPT, tid, 0, 0) != 0 ||
		    waitpid(tid, &status, __WALL) != tid)
			abort();
	}
	~stopped() { ptrace(PTRACE_DETACH, tid_, 0, 0); }

private:
	pid_t	tid_;
};

// From an address to the end of its mapping.
std::size_t
size_behind(pid_t tid, std::uint64_t at)
{
	std::ifstream maps("/proc/" + std::to_string(tid) + "/maps");
	for (std::string line; std::getline(maps, line);) {
		std::uint64_t start, end;
		char dash;
		std::istringstream(line) >> std::hex >> start >> dash >> end;
		if (at >= start && at < end)
			return end - at;
	}
	return 0;
}

void
copy_piece(pid_t tid, stack9::copied_piece &p, std::uint64_t at,
    std::size_t most)
{
	const std::size_t all = size_behind(tid, at);
	const std::size_t size = std::min(all, most);
	p.at = at;
	p.bytes.resize(size);
	p.more = size < all;
	const iovec local{p.bytes.data(), size};
	const iovec remote{reinterpret_cast<void *>(at), size};
	if (process_vm_readv(tid, &local, 1, &remote, 1, 0) !=
	    static_cast<ssize_t>(size))
		abort();
}

#ifdef __x86_64__
void
copy_registers(pid_t tid, stack9::user_copy &to)
{
	user_regs_struct r;
	if (ptrace(PTRACE_GETREGS, tid, 0, &r) != 0)
		abort();
	int n = 0;
	for (const std::uint64_t v : {r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi,
	    r.rbp, r.rsp, r.r8, r.r9, r.r10, r.r11, r.r12, r.r13, r.r14, r.r15,
	    r.rip})
		to.set(n++, v);
}
#endif

std::string
name_in(Elf *elf, std::uint64_t vaddr)
{
	GElf_Shdr h;
	GElf_Sym s;
	Elf_Scn *scn = nullptr;
	while ((scn = elf_nextscn(elf, scn)) != nullptr) {
		if (gelf_getshdr(scn, &h) == nullptr ||
		    h.sh_type != SHT_SYMTAB)
			continue;
		Elf_Data *const data = elf_getdata(scn, nullptr);
		for (int n = 0; gelf_getsym(data, n, &s) != nullptr; n++)
			if (GELF_ST_TYPE(s.st_info) == STT_FUNC &&
			    vaddr - s.st_value < s.st_size)
				return elf_strptr(elf, h.sh_link, s.st_name);
	}
	return "?";
}

} // namespace

void
copy_thread(pid_t tid, stack9::user_copy &to, std::size_t most)
{
	const stopped hold(tid);
	to.clear();
	copy_registers(tid, to);
	copy_piece(tid, to.stack, to.value[stack9::unwind::register_sp] -
	    stack9::unwind::red_zone, most);
}

bool
copy_on(pid_t tid, stack9::user_copy &c, std::uint64_t wanted)
{
	const std::size_t far = std::size_t{1} << 20;
	for (stack9::copied_piece *p : {&c.stack, &c.other})
		if (p->more && wanted >= p->at &&
		    wanted - p->at < p->bytes.size() + far) {
			copy_piece(tid, *p, p->at, std::max<std::size_t>(
			    2 * p->bytes.size(), wanted + 8 - p->at));
			return true;
		}
	if (size_behind(tid, wanted) == 0)
		return false;
	copy_piece(tid, c.other, wanted, 4096);
	return true;
}

opened::opened(const stack9_thread &td)
    : error(stack9::space_open(td, it))
{
}

walk
walk_of(stack9_space &space, const stack9::user_copy &copy,
    const stack9_thread &td, std::uint32_t max)
{
	walk w;
	w.pcs.resize(max);
	w.rec.thread = td;
	w.rec.side = STACK9_USER;
	w.rec.max = max;
	w.rec.pcs = w.pcs.data();
	w.how = stack9::walk_copy(space, copy, w.rec, w.wanted);
	w.pcs.resize(w.rec.depth);
	return w;
}

std::vector<std::uintptr_t>
oracle_frames(pid_t tid)
{
	const stopped hold(tid);
	const unw_addr_space_t all = unw_create_addr_space(&_UPT_accessors, 0);
	void *const thread = _UPT_create(tid);
	std::vector<std::uintptr_t> pcs;
	unw_cursor_t at;
	unw_init_remote(&at, all, thread);
	do {
		unw_word_t pc = 0;
		unw_get_reg(&at, UNW_REG_IP, &pc);
		pcs.push_back(pc);
	} while (unw_step(&at) > 0 && pcs.size() < 100000);
	_UPT_destroy(thread);
	unw_destroy_addr_space(all);
	if (pcs.back() == 0)
		pcs.pop_back();
	return pcs;
}

std::vector<std::string>
names_of(stack9_space &space, const walk &w)
{
	std::vector<std::string> names;
	for (std::size_t n = 0; n < w.pcs.size(); n++) {
		stack9::process::place at;
		if (!space.find(w.pcs[n] - (n != 0), at) ||
		    at.backing == nullptr || !at.backing->is_elf()) {
			names.push_back("?");
			continue;
		}
		const std::lock_guard hold(at.backing->lock());
		names.push_back(name_in(at.backing->elf(), at.vaddr));
	}
	return names;
}

bool
has(const std::vector<std::string> &names,
    const std::vector<std::string> &chain)
{
	return std::search(names.begin(), names.end(), chain.begin(),
	    chain.end()) != names.end();
}

std::string
text(const std::vector<std::string> &names)
{
	std::string all;
	for (const std::string &n : names)
		all += n + " ";
	return all;
}
