// Makes a library whose constructor crashes, and one that calls back.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifdef CRASHES
extern "C" int
crash_while_loading()
{
	return *static_cast<volatile int *>(nullptr);
}

namespace {

const int crashed = crash_while_loading();

} // namespace

int
value_of_plugin()
{
	return crashed;
}
#else
extern "C" void
call_back(void (*f)())
{
	f();
	__asm__ volatile("" : : : "memory");
}
#endif
