// Parses a line of /proc/TID/maps, field by field.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "maps_line.h"

namespace stack9::process {
namespace {

// Reads fields from the rest of a line, and nothing after its end.
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

} // namespace

// A line is "START-END rwxp OFFSET MAJOR:MINOR INODE PATH", proc_pid_maps(5).
bool
parse_maps_line(std::string_view text, maps_line &to) noexcept
{
	fields f(text);
	f.number<16>(to.start);
	f.letter('-');
	f.number<16>(to.end);
	f.letter(' ');
	to.readable = f.flag('r');
	to.writable = f.flag('w');
	to.executable = f.flag('x');
	to.shared = f.flag('s');
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

} // namespace stack9::process
