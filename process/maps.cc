// Processes of 60,000 mappings have a text of 4 MB, which the kernel writes a
// page at a time: what is slow about it is the kernel's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "maps.h"

#include <cerrno>

#include <fcntl.h>

#include "os/linux/unique_fd.h"

namespace stack9::process {
namespace {

constexpr std::size_t first_room = 64 << 10;
constexpr std::size_t least_room = 8 << 10;	// more than a read gives

int
told(int error) noexcept
{
	return error == ENOENT ? ESRCH : error == EACCES ? EPERM : error;
}

// What is left of a line.  Nothing is read behind its end.
class fields {
public:
	explicit fields(std::string_view line) noexcept
	    : at_(line.data()), end_(at_ + line.size()) {}

	bool ok() const noexcept { return ok_; }
	template <unsigned int base, class T>
	void
	number(T &to) noexcept
	{
		const char *const from = at_;
		std::uint64_t value = 0;
		for (unsigned int d; at_ != end_ && (d = digit(*at_)) < base;
		    at_++)
			value = value * base + d;
		ok_ = ok_ && at_ != from;
		to = static_cast<T>(value);
	}
	void
	letter(char expected) noexcept
	{
		ok_ = ok_ && at_ != end_ && *at_ == expected;
		at_ += at_ != end_;
	}
	bool
	flag(char set) noexcept
	{
		const bool is = at_ != end_ && *at_ == set;
		at_ += at_ != end_;
		return is;
	}
	std::string_view
	rest() noexcept
	{
		while (at_ != end_ && *at_ == ' ')
			at_++;
		return {at_, static_cast<std::size_t>(end_ - at_)};
	}

private:
	static unsigned int
	digit(char c) noexcept
	{
		if (c >= '0' && c <= '9')
			return static_cast<unsigned int>(c - '0');
		return c >= 'a' && c <= 'f' ?
		    static_cast<unsigned int>(c - 'a' + 10) : ~0u;
	}

	const char	*at_, *end_;
	bool		ok_ = true;
};

// "START-END rwxp OFFSET MAJOR:MINOR INODE PATH", proc_pid_maps(5).
bool
parse(std::string_view text, maps_line &to) noexcept
{
	fields f(text);
	f.number<16>(to.start);
	f.letter('-');
	f.number<16>(to.end);
	f.letter(' ');
	to.readable = f.flag('r');
	to.writable = f.flag('w');
	to.executable = f.flag('x');
	f.flag('p');
	f.letter(' ');
	f.number<16>(to.offset);
	f.letter(' ');
	f.number<16>(to.major);
	f.letter(':');
	f.number<16>(to.minor);
	f.letter(' ');
	f.number<10>(to.inode);
	to.path = f.rest();
	return f.ok() && to.start < to.end;
}

} // namespace

int
read_maps(int task, byte_room &text) noexcept
{
	const unique_fd fd(openat(task, "maps", O_RDONLY | O_CLOEXEC));
	if (!fd)
		return told(errno);
	std::size_t size = 0;
	for (;;) {
		if (text.size() < size + least_room &&
		    !text.resize(size == 0 ? first_room : 2 * size))
			return ENOMEM;
		const ssize_t got = read(fd.get(), text.data() + size,
		    text.size() - size);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return told(errno);
		if (got == 0)
			break;
		size += static_cast<std::size_t>(got);
	}
	text.resize(size);
	return size == 0 ? ESRCH : 0;
}

bool
next_line(std::string_view &text, maps_line &line) noexcept
{
	const auto size = text.find('\n');
	const std::string_view first = text.substr(0, size);
	text.remove_prefix(size == text.npos ? text.size() : size + 1);
	return parse(first, line);
}

std::string
path_of(const maps_line &line, bool &deleted)
{
	static constexpr std::string_view mark = " (deleted)", escape = "\\012";
	std::string_view from = line.path;
	deleted = line.inode != 0 && from.size() > mark.size() &&
	    from.substr(from.size() - mark.size()) == mark;
	if (deleted)
		from.remove_suffix(mark.size());
	std::string path(from);
	for (auto at = path.find(escape); at != path.npos;
	    at = path.find(escape, at + 1))
		path.replace(at, escape.size(), 1, '\n');
	return path;
}

} // namespace stack9::process
