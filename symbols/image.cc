// Reads ELF images: headers, build-ids and what is known of a symbol.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "image.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>

#include "budgets/budgets.h"
#include "os/process_memory.h"
#include "os/strangers_file.h"

namespace stack9 {
namespace {

constexpr unsigned char native_class =
    sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

// Each is read by itself; programs have three or so.
constexpr int notes_max = 1 << 10;

constexpr std::uint64_t
round_up(std::uint64_t n, std::uint64_t align) noexcept
{
	return (n + align - 1) & ~(align - 1);
}

// The bytes of an image, of which as many are read at once as the room holds:
// headers and notes are near each other, and each read by itself is a system
// call.
class read_ahead {
public:
	read_ahead(const bytes &b, std::span<unsigned char> room) noexcept :
	    all_(b), room_(room) {}

	std::size_t
	read(std::uint64_t off, void *to, std::size_t n) noexcept
	{
		if (!holds(off, n))
			fill(off);
		if (!holds(off, n))
			return all_.read(off, to, n);
		memcpy(to, room_.data() + (off - at_), n);
		return n;
	}

	template <typename T>
	bool
	get(std::uint64_t off, T &to) noexcept
	{
		return read(off, &to, sizeof(to)) == sizeof(to);
	}

private:
	bool
	holds(std::uint64_t off, std::size_t n) const noexcept
	{
		return off - at_ <= have_ && n <= have_ - (off - at_);
	}

	// Begins before the offset: a note follows the header that comes next.
	void
	fill(std::uint64_t off) noexcept
	{
		at_ = off - off % 512;
		have_ = room_.empty() ? 0 :
		    all_.read(at_, room_.data(), room_.size());
	}

	const bytes			&all_;
	const std::span<unsigned char>	room_;
	std::uint64_t			at_ = 0;
	std::size_t			have_ = 0;	// from there on
};

bool
is_header(const ElfW(Ehdr) &eh) noexcept
{
	return memcmp(eh.e_ident, ELFMAG, SELFMAG) == 0 &&
	    eh.e_ident[EI_CLASS] == native_class;
}

// Reads the build ID among the notes of one PT_NOTE segment.
bool
scan_notes(read_ahead &b, std::uint64_t at, const ElfW(Phdr) &ph,
    build_id &id, int &left) noexcept
{
	const std::uint64_t align = ph.p_align == 8 ? 8 : 4;
	const std::uint64_t size = std::min<std::uint64_t>(ph.p_filesz,
	    budgets::notes);
	std::uint64_t off = 0;
	ElfW(Nhdr) nh;
	while (left > 0 && off + sizeof(nh) <= size && b.get(at + off, nh)) {
		left--;
		const std::uint64_t desc =
		    off + round_up(sizeof(nh) + nh.n_namesz, align);
		char owner[4] = {};
		if (nh.n_type == NT_GNU_BUILD_ID && nh.n_namesz == 4 &&
		    b.get(at + off + sizeof(nh), owner) &&
		    memcmp(owner, "GNU", 4) == 0) {
			id.size = nh.n_descsz;
			const std::size_t n =
			    std::min<std::size_t>(id.size, sizeof(id.data));
			return n != 0 && b.read(at + desc, id.data, n) == n;
		}
		off = desc + round_up(nh.n_descsz, align);
	}
	return false;
}

} // namespace

std::size_t
bytes::read(std::uint64_t off, void *to, std::size_t n) const noexcept
{
	if (off >= size)
		return 0;
	n = std::min<std::uint64_t>(n, size - off);
	if (fd == own) {
		const ssize_t got = read_directly(getpid(), base + off, to, n);
		return got > 0 ? static_cast<std::size_t>(got) : 0;
	}
	if (fd < 0) {
		memcpy(to, reinterpret_cast<const char *>(base + off), n);
		return n;
	}
	std::size_t done = 0;
	while (done < n) {
		const ssize_t got = pread(fd, static_cast<char *>(to) + done,
		    n - done, static_cast<off_t>(base + off + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += static_cast<std::size_t>(got);
	}
	return done;
}

bool
read_header(const bytes &b, ElfW(Ehdr) &eh) noexcept
{
	return b.get(0, eh) && is_header(eh);
}

build_id
find_build_id(const bytes &all, placement where, std::span<unsigned char> room)
    noexcept
{
	read_ahead b(all, room);
	build_id id;
	ElfW(Ehdr) eh;
	ElfW(Phdr) ph;
	int left = notes_max;
	if (!b.get(0, eh) || !is_header(eh) || eh.e_phentsize != sizeof(ph))
		return id;
	for (unsigned int i = 0; i < eh.e_phnum; i++) {
		if (!b.get(eh.e_phoff + i * sizeof(ph), ph))
			break;
		if (ph.p_type == PT_NOTE && scan_notes(b, where.mapped ?
		    ph.p_vaddr + where.delta : ph.p_offset, ph, id, left))
			return id;
	}
	return build_id();
}

// A filter may refuse the system call.  /proc/self/mem takes three, and cannot
// be opened if the process has made itself undumpable.  Then the loader's word
// is all there is.
build_id
mapped_build_id(std::uintptr_t lo, std::uintptr_t hi, std::uintptr_t bias,
    std::span<unsigned char> room) noexcept
{
	const placement where{true, bias - lo};
	const build_id id = find_build_id({bytes::own, lo, hi - lo}, where,
	    room);
	if (id.size != 0)
		return id;
	unique_fd mem(open("/proc/self/mem", O_RDONLY | O_CLOEXEC));
	return find_build_id({mem.get(), lo, hi - lo}, where, room);
}

bool
function_symbol::better_than(const function_symbol &o) const noexcept
{
	if (start != o.start)
		return start > o.start;
	if (size != o.size)
		return size > o.size;
	if (rank != o.rank)
		return rank < o.rank;
	return name_length < o.name_length;
}

std::size_t
name_length(const char *name, std::size_t max) noexcept
{
	const std::size_t n = strnlen(name, max);
	const void *const version = n > 1 ? memchr(name + 1, '@', n - 1) :
	    nullptr;
	return version == nullptr ? n : static_cast<std::size_t>(
	    static_cast<const char *>(version) - name);
}

} // namespace stack9
