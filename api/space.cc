// Opens, holds and closes spaces.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>
#include <string_view>

#include "core/arguments.h"
#include "core/seam/space.h"

#include "os/refusals.h"
#include "os/uncancelled.h"

#include "options.h"
#include "own_space.h"
#include "places.h"

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
			    "it is not a regular file" : std::strerror(error));
		*space = opened;
		return 0;
	});
}

extern "C" int
stack9_space_open_build_ids(const char *const *paths, uint32_t count,
    struct stack9_space **space)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {paths == nullptr && count != 0, "paths is NULL"},
	    {space == nullptr, "space is NULL"},
	    }); error != 0)
		return error;
	for (uint32_t i = 0; i < count; i++)
		if (paths[i] == nullptr)
			return failed(EINVAL, "one of paths is NULL");
	return public_call([&] {
		stack9_space *opened = nullptr;
		const int error = space_of_build_ids({paths, paths + count},
		    opened);
		if (error == 0)
			*space = opened;
		return error;
	});
}

extern "C" int
stack9_space_place(struct stack9_space *space, const struct stack9_place *place,
    uint64_t *pc)
{
	using namespace stack9;
	stack9_place p;
	if (const int error = check_arguments({
	    {space == nullptr, "space is NULL"},
	    {place == nullptr, "place is NULL"},
	    {pc == nullptr, "pc is NULL"},
	    }); error != 0)
		return error;
	if (const char *const wrong = read_options(place, sizeof p, p))
		return failed(EINVAL, std::string_view(wrong) == unknown_size ?
		    "place->size is not that of the structure" :
		    "place has a member that this release does not know and "
		    "that is not 0");
	if (const int error = check_arguments({
	    {p.build_id_size > most_build_id, "place->build_id_size is more "
	    "than 64"},
	    {p.build_id == nullptr && p.build_id_size != 0,
	    "place->build_id is NULL"},
	    }); error != 0)
		return error;
	return public_call([&] {
		const int error = space_place(*space, {p.build_id, p.build_id +
		    p.build_id_size}, p.module != nullptr ? p.module : "",
		    p.vaddr, false, *pc);
		return error == EINVAL ? failed(error, p.vaddr >> 47 != 0 ?
		    "place->vaddr is not below 2^47" : is_no_place_space) :
		    error == ENOSPC ? failed(error, no_more_places) : error;
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
