// Calls zlib, which libstack9 has mapped already for compressed sections.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "http.h"

#include <new>

#include <zlib.h>

namespace servers {

// Level 1: the network is seldom so slow that more pays for its CPU time.
std::string
compressed(std::string_view bytes)
{
	constexpr int level = 1, gzip = 16 + MAX_WBITS, memory = 8;
	z_stream z{};
	if (deflateInit2(&z, level, Z_DEFLATED, gzip, memory,
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

} // namespace servers
