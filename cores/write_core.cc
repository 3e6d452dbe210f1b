// Makes a core as the kernel writes them (fs/binfmt_elf.c), in which most
// memory is left out.
//
// A stretch that was kept is a segment of its own.  The segment goes on to the
// next one without bytes, so that all that was mapped is in a segment.  Those
// of stacks and of the loader's lists begin with a page; for all others this
// would take eight times as much.  Where one of these others leads up to a page
// that is kept as well, that page begins a segment: elfutils takes each segment
// to begin with the page that it begins in, and would read the stack elsewhere.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "write_core.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <elf.h>
#include <sys/procfs.h>

namespace stack9::cores {
namespace {

// 64-bit and 32-bit cores differ in ELF headers, the size of a long, and
// offsets in the structures of notes (asm/elf.h and linux/elfcore.h).
struct form64 {
	using ehdr = Elf64_Ehdr;
	using phdr = Elf64_Phdr;
	using word = std::uint64_t;
	static constexpr unsigned char ident_class = ELFCLASS64;
	static constexpr std::size_t tid = 32, registers = 112,
	    pid = 24, name = 40, arguments = 56,
	    process_size = sizeof(elf_prpsinfo), after_codes = 16;
};

struct form32 {
	using ehdr = Elf32_Ehdr;
	using phdr = Elf32_Phdr;
	using word = std::uint32_t;
	static constexpr unsigned char ident_class = ELFCLASS32;
	static constexpr std::size_t tid = 24, registers = 72, pid = 12,
	    name = 28, arguments = 44, process_size = 124, after_codes = 12;
};

template <class T>
void
append(std::string &to, const T &what)
{
	to.append(reinterpret_cast<const char *>(&what), sizeof what);
}

template <class T>
void
put(std::string &to, std::size_t at, const T &what)
{
	std::memcpy(to.data() + at, &what, sizeof what);
}

// Both kinds have such headers of three words.
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

// Its struct begins with three words of the signal, and a word follows the
// registers.  Those of aarch64 lack the thread pointer.
template <class Form>
void
append_thread(std::string &to, const thread &t, int machine)
{
	constexpr std::size_t current_signal = 12;
	std::string s(Form::registers + t.size + sizeof(typename Form::word),
	    '\0');
	put(s, 0, t.signal);
	put(s, current_signal, static_cast<std::int16_t>(t.signal));
	put(s, Form::tid, t.tid);
	std::memcpy(s.data() + Form::registers, t.registers, t.size);
	append_note(to, "CORE", NT_PRSTATUS, s);
	if (t.floats_size != 0)
		append_note(to, "CORE", NT_FPREGSET, std::string_view(
		    reinterpret_cast<const char *>(t.floats), t.floats_size));
	const auto append_linux = [&to](std::uint32_t type, const auto &w) {
		append_note(to, "LINUX", type, std::string_view(
		    reinterpret_cast<const char *>(&w), sizeof w));
	};
	if (machine == EM_AARCH64 && t.pointer != 0)
		append_linux(NT_ARM_TLS, t.pointer);
	if (t.signed_bits[1] != 0)
		append_linux(NT_ARM_PAC_MASK, t.signed_bits);
}

template <class Form>
void
append_process(std::string &to, const facts &f)
{
	constexpr std::size_t name_max = 16, arguments_max = 80;
	std::string p(Form::process_size, '\0');
	put(p, Form::pid, f.pid);
	std::memcpy(p.data() + Form::name, f.name, std::min(name_max,
	    sizeof f.name));
	std::memcpy(p.data() + Form::arguments, f.arguments,
	    std::min(arguments_max, sizeof f.arguments));
	append_note(to, "CORE", NT_PRPSINFO, p);
}

template <class Form>
void
append_signal(std::string &to, const facts &f)
{
	constexpr std::size_t size = 128, code = 8;
	std::string s(size, '\0');
	if (f.has_siginfo == 0)
		return;
	put(s, 0, f.signal);
	put(s, code, f.code);
	if (f.has_address != 0)
		put(s, Form::after_codes, static_cast<typename Form::word>(
		    f.address));
	else
		put(s, Form::after_codes, f.sender);
	append_note(to, "CORE", NT_SIGINFO, s);
}

template <class Form>
std::string
words_in(const std::vector<std::uint64_t> &numbers)
{
	std::string to;
	for (const std::uint64_t n : numbers)
		append(to, static_cast<typename Form::word>(n));
	return to;
}

template <class Form>
void
append_files(std::string &to, const contents &c)
{
	constexpr std::uint64_t note_page = 4096;
	std::vector<std::uint64_t> numbers{c.files.size(), note_page};
	std::string paths;
	for (const mapped_file &f : c.files) {
		numbers.insert(numbers.end(), {f.start, f.end,
		    f.offset / note_page});
		paths += c.path(f);
		paths += '\0';
	}
	append_note(to, "CORE", NT_FILE, words_in<Form>(numbers) + paths);
}

// The kernel puts what is of the process after the first thread.
template <class Form>
std::string
notes_of(const contents &c)
{
	std::string to;
	for (const thread &t : c.threads) {
		append_thread<Form>(to, t, c.about.machine);
		if (&t != &c.threads[0])
			continue;
		append_process<Form>(to, c.about);
		append_signal<Form>(to, c.about);
		if (!c.auxv.empty())
			append_note(to, "CORE", NT_AUXV,
			    words_in<Form>(c.auxv));
		append_files<Form>(to, c);
	}
	return to;
}

template <class Form>
class writer {
public:
	writer(const contents &c, const kept_pages &p) : has_(c), pages_(p) {}

