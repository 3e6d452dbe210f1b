// Opens, holds and closes spaces.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>

#include "core/arguments.h"
#include "core/seam/space.h"

#include "os/refusals.h"
#include "os/uncancelled.h"

#include "own_space.h"

extern "C" int
stack9_space_open(const struct stack9_thread *td, struct stack9_space **space)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {td == nullptr, has_no_td},
	    {td != nullptr && td->tid < 1, has_no_tid},
	    {space == nullptr, "space is NULL"},
	    }); error != 0)
		return error;
	return public_call([&] {
		unique_space opened;
		const int error = space_of_now(*td, opened);
		if (error == 0)
			*space = opened.release();
		else if (error == ESRCH && is_kernel_thread(*td))
			return failed(EOPNOTSUPP, "a kernel thread has no "
			    "address space of its own");
		return error == EPERM ? failed(error, maps_refused) : error;
	});
}

extern "C" int
stack9_space_open_file(const char *path, struct stack9_space **space)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {path == nullptr, "path is NULL"},
	    {space == nullptr, "space is NULL"},
	    }); error != 0)
		return error;
	return public_call([&] {
		stack9_space *opened = nullptr;
		const int error = space_of_file(path, opened);
		if (error != 0)
			return failed(error, error == EINVAL ?
			    "it is no regular file" : std::strerror(error));
		*space = opened;
		return 0;
	});
}

extern "C" struct stack9_space *
stack9_space_hold(struct stack9_space *space)
{
	if (space != nullptr)
		stack9::space_hold(*space);
	return space;
}

extern "C" void
stack9_space_close(struct stack9_space *space)
{
	const stack9::uncancelled guard;
	stack9::space_drop(space);
}
