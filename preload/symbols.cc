// Implements backtrace_symbols() and backtrace_symbols_fd() in the formats of
// the C library.  Names come without a lock, and those of static functions too.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <execinfo.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <sys/uio.h>

#include "core/seam/symbols.h"
#include "unwind/module.h"

namespace stack9::preload {
namespace {

// One address in its parts: file(name+0x1f) [0x7f0012345678].
struct described {
	std::string_view	file;	// "": no module has it
	std::string_view	name;
	char			offset[24];	// "0x1f"; "": not known
	char			address[24];
	symbol_name		symbol;
};

void
describe(void *pc, described &d) noexcept
{
	const auto at = reinterpret_cast<std::uintptr_t>(pc);
	unwind::loaded_module module;
	d.file = d.name = {};
	d.offset[0] = '\0';
	std::snprintf(d.address, sizeof d.address, "0x%lx",
	    static_cast<unsigned long>(at));
	if (at == 0 || !unwind::find_module(at, module))
		return;
	d.file = module.path[0] != '\0' ? module.path :
	    program_invocation_name;
	unsigned long offset = at - module.bias;
	if (elf_find_nowait(at, false, d.symbol) == 0) {
		d.name = d.symbol.name;
		offset = d.symbol.offset;
	} else if (module.bias == 0)
		return;
	std::snprintf(d.offset, sizeof d.offset, "0x%lx", offset);
}

// A text that grows.  The places of lines are kept as offsets meanwhile.
class growing {
public:
	explicit growing(std::size_t first) noexcept : size_(first)
	{
		data_ = static_cast<char *>(std::malloc(capacity_ = first +
		    256));
	}
	growing(const growing &) = delete;
	growing &operator=(const growing &) = delete;
	~growing() { std::free(data_); }

	std::size_t size() const noexcept { return size_; }

	void
	add(std::string_view text) noexcept
	{
		if (data_ == nullptr || !reserve(text.size()))
			return;
		std::memcpy(data_ + size_, text.data(), text.size());
		size_ += text.size();
	}
	char *
	release() noexcept
	{
		char *const d = data_;
		data_ = nullptr;
		return d;
	}

private:
	bool
	reserve(std::size_t more) noexcept
	{
		if (size_ + more <= capacity_)
			return true;
		const std::size_t want = (size_ + more) * 2;
		auto *const d = static_cast<char *>(std::realloc(data_, want));
		if (d == nullptr) {
			std::free(data_);
			data_ = nullptr;
			return false;
		}
		data_ = d;
		capacity_ = want;
		return true;
	}

	char		*data_;
	std::size_t	 size_, capacity_;
};

void
add_line(growing &to, void *pc) noexcept
{
	described d;
	describe(pc, d);
	if (!d.file.empty()) {
		to.add(d.file);
		to.add("(");
		to.add(d.name);
		if (d.offset[0] != '\0')
			to.add("+");
		// The C library's two calls write a 0 differently.
		to.add(std::string_view(d.offset) == "0x0" ? "0" : d.offset);
		to.add(") ");
	}
	to.add("[");
	to.add(d.address);
	to.add(std::string_view("]", 2));	// and its NUL
}

iovec
piece(std::string_view text) noexcept
{
	return {const_cast<char *>(text.data()), text.size()};
}

// Since 2.40 the C library's two calls write the same, except a 0.
bool
writes_alike() noexcept
{
	char *end;
	const auto major = std::strtoul(gnu_get_libc_version(), &end, 10);
	return major > 2 || (major == 2 && *end == '.' &&
	    std::strtoul(end + 1, nullptr, 10) >= 40);
}

void
write_line(int fd, void *pc) noexcept
{
	const bool alike = writes_alike();
	described d;
	describe(pc, d);
	const bool known = !d.file.empty();
	const bool has_offset = d.offset[0] != '\0';
	const bool inside = known && (has_offset || alike);
	const iovec line[] = {
		piece(d.file),
		piece(inside ? "(" : ""),
		piece(d.name),
		piece(known && has_offset ? "+" : ""),
		piece(d.offset),
		piece(!inside ? "[" : alike ? ") [" : ")["),
		piece(d.address),
		piece("]\n"),
	};
	while (writev(fd, line, std::size(line)) < 0 && errno == EINTR)
		;
}

} // namespace
} // namespace stack9::preload

using namespace stack9::preload;

extern "C" {

[[gnu::visibility("default")]] char **
backtrace_symbols(void *const *pcs, int count)
{
	const auto n = static_cast<std::size_t>(count > 0 ? count : 0);
	growing text(n * sizeof(char *));
	for (std::size_t i = 0; i < n; i++)
		add_line(text, pcs[i]);
	const std::size_t end = text.size();
	char *const all = text.release();
	if (all == nullptr)
		return nullptr;
	auto **const lines = reinterpret_cast<char **>(all);
	char *at = all + n * sizeof(char *);
	for (std::size_t i = 0; i < n && at < all + end; i++) {
		lines[i] = at;
		at += std::strlen(at) + 1;
	}
	return lines;
}

[[gnu::visibility("default")]] void
backtrace_symbols_fd(void *const *pcs, int count, int fd)
{
	const int saved = errno;
	for (int i = 0; i < count; i++)
		write_line(fd, pcs[i]);
	errno = saved;
}

} // extern "C"
