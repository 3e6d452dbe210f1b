// Does beforehand what the first capture of a side does: asks routes whether
// they can.  This loads their programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "arguments.h"
#include "route.h"

namespace stack9 {
namespace {

// The routes up to the first that can are those that a capture asks.
template <job J>
int
prepare(stack_record &reported)
{
	return first_answer<J>(reported, [](interface_of<J> &r) {
		const verdict v = r.can();
		return v.error != 0 ? answer::refused(v) : answer::is(0);
	});
}

// The jobs of further threads may be impossible where that of one is not.
int
prepare_kernel()
{
	stack_record reported{}, unused{};
	const int error = prepare<job::kernel>(reported);
	prepare<job::running>(unused);
	prepare<job::each>(unused);
	prepare<job::name>(unused);
	return error == 0 ? 0 : failed(error, reported.reason);
}

int
prepare_user()
{
	stack_record reported{}, unused{};
	const int error = prepare<job::user>(reported);
	prepare<job::user_running>(unused);
	prepare<job::user_each>(unused);
	return error == 0 ? 0 : failed(error, reported.reason);
}

} // namespace
} // namespace stack9

extern "C" int
stack9_prepare(int side)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {side < STACK9_KERNEL || side > STACK9_BOTH, is_no_side},
	    }); error != 0)
		return error;
	return public_call([&] {
		const int kernel = (side & STACK9_KERNEL) != 0 ?
		    prepare_kernel() : 0;
		const int user = (side & STACK9_USER) != 0 ? prepare_user() : 0;
		return kernel != 0 ? kernel : user;
	});
}
