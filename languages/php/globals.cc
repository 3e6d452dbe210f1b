// Finds the globals of the executor: a variable, or a part of what each thread
// has where PHP was built for threads (TSRM).
//
// A thread's part is what tsrm_get_ls_cache() returns.  Its variable is hidden,
// so its place is taken from the few instructions of this function.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "globals.h"

#include <array>
#include <cstring>

#include "languages/thread_value.h"

namespace stack9::languages::php {
namespace {

// Reads instructions, one after the other.
class code {
public:
	bool
	read(unwind::memory &m, std::uint64_t at)
	{
		at_ = at;
		return m.read(at, bytes_.data(), bytes_.size());
	}
	// Skips these bytes if they are next.
	template <std::size_t n>
	bool
	has(const std::array<std::uint8_t, n> &what)
	{
		if (next_ + n + 4 > bytes_.size() ||
		    std::memcmp(&bytes_[next_], what.data(), n) != 0)
			return false;
		next_ += n;
		return true;
	}
	std::int64_t
	number()
	{
		std::int32_t n;
		std::memcpy(&n, &bytes_[next_], sizeof n);
		next_ += sizeof n;
		return n;
	}
	// The address of the next instruction.
	std::uint64_t next() const { return at_ + next_; }

private:
	std::array<std::uint8_t, 32> bytes_;
	std::uint64_t	at_ = 0;
	std::size_t	next_ = 0;
};

using bytes4 = std::array<std::uint8_t, 4>;

constexpr std::array<std::uint8_t, 1> jump{0xe9};
constexpr std::array<std::uint8_t, 2> jump_by_word{0xff, 0x25};

// Executes the function: "mov %fs:n,%rax", "mov n(%rip),%rax; mov
// %fs:(%rax),%rax", or "mov n(%rip),%edi; jmp pthread_getspecific".
bool
thread_part(const question &q, std::uint64_t function, std::uint64_t &part)
{
	unwind::memory &m = q.words;
	code c;
	std::uint32_t key;
	std::uint64_t offset;
	if (q.asked.thread_pointer == 0 || !c.read(m, function))
		return false;
	c.has(bytes4{0xf3, 0x0f, 0x1e, 0xfa});		// endbr64
	if (c.has(std::array<std::uint8_t, 5>{0x64, 0x48, 0x8b, 0x04, 0x25})) {
		const std::int64_t n = c.number();
		return m.word(q.asked.thread_pointer +
		    static_cast<std::uint64_t>(n), part);
	}
	if (c.has(std::array<std::uint8_t, 3>{0x48, 0x8b, 0x05})) {
		const std::int64_t n = c.number();
		const std::uint64_t at = c.next() +
		    static_cast<std::uint64_t>(n);
		return c.has(bytes4{0x64, 0x48, 0x8b, 0x00}) &&
		    m.word(at, offset) &&
		    m.word(q.asked.thread_pointer + offset, part);
	}
	if (c.has(std::array<std::uint8_t, 2>{0x8b, 0x3d})) {
		const std::int64_t n = c.number();
		const std::uint64_t at = c.next() +
		    static_cast<std::uint64_t>(n);
		return (c.has(jump) || c.has(jump_by_word)) &&
		    m.read(at, &key, sizeof key) &&
		    thread_value(m, q.asked.thread_pointer, key, part);
	}
	return false;
}

} // namespace

bool
find_globals(const question &q, const places &p, std::uint64_t bias,
    std::uint64_t &to)
{
	std::uint64_t part, offset;
	if (p.globals.vaddr != 0) {
		to = p.globals.vaddr + bias;
		return true;
	}
	if (p.thread_cache.vaddr == 0 || p.globals_offset.vaddr == 0 ||
	    !thread_part(q, p.thread_cache.vaddr + bias, part) ||
	    !q.words.word(p.globals_offset.vaddr + bias, offset))
		return false;
	to = part == 0 ? 0 : part + offset;
	return true;
}

} // namespace stack9::languages::php
