// Fetches files from the servers of $DEBUGINFOD_URLS.  libdebuginfod
// brings an HTTP client with it, so it is loaded only when it is asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>

#include <dlfcn.h>

#include "core/seam/fetch_file.h"

namespace stack9 {
namespace {

struct debuginfod_client;

// The calls that are used, as debuginfod_find_debuginfo(3) declares them.
struct client_library {
	using begin_fn = debuginfod_client *();
	using find_fn = int(debuginfod_client *, const unsigned char *, int,
	    char **);
	using end_fn = void(debuginfod_client *);

	begin_fn	*begin = nullptr;
	find_fn		*find_debug = nullptr, *find_program = nullptr;
	end_fn		*end = nullptr;

	client_library() noexcept
	{
		void *const lib = dlopen("libdebuginfod.so.1",
		    RTLD_NOW | RTLD_LOCAL);
		if (lib == nullptr)
			return;
		begin = reinterpret_cast<begin_fn *>(
		    dlsym(lib, "debuginfod_begin"));
		find_debug = reinterpret_cast<find_fn *>(
		    dlsym(lib, "debuginfod_find_debuginfo"));
		find_program = reinterpret_cast<find_fn *>(
		    dlsym(lib, "debuginfod_find_executable"));
		end = reinterpret_cast<end_fn *>(
		    dlsym(lib, "debuginfod_end"));
	}
	bool
	usable() const noexcept
	{
		return begin != nullptr && find_debug != nullptr &&
		    find_program != nullptr && end != nullptr;
	}
};

} // namespace

unique_fd
fetch_by_id(std::span<const unsigned char> id, file_kind kind) noexcept
{
	const char *const urls = getenv("DEBUGINFOD_URLS");
	if (urls == nullptr || *urls == '\0' || id.empty())
		return unique_fd();
	static const client_library lib;	// never closed: it has threads
	if (!lib.usable())
		return unique_fd();
	debuginfod_client *const client = lib.begin();
	if (client == nullptr)
		return unique_fd();
	client_library::find_fn *const find = kind == file_kind::program ?
	    lib.find_program : lib.find_debug;
	unique_fd fd(find(client, id.data(), static_cast<int>(id.size()),
	    nullptr));
	lib.end(client);
	return fd;
}

} // namespace stack9
