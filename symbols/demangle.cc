// Turns linker names into names for people by libiberty's demanglers, with the
// same text as c++filt.
//
// The names come from strangers' files, and a short one can stand for an
// endless text.  So the demanglers write into the caller's buffer, and a jump
// leaves them when it is full.  Only the memory that is named below can be lost
// by that jump.  The demangler of D knows no such buffer: see dlang_name.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#define	HAVE_DECL_BASENAME	1	// otherwise it is declared again
#include <libiberty/demangle.h>
#include "core/seam/reader.h"
#include "core/seam/symbols.h"
#include "os/stack_left.h"

#include "dlang_name.h"
#include "rust_name.h"

namespace stack9 {
namespace {

// Names of real programs have up to some thousand bytes.
constexpr std::size_t longest_mangled = 32768;
// The parser itself refuses longer names than this, unless a flag says that
// there is stack enough.
constexpr std::size_t longest_short = 1024;

struct room {
	char		*text;
	std::size_t	size;		// without the NUL
	std::size_t	used;
	std::jmp_buf	out;

	bool full() const noexcept { return used == size; }
};

// The Rust demangler decodes identifiers with characters beyond ASCII in memory
// of its own.  A jump from inside would lose that memory.  Such an identifier
// has no punctuation, and the text that joins identifiers begins with
// punctuation.
bool
holds_memory(std::string_view piece) noexcept
{
	static constexpr std::string_view joins = ":<>(){}[]&*!+',; =";
	return piece.empty() || joins.find(piece[0]) == joins.npos;
}

void
put(room &r, const char *piece, std::size_t length) noexcept
{
	const std::size_t n = std::min(length, r.size - r.used);
	if (n == 0)	// there may be no piece at all
		return;
	memcpy(r.text + r.used, piece, n);
	r.used += n;
}

void
put_cxx(const char *piece, std::size_t length, void *arg)
{
	room &r = *static_cast<room *>(arg);
	put(r, piece, length);
	if (r.full())
		std::longjmp(r.out, 1);
}

void
put_rust(const char *piece, std::size_t length, void *arg)
{
	room &r = *static_cast<room *>(arg);
	put(r, piece, length);
	if (r.full() && !holds_memory({piece, length}))
		std::longjmp(r.out, 1);
}

bool
write_dlang(const char *name, room &r) noexcept
{
	const std::unique_ptr<char, decltype(&std::free)> text(
	    dlang_text(name), &std::free);
	if (text != nullptr)
		put(r, text.get(), strlen(text.get()));
	return text != nullptr;
}

// Names of legacy Rust are also valid C++ names, with a hash in last place.  So
// Rust is tried first.
bool
write_readable(const char *name, room &r) noexcept
{
	if (name[1] == 'D')
		return write_dlang(name, r);
	if (setjmp(r.out) != 0)
		return true;
	if (rust_demangle_callback(name, DMGL_NO_OPTS, put_rust, &r) != 0)
		return true;
	r.used = 0;
	return cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI |
	    DMGL_NO_RECURSE_LIMIT, put_cxx, &r) != 0;
}

// Does not cut in the middle of a character of UTF-8.
std::size_t
whole_characters(const char *text, std::size_t n) noexcept
{
	const auto continues = [](char c) {
		return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
	};
	std::size_t last = n;
	while (last > 0 && n - last < 3 && continues(text[last - 1]))
		last--;
	if (last == 0)
		return n;
	const auto c = static_cast<unsigned char>(text[last - 1]);
	const std::size_t want = c < 0xc0 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
	return n - last < want ? last - 1 : n;
}

// libiberty's parser tries the rest of the name twice for each template
// argument list of a template parameter in a conversion's type ("cvT_I"), one
// inside the other.  Real names have two or three of these.
bool
takes_for_ever(std::string_view name) noexcept
{
	constexpr int bearable = 12;
	int lists = 0;
	for (auto at = name.find("_I"); at != name.npos;
	    at = name.find("_I", at + 1))
		lists++;
	return lists > bearable && name.find("cv") != name.npos;
}

// The parser may call itself for each byte of the name, and keeps 72 bytes for
// each on the stack.  That is little for a short name.
bool
has_stack_for(std::string_view name) noexcept
{
	constexpr std::size_t of_a_byte = 1024;
	return name.size() < longest_short ||
	    (name.size() <= longest_mangled &&
	    stack_left() > of_a_byte * name.size());
}

bool
is_mangled(std::string_view name) noexcept
{
	return ((name.starts_with("_R") && is_rust_name(name)) ||
	    (name.starts_with("_Z") && !takes_for_ever(name)) ||
	    is_dlang_name(name)) &&
	    has_stack_for(name);
}

} // namespace

int
demangle(const char *name, char *text, std::size_t size) noexcept
{
	if (name == nullptr || text == nullptr || size == 0)
		return EINVAL;
	const std::size_t length = strnlen(name, longest_mangled + 1);
	if (reader *const other = the_reader.load();
	    other != nullptr && is_mangled({name, length}))
		return other->demangle(name, text, size);
	room r{text, size - 1, 0, {}};
	const bool done = r.size != 0 && is_mangled({name, length}) &&
	    write_readable(name, r);
	if (!done) {
		r.used = 0;
		put(r, name, strlen(name));
	}
	if (r.full())
		r.used = whole_characters(text, r.used);
	text[r.used] = '\0';
	return done ? 0 : ENOENT;
}

} // namespace stack9
