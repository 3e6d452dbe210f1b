// Pretends to have a V8 of an unknown version, and waits for its input to end.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <unistd.h>

namespace v8 {

struct Isolate {
	static Isolate *GetCurrent();
};

__attribute__((noinline)) Isolate *
Isolate::GetCurrent()
{
	return nullptr;
}

namespace internal {

struct Version {
	static int major_, minor_;
};
int Version::major_ = 99;
int Version::minor_ = 1;

} // namespace internal
} // namespace v8

extern "C" int v8dbg_TaggedSize;
int v8dbg_TaggedSize = 8;

int
main()
{
	char c = 'r';
	if (v8::Isolate::GetCurrent() != nullptr || write(1, &c, 1) != 1)
		return 1;
	while (read(0, &c, 1) > 0)
		;
	return 0;
}