	std::string run();

private:
	using phdr = typename Form::phdr;
	using word = typename Form::word;

	void add(const segment &);

	const contents		&has_;
	const kept_pages	&pages_;
	std::vector<phdr>	loads_;		// p_offset: in data_
	std::string		data_;
};

template <class Form>
void
writer<Form>::add(const segment &s)
{
	const auto begin = [&](std::uint64_t at) {
		phdr &p = loads_.emplace_back();
		p.p_type = PT_LOAD;
		p.p_flags = s.flags;
		p.p_offset = static_cast<word>(data_.size());
		p.p_vaddr = static_cast<word>(at);
		p.p_align = 1;
	};
	const auto end_at = [&](std::uint64_t at) {
		loads_.back().p_memsz = static_cast<word>(at) -
		    loads_.back().p_vaddr;
	};
	constexpr auto in_page = [](std::uint64_t at) {
		return at % kept_pages::page_size;
	};
	begin(s.start);
	pages_.each_kept(s.start, s.end, [&](std::uint64_t at,
	    const std::byte *bytes, std::size_t size) {
		const phdr &last = loads_.back();
		if (at != std::uint64_t{last.p_vaddr} + last.p_filesz ||
		    (in_page(at) == 0 && in_page(last.p_vaddr) != 0)) {
			end_at(at);
			begin(at);
		}
		data_.append(reinterpret_cast<const char *>(bytes), size);
		loads_.back().p_filesz += static_cast<word>(size);
	});
	end_at(s.end);
}

// A core with 65,535 segments or more would need a section.
template <class Form>
std::string
writer<Form>::run()
{
	constexpr std::size_t most = PN_XNUM - 1;
	typename Form::ehdr h{};
	for (const segment &s : has_.segments)
		add(s);
	if (loads_.size() + 1 > most)
		std::erase_if(loads_, [](const phdr &p) {
			return p.p_filesz == 0;
		});
	loads_.resize(std::min(loads_.size(), most - 1));
	const std::string notes = notes_of<Form>(has_);
	const std::uint64_t notes_at = sizeof h + (loads_.size() + 1) *
	    sizeof(phdr), data_at = notes_at + notes.size();
	std::memcpy(h.e_ident, ELFMAG, SELFMAG);
	h.e_ident[EI_CLASS] = Form::ident_class;
	h.e_ident[EI_DATA] = ELFDATA2LSB;
	h.e_ident[EI_VERSION] = EV_CURRENT;
	h.e_type = ET_CORE;
	h.e_machine = static_cast<Elf64_Half>(has_.about.machine);
	h.e_version = EV_CURRENT;
	h.e_phoff = h.e_ehsize = sizeof h;
	h.e_phentsize = sizeof(phdr);
	h.e_phnum = static_cast<Elf64_Half>(loads_.size() + 1);
	std::string to;
	append(to, h);
	phdr of_notes{};
	of_notes.p_type = PT_NOTE;
	of_notes.p_offset = static_cast<word>(notes_at);
	of_notes.p_filesz = static_cast<word>(notes.size());
	of_notes.p_align = 4;
	append(to, of_notes);
	for (phdr p : loads_) {
		// elfutils looks for a file at an offset, whatever its size is.
		p.p_offset = static_cast<word>(data_at + (p.p_filesz != 0 ?
		    p.p_offset : data_.size()));
		append(to, p);
	}
	return to + notes + data_;
}

} // namespace

std::string
small_core(const contents &c, const kept_pages &p)
{
	return c.about.is_32 != 0 ? writer<form32>(c, p).run() :
	    writer<form64>(c, p).run();
}

} // namespace stack9::cores
