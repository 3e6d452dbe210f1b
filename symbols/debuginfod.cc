// Fetches debug files from the servers of $DEBUGINFOD_URLS.  libdebuginfod
// brings an HTTP client with it, so it is loaded only when it is asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>

#include <dlfcn.h>

#include "debug_file.h"

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
	find_fn		*find = nullptr;
	end_fn		*end = nullptr;

	client_library() noexcept
	{
		void *const lib = dlopen("libdebuginfod.so.1",
		    RTLD_NOW | RTLD_LOCAL);
		if (lib == nullptr)
			return;
		begin = reinterpret_cast<begin_fn *>(
		    dlsym(lib, "debuginfod_begin"));
		find = reinterpret_cast<find_fn *>(
		    dlsym(lib, "debuginfod_find_debuginfo"));
		end = reinterpret_cast<end_fn *>(
		    dlsym(lib, "debuginfod_end"));
	}
	bool
	usable() const noexcept
	{
		return begin != nullptr && find != nullptr && end != nullptr;
	}
};

} // namespace

unique_fd
fetch_by_id(id_bytes id) noexcept
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
	unique_fd fd(lib.find(client, id.data(), static_cast<int>(id.size()),
	    nullptr));
	lib.end(client);
	return fd;
}

} // namespace stack9
