// Refuses core files: a library for its own process reads no files of others.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdint>

#include <stack9_core.h>

#include "core/reason.h"

namespace {

int
refuse(stack9_core **core) noexcept
{
	if (core != nullptr)
		*core = nullptr;
	return stack9::failed(EOPNOTSUPP,
	    "this library was built for its own process only");
}

} // namespace

extern "C" int
stack9_core_open(const char *, int, const stack9_core_options *,
    stack9_core **core)
{
	return refuse(core);
}

extern "C" int
stack9_core_open_process(const stack9_thread *, const stack9_core_options *,
    stack9_core **core)
{
	return refuse(core);
}

// There is no core that these could be given.
extern "C" int
stack9_core_dump(stack9_core *, int)
{
	return refuse(nullptr);
}

extern "C" const stack9_core_facts *
stack9_core_info(const stack9_core *)
{
	return nullptr;
}

extern "C" const char *
stack9_core_note(const stack9_core *, std::uint32_t)
{
	return "";
}

extern "C" int
stack9_core_each(stack9_core *, const stack9_save_options *, stack9_sample_fn *,
    void *)
{
	return refuse(nullptr);
}

extern "C" void
stack9_core_close(stack9_core *)
{
}
