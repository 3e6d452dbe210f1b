// Hashes the parts of a frame that are the same wherever its program runs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "identity.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace recording {
namespace {

void
put(std::string &to, std::uint64_t value)
{
	for (unsigned int i = 0; i < 8; i++)
		to += static_cast<char>(value >> 8 * i);
}

void
put(std::string &to, const std::string &text)
{
	put(to, text.size());
	to += text;
}

identity
hash_of(const std::string &bytes)
{
	const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
	XXH128_canonical_t shown;
	XXH128_canonicalFromHash(&shown, hash);
	identity id;
	for (std::size_t i = 0; i < id.size(); i++)
		id[i] = shown.digest[i];
	return id;
}

} // namespace

// A file is its build-id if it has one, for the same program may have another
// path in a container.  The address of a kernel's frame, or of code that was
// made at run time, is not the same the next time, but its name is.
identity
identity_of(const frame &f, const module *of)
{
	std::string bytes;
	bytes += static_cast<char>(f.kind);
	bytes += static_cast<char>(f.exact);
	put(bytes, of == nullptr ? std::string() :
	    of->build_id.empty() ? of->path : of->build_id);
	const bool by_place = f.kind == frame_kind::file || f.name.empty();
	put(bytes, by_place ? std::string() : f.name);
	put(bytes, by_place ? f.place : f.offset);
	if (f.kind == frame_kind::language) {
		put(bytes, f.language);
		put(bytes, f.file);
		put(bytes, f.line);
	}
	return hash_of(bytes);
}

identity
identity_of(const stack &s, const std::vector<identity> &frames)
{
	std::string bytes;
	for (const std::uint64_t each : {std::uint64_t{s.side},
	    static_cast<std::uint64_t>(s.why), std::uint64_t{s.flags},
	    std::uint64_t{s.dropped}})
		put(bytes, each);
	for (const std::uint32_t f : s.frames)
		bytes.append(reinterpret_cast<const char *>(
		    frames[f - 1].data()), frames[f - 1].size());
	return hash_of(bytes);
}

identity
identity_of(const identity &kernel, const identity &user)
{
	std::string bytes(reinterpret_cast<const char *>(kernel.data()),
	    kernel.size());
	bytes.append(reinterpret_cast<const char *>(user.data()),
	    user.size());
	return hash_of(bytes);
}

} // namespace recording
