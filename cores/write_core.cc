// Makes a core as the kernel writes them (fs/binfmt_elf.c), in which most
// memory is left out.
//
// A stretch that was kept is a segment of its own.  The segment goes on to the
// next one without bytes, so that all that was mapped is in a segment.  Those
// of stacks and of the loader's lists begin with a page; for all others this
// would take eight times as much.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "write_core.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <elf.h>
#include <sys/procfs.h>

#include "arch/cpu.h"

namespace stack9::cores {
namespace {

template <class T>
void
append(std::string &to, const T &what)
{
	to.append(reinterpret_cast<const char *>(&what), sizeof what);
}

void
append_note(std::string &to, std::string_view name, std::uint32_t type,
    std::string_view content)
{
	const auto pad = [&] { to.resize((to.size() + 3) & ~std::size_t{3}); };
	append(to, Elf64_Nhdr{static_cast<Elf64_Word>(name.size() + 1),
	    static_cast<Elf64_Word>(content.size()), type});
	to += name;
	to += '\0';
	pad();
	to += content;
	pad();
}

template <class T>
void
append_note_of(std::string &to, std::string_view name, std::uint32_t type,
    const T &content)
{
	append_note(to, name, type, std::string_view(
	    reinterpret_cast<const char *>(&content), sizeof content));
}

// Its struct begins with three words of the signal.
void
append_thread(std::string &to, const thread &t)
{
	elf_prstatus s{};
	s.pr_info.si_signo = t.signal;
	s.pr_cursig = static_cast<short>(t.signal);
	s.pr_pid = t.tid;
	static_assert(sizeof s.pr_reg <= registers_max);
	std::memcpy(&s.pr_reg, t.registers, sizeof s.pr_reg);
	append_note_of(to, "CORE", NT_PRSTATUS, s);
	if (unwind::elf_machine == EM_AARCH64 && t.pointer != 0)
		append_note_of(to, "LINUX", NT_ARM_TLS, t.pointer);
}

void
append_process(std::string &to, const facts &f)
{
	elf_prpsinfo p{};
	p.pr_pid = f.pid;
	std::memcpy(p.pr_fname, f.name, std::min(sizeof p.pr_fname,
	    sizeof f.name));
	std::memcpy(p.pr_psargs, f.arguments, std::min(sizeof p.pr_psargs,
	    sizeof f.arguments));
	append_note_of(to, "CORE", NT_PRPSINFO, p);
}

void
append_signal(std::string &to, const facts &f)
{
	std::int32_t words[32]{f.signal, 0, f.code};
	constexpr std::size_t after_codes = 4;
	if (f.has_siginfo == 0)
		return;
	if (f.has_address != 0)
		std::memcpy(words + after_codes, &f.address,
		    sizeof f.address);
	else
		words[after_codes] = f.sender;
	append_note_of(to, "CORE", NT_SIGINFO, words);
}

void
append_files(std::string &to, const contents &c)
{
	constexpr std::uint64_t note_page = 4096;
	std::string numbers, paths;
	append(numbers, std::uint64_t{c.files.size()});
	append(numbers, note_page);
	for (const mapped_file &f : c.files) {
		for (const std::uint64_t n : {f.start, f.end,
		    f.offset / note_page})
			append(numbers, n);
		paths += c.path(f);
		paths += '\0';
	}
	append_note(to, "CORE", NT_FILE, numbers + paths);
}

// The kernel puts what is of the process after the first thread.
std::string
notes_of(const contents &c)
{
	std::string to;
	for (const thread &t : c.threads) {
		append_thread(to, t);
		if (&t != &c.threads[0])
			continue;
		append_process(to, c.about);
		append_signal(to, c.about);
		if (!c.auxv.empty())
			append_note(to, "CORE", NT_AUXV, std::string_view(
			    reinterpret_cast<const char *>(c.auxv.data()),
			    c.auxv.size() * sizeof c.auxv[0]));
		append_files(to, c);
	}
	return to;
}

class writer {
public:
	writer(const contents &c, const kept_pages &p) : has_(c), pages_(p) {}

	std::string run();

private:
	void add(const segment &);

	const contents		&has_;
	const kept_pages	&pages_;
	std::vector<Elf64_Phdr>	loads_;		// p_offset: in data_
	std::string		data_;
};

void
writer::add(const segment &s)
{
	const auto begin = [&](std::uint64_t at) {
		loads_.push_back({PT_LOAD, s.flags, data_.size(), at, 0, 0, 0,
		    1});
	};
	const auto end_at = [&](std::uint64_t at) {
		loads_.back().p_memsz = at - loads_.back().p_vaddr;
	};
	begin(s.start);
	pages_.each_kept(s.start, s.end, [&](std::uint64_t at,
	    const std::byte *bytes, std::size_t size) {
		const Elf64_Phdr &last = loads_.back();
		if (at != last.p_vaddr + last.p_filesz) {
			end_at(at);
			begin(at);
		}
		data_.append(reinterpret_cast<const char *>(bytes), size);
		loads_.back().p_filesz += size;
	});
	end_at(s.end);
}

// A core with 65,535 segments or more would need a section.
std::string
writer::run()
{
	constexpr std::size_t most = PN_XNUM - 1;
	for (const segment &s : has_.segments)
		add(s);
	if (loads_.size() + 1 > most)
		std::erase_if(loads_, [](const Elf64_Phdr &p) {
			return p.p_filesz == 0;
		});
	loads_.resize(std::min(loads_.size(), most - 1));
	const std::string notes = notes_of(has_);
	const std::uint64_t notes_at = sizeof(Elf64_Ehdr) + (loads_.size() +
	    1) * sizeof(Elf64_Phdr), data_at = notes_at + notes.size();
	Elf64_Ehdr h{};
	std::memcpy(h.e_ident, ELFMAG, SELFMAG);
	h.e_ident[EI_CLASS] = ELFCLASS64;
	h.e_ident[EI_DATA] = ELFDATA2LSB;
	h.e_ident[EI_VERSION] = EV_CURRENT;
	h.e_type = ET_CORE;
	h.e_machine = unwind::elf_machine;
	h.e_version = EV_CURRENT;
	h.e_phoff = h.e_ehsize = sizeof h;
	h.e_phentsize = sizeof(Elf64_Phdr);
	h.e_phnum = static_cast<Elf64_Half>(loads_.size() + 1);
	std::string to;
	append(to, h);
	append(to, Elf64_Phdr{PT_NOTE, 0, notes_at, 0, 0, notes.size(), 0, 4});
	for (Elf64_Phdr p : loads_) {
		// elfutils looks for a file at an offset, whatever its size is.
		p.p_offset = data_at + (p.p_filesz != 0 ? p.p_offset :
		    data_.size());
		append(to, p);
	}
	return to + notes + data_;
}

} // namespace

std::string
small_core(const contents &c, const kept_pages &p)
{
	return writer(c, p).run();
}

} // namespace stack9::cores
