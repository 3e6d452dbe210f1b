// Makes names of the D language readable by libiberty, whose demangler of D
// keeps its text in memory of its own.
//
// A name may refer to parts of itself that refer to others, so that 100 bytes
// stand for an endless text.  Thus it is counted first how much all of its
// references can stand for.  libiberty ends the process when there is no
// memory; here a jump leaves the demangler in place of that.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "dlang_name.h"

#include <algorithm>
#include <csetjmp>
#include <cstdint>
#include <cstdlib>

#define	HAVE_DECL_BASENAME	1	// otherwise it is declared again
#include <libiberty/demangle.h>

namespace stack9 {
namespace {

constexpr std::size_t longest_dlang = 1024;	// 578 in D's own library
constexpr std::uint64_t most_dlang_work = 1 << 18;	// in bytes

bool
is_digit(char c) noexcept
{
	return c >= '0' && c <= '9';
}

// The number after a 'Q': digits are capital letters, the last one is small.
// 0: it is none.
std::size_t
distance(std::string_view digits) noexcept
{
	std::size_t n = 0;
	for (const char c : digits) {
		const bool last = c >= 'a' && c <= 'z';
		if (!last && (c < 'A' || c > 'Z'))
			return 0;
		n = n * 26 + static_cast<std::size_t>(c - (last ? 'a' : 'A'));
		if (last)
			return n;
		if (n > longest_dlang)
			return 0;
	}
	return 0;
}

// How much is read of a name, in bytes, if each of its references is followed.
// Every 'Q' is taken for one.  A type ends before the reference to it; as its
// bytes may also be read as something else, up to the whole name is added.
class work {
public:
	explicit work(std::string_view name) noexcept : name_(name)
	{
		until_[0] = 0;
		for (std::size_t i = 0; i < name_.size(); i++)
			until_[i + 1] = std::min(until_[i] + of(i),
			    most_dlang_work);
	}

	bool is_bearable() const noexcept
	{
		return until_[name_.size()] < most_dlang_work;
	}

private:
	std::uint64_t
	of(std::size_t i) const noexcept
	{
		const std::size_t back = name_[i] != 'Q' ? 0 :
		    distance(name_.substr(i + 1));
		if (back == 0 || back > i)
			return 1;
		// An identifier: it refers to nothing.
		if (is_digit(name_[i - back]))
			return name_.size();
		return until_[i] - until_[i - back] + name_.size();
	}

	std::string_view	name_;
	std::uint64_t		until_[longest_dlang + 1];
};

[[gnu::tls_model("initial-exec")]] constinit thread_local std::jmp_buf *
    no_memory = nullptr;

// Another caller of these names expects that it is ended without memory.
void *
memory_or_jump(void *p)
{
	if (p == nullptr && no_memory == nullptr)
		std::abort();
	if (p == nullptr)
		std::longjmp(*no_memory, 1);
	return p;
}

} // namespace

bool
is_dlang_name(std::string_view name) noexcept
{
	return name.size() > 2 && name.size() <= longest_dlang &&
	    name.starts_with("_D") && (is_digit(name[2]) || name == "_Dmain") &&
	    work(name).is_bearable();
}

char *
dlang_text(const char *name) noexcept
{
	std::jmp_buf out;
	no_memory = &out;
	char *const text = setjmp(out) != 0 ? nullptr :
	    dlang_demangle(name, DMGL_DLANG);
	no_memory = nullptr;
	return text;
}

} // namespace stack9

// libiberty's own end the process.  Weak, as a program that has the library as
// an archive may have functions of these names.
extern "C" {

[[gnu::weak]] void *
xmalloc(std::size_t size)
{
	return stack9::memory_or_jump(std::malloc(size != 0 ? size : 1));
}

[[gnu::weak]] void *
xrealloc(void *p, std::size_t size)
{
	return stack9::memory_or_jump(std::realloc(p, size != 0 ? size : 1));
}

}
