// Refuses core files: the fake library has none.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>

#include <stack9_core.h>

extern "C" {

int
stack9_core_open(const char *, int, const stack9_core_options *, stack9_core **)
{
	return EINVAL;
}

int
stack9_core_open_process(const stack9_thread *, const stack9_core_options *,
    stack9_core **)
{
	return EINVAL;
}

int
stack9_core_dump(stack9_core *, int)
{
	return EINVAL;
}

const stack9_core_facts *
stack9_core_info(const stack9_core *)
{
	return nullptr;
}

const char *
stack9_core_note(const stack9_core *, uint32_t)
{
	return nullptr;
}

int
stack9_core_each(stack9_core *, const stack9_save_options *, stack9_sample_fn *,
    void *)
{
	return EINVAL;
}

void
stack9_core_close(stack9_core *)
{
}

}
