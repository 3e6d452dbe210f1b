// Unpacks files of zstd and lz4.  Both libraries come with every Debian, and
// are loaded only when a compressed core is read.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "plain_core.h"

#include <cerrno>
#include <memory>
#include <vector>

#ifndef STACK9_PORTABLE
#include <dlfcn.h>
#endif

namespace stack9::cores {
namespace {

constexpr std::size_t unpacked_at_once = 1 << 18;

// The library is never closed.
class library {
public:
	explicit library([[maybe_unused]] const char *name) noexcept
	{
#ifndef STACK9_PORTABLE
		lib_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
#endif
	}
	template <class F>
	bool
	find([[maybe_unused]] const char *name, F *&to) const noexcept
	{
#ifndef STACK9_PORTABLE
		to = lib_ == nullptr ? nullptr :
		    reinterpret_cast<F *>(dlsym(lib_, name));
#endif
		return to != nullptr;
	}

private:
	void	*lib_ = nullptr;
};

// As zstd.h declares them.
struct zstd {
	struct input {
		const void	*from;
		std::size_t	size, at;
	};
	struct output {
		void		*to;
		std::size_t	size, at;
	};
	struct stream;

	stream		*(*create)() = nullptr;
	std::size_t	(*free)(stream *) = nullptr;
	std::size_t	(*unpack)(stream *, output *, input *) = nullptr;
	unsigned int	(*is_error)(std::size_t) = nullptr;

	bool
	load() noexcept
	{
		static const library lib("libzstd.so.1");
		return lib.find("ZSTD_createDStream", create) &&
		    lib.find("ZSTD_freeDStream", free) &&
		    lib.find("ZSTD_decompressStream", unpack) &&
		    lib.find("ZSTD_isError", is_error);
	}
};

// As lz4frame.h declares them.
struct lz4 {
	struct stream;
	static constexpr unsigned int version = 100;

	std::size_t	(*create)(stream **, unsigned int) = nullptr;
	std::size_t	(*free)(stream *) = nullptr;
	std::size_t	(*unpack)(stream *, void *, std::size_t *,
			    const void *, std::size_t *, const void *) =
			    nullptr;
	unsigned int	(*is_error)(std::size_t) = nullptr;

	bool
	load() noexcept
	{
		static const library lib("liblz4.so.1");
		return lib.find("LZ4F_createDecompressionContext", create) &&
		    lib.find("LZ4F_freeDecompressionContext", free) &&
		    lib.find("LZ4F_decompress", unpack) &&
		    lib.find("LZ4F_isError", is_error);
	}
};

// Reads a file by parts and has each unpacked: step(in, size, used, out, room,
// made) returns what is left of a frame, 0 at its end, or SIZE_MAX.
template <class Step>
int
unpack_all(const byte_source &from, const byte_sink &to, Step step)
{
	std::vector<char> in(unpacked_at_once), out(unpacked_at_once);
	std::size_t left = 1;
	ssize_t n;
	while ((n = from(in.data(), in.size())) > 0)
		for (std::size_t at = 0, made = out.size();
		    at < static_cast<std::size_t>(n) || made == out.size();) {
			std::size_t used = static_cast<std::size_t>(n) - at;
			made = out.size();
			left = step(in.data() + at, used, out.data(), made);
			if (left == SIZE_MAX)
				return EIO;
			if (made != 0 && !to(out.data(), made))
				return errno;
			if (used == 0 && made == 0)
				break;
			at += used;
		}
	return n < 0 || left != 0 ? EIO : 0;
}

} // namespace

int
unpack_zstd(const byte_source &from, const byte_sink &to)
{
	zstd z;
	if (!z.load())
		return EOPNOTSUPP;
	const std::unique_ptr<zstd::stream, decltype(z.free)> s(z.create(),
	    z.free);
	if (s == nullptr)
		return ENOMEM;
	return unpack_all(from, to, [&](const char *in, std::size_t &used,
	    char *out, std::size_t &made) {
		zstd::input i{in, used, 0};
		zstd::output o{out, made, 0};
		const std::size_t left = z.unpack(s.get(), &o, &i);
		used = i.at;
		made = o.at;
		return z.is_error(left) != 0 ? SIZE_MAX : left;
	});
}

int
unpack_lz4(const byte_source &from, const byte_sink &to)
{
	lz4 l;
	lz4::stream *made_stream = nullptr;
	if (!l.load())
		return EOPNOTSUPP;
	if (l.is_error(l.create(&made_stream, lz4::version)) != 0)
		return ENOMEM;
	const std::unique_ptr<lz4::stream, decltype(l.free)> s(made_stream,
	    l.free);
	return unpack_all(from, to, [&](const char *in, std::size_t &used,
	    char *out, std::size_t &made) {
		const std::size_t left = l.unpack(s.get(), out, &made, in,
		    &used, nullptr);
		return l.is_error(left) != 0 ? SIZE_MAX : left;
	});
}

} // namespace stack9::cores
