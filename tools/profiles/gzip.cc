// Calls zlib.  libstack9 has mapped it already for compressed sections.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "formats.h"

#include <limits>
#include <new>
#include <stdexcept>

#include <zlib.h>

namespace profiles {

std::string
gzip(std::string_view bytes, int level)
{
	constexpr int form = 16 + MAX_WBITS, memory = 8;
	if (bytes.size() > std::numeric_limits<uInt>::max() / 2)
		throw std::length_error("too much for one file of gzip");
	z_stream z{};
	if (deflateInit2(&z, level, Z_DEFLATED, form, memory,
	    Z_DEFAULT_STRATEGY) != Z_OK)
		throw std::bad_alloc();
	std::string out(deflateBound(&z, bytes.size()), '\0');
	z.next_in = const_cast<Bytef *>(
	    reinterpret_cast<const Bytef *>(bytes.data()));
	z.avail_in = static_cast<uInt>(bytes.size());
	z.next_out = reinterpret_cast<Bytef *>(out.data());
	z.avail_out = static_cast<uInt>(out.size());
	deflate(&z, Z_FINISH);
	out.resize(z.total_out);
	deflateEnd(&z);
	return out;
}

std::string
for_file(const std::string &name, std::string &&text)
{
	constexpr int usual = 6;
	return is_gzip(name) ? gzip(text, usual) : std::move(text);
}

} // namespace profiles
