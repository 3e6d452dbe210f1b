// Finds the layout of a runtime: the one that it describes itself, since 3.13,
// or that of its version.
//
// The offsets of 3.9 to 3.12 were taken from the headers of these releases,
// whose maintenance keeps them.  Since 3.13 _PyRuntime begins with
// _Py_DebugOffsets (Include/internal/pycore_debug_offsets.h), a list of groups
// of members, each group beginning with the size of its structure.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "layout.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <span>

namespace stack9::languages::python {
namespace {

constexpr layout release_3_9{9, false, 32, 0, 8, 8, 856, 24, 0, false, 176,
    32, 24, 104, 0, 0, 104, 112, 112, 40, 120, 0, 0, 360};
constexpr layout release_3_10{10, false, 32, 0, 8, 8, 856, 24, 0, false, 176,
    32, 24, 96, 0, 0, 104, 112, 112, 40, 120, 0, 0, 352};
constexpr layout release_3_11{11, false, 40, 0, 16, 8, 888, 56, 8, true, 152,
    32, 48, 56, 68, 0, 112, 120, 128, 72, 136, 184, 0, 72};
constexpr layout release_3_12{12, false, 40, 0, 72, 8, 944, 56, 0, true, 136,
    0, 8, 56, 70, 0, 112, 120, 128, 68, 136, 192, 0, 72};

// The number of members of each group, with its size, and the places of those
// that are used.
struct described_release {
	std::uint8_t	interpreter, thread, frame;	// sizes of groups
	std::uint8_t	modules;	// of an interpreter
	std::uint8_t	threads_head, next_thread, current_frame, thread_id,
			previous, executable, instr_ptr, owner, code_index,
			codes;
};

// runtime_state has 3 members.  0: the release has no such member.
constexpr std::uint8_t runtime_members = 3;
constexpr described_release release_3_13{13, 9, 6, 5, 3, 2, 4, 5, 1, 2, 3, 5,
    0, 0};
constexpr described_release release_3_14{16, 9, 8, 6, 3, 2, 4, 5, 1, 2, 3, 5,
    7, 10};
// The group after that of threads is one member without a size.
constexpr described_release release_3_15{16, 17, 8, 0, 3, 2, 4, 8, 1, 2, 3, 5,
    7, 10};

// Reads the words of _Py_DebugOffsets that follow its cookie.
class described {
public:
	bool
	read(unwind::memory &m, std::uint64_t at) noexcept
	{
		return m.read(at, all_.data(), sizeof all_) &&
		    std::memcmp(all_.data(), "xdebugpy", 8) == 0;
	}
	std::uint64_t version() const noexcept { return all_[1]; }
	bool is_free_threaded() const noexcept { return all_[2] != 0; }
	// A group begins after those before it.
	std::uint16_t
	member(std::size_t group, std::size_t n) const noexcept
	{
		return static_cast<std::uint16_t>(all_[3 + group + n]);
	}
	// False: a member is not within the structure of its group.
	bool
	has(std::size_t group, std::initializer_list<std::uint8_t> members)
	    const noexcept
	{
		return std::all_of(members.begin(), members.end(),
		    [&](std::uint8_t n) {
			return all_[3 + group + n] < all_[3 + group];
		});
	}
	// False: a member that is used cannot be an offset.
	bool
	is_sound(std::size_t words) const noexcept
	{
		for (std::size_t i = 3; i < 3 + words; i++)
			if (all_[i] > UINT16_MAX &&
			    i != 4 && all_[i] > (1u << 30))
				return false;
		return true;
	}

private:
	std::array<std::uint64_t, 80> all_{};
};

layout
by_description(const described &d, const described_release &r,
    unsigned int minor)
{
	const std::size_t interpreter = runtime_members;
	const std::size_t thread = interpreter + r.interpreter;
	const std::size_t frame = thread + r.thread;
	const std::size_t code = frame + r.frame;
	layout l{};
	// A list with other members than were thought is recognized by its
	// sizes.
	if (!d.is_sound(code + 11) || !d.has(thread, {r.next_thread,
	    r.current_frame, r.thread_id}) || !d.has(frame, {r.previous,
	    r.executable, r.instr_ptr, r.owner}) || !d.has(code, {1, 2, 3, 4,
	    5, 9}))
		return l;
	l.minor = minor;
	l.is_free_threaded = d.is_free_threaded();
	l.interpreters_head = d.member(0, 2);
	l.next_interpreter = d.member(interpreter, 2);
	l.threads_head = d.member(interpreter, r.threads_head);
	l.next_thread = d.member(thread, r.next_thread);
	if (r.modules != 0 && !l.is_free_threaded &&
	    d.has(interpreter, {r.modules}))
		l.modules = d.member(interpreter, r.modules);
	l.frame = d.member(thread, r.current_frame);
	l.thread_id = d.member(thread, r.thread_id);
	l.previous = d.member(frame, r.previous);
	l.code = d.member(frame, r.executable);
	l.position = d.member(frame, r.instr_ptr);
	l.owner = d.member(frame, r.owner);
	l.first_local = d.member(frame, 4);
	l.filename = d.member(code, 1);
	l.name = d.member(code, 2);
	l.qualname = d.member(code, 3);
	l.lines = d.member(code, 4);
	l.first_line = d.member(code, 5);
	l.bytecode = d.member(code, 9);
	if (l.is_free_threaded && r.codes != 0) {
		l.thread_code_index = d.member(frame, r.code_index);
		l.thread_codes = d.member(code, r.codes);
	}
	return l;
}

// Before 3.11 nothing in memory has the version, but the name of the file has.
unsigned int
minor_of_path(const std::string &path) noexcept
{
	const std::size_t slash = path.rfind('/');
	unsigned int minor = 0;
	const std::string name = path.substr(slash == path.npos ? 0 :
	    slash + 1);
	for (const char *const form : {"python3.%u", "libpython3.%u"})
		if (std::sscanf(name.c_str(), form, &minor) == 1)
			return minor;
	return 0;
}

std::string
named(std::uint64_t hex)
{
	return "python " + std::to_string(hex >> 24 & 0xff) + "." +
	    std::to_string(hex >> 16 & 0xff);
}

} // namespace

layout
layout_of(const question &q, const loaded &where, std::uint64_t version_at,
    std::string &why)
{
	constexpr std::uint64_t final_release = 0xf0;
	described d;
	std::uint64_t hex = 0;
	const bool is_described = d.read(q.words, where.mark);
	if (is_described)
		hex = d.version();
	else if (std::uint32_t v; version_at != 0 &&
	    q.words.read(version_at, &v, sizeof v))
		hex = v;
	else if (const unsigned int m = minor_of_path(where.backing.path());
	    m != 0)
		hex = 3u << 24 | m << 16 | final_release;
	layout l{};
	const unsigned int minor = hex >> 16 & 0xff;
	if (hex >> 24 != 3 || (hex & 0xf0) != final_release)
		why = hex == 0 ? "python: its version is not known" :
		    named(hex) + ": its layout is not known";
	else if (minor == 9)
		l = release_3_9;
	else if (minor == 10)
		l = release_3_10;
	else if (minor == 11)
		l = release_3_11;
	else if (minor == 12)
		l = release_3_12;
	else if (!is_described && minor >= 13 && minor <= 15)
		why = named(hex) + ": its description is not in memory";
	else if (minor == 13)
		l = by_description(d, release_3_13, minor);
	else if (minor == 14)
		l = by_description(d, release_3_14, minor);
	else if (minor == 15)
		l = by_description(d, release_3_15, minor);
	if (l.minor == 0 && why.empty())
		why = named(hex) + ": its layout is not known";
	return l;
}

} // namespace stack9::languages::python
