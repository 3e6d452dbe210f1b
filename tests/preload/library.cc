// Captures a stack by one library and prints the names of its frames, so that
// two runs can be compared.  With an argument, a thread captures while another
// one holds the loader's lock.  Some libraries do not survive that.
//
//	c++ -rdynamic -DWITH_BOOST library.cc
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#if defined(WITH_BOOST)
#include <boost/stacktrace.hpp>
static int
capture(void **to, int max)
{
	return static_cast<int>(boost::stacktrace::safe_dump_to(to,
	    static_cast<std::size_t>(max) * sizeof *to)) - 1;
}
#elif defined(WITH_ABSEIL)
#include <absl/debugging/stacktrace.h>
static int
capture(void **to, int max)
{
	return absl::GetStackTrace(to, max, 0);
}
#elif defined(WITH_GPERFTOOLS)
#include <gperftools/stacktrace.h>
static int
capture(void **to, int max)
{
	return GetStackTrace(to, max, 0);
}
#elif defined(WITH_BACKWARD)
#include <backward.hpp>
static int
capture(void **to, int max)
{
	backward::StackTrace st;
	st.load_here(static_cast<std::size_t>(max));
	for (std::size_t i = 0; i < st.size(); i++)
		to[i] = st[i].addr;
	return static_cast<int>(st.size());
}
#elif defined(WITH_JEMALLOC)
#include <jemalloc/jemalloc.h>
// The hook of the library that is preloaded, if one is.
static int
capture(void **to, int max)
{
	typedef void hook_fn(void **, unsigned int *, unsigned int);
	hook_fn *hook = nullptr;
	std::size_t size = sizeof hook;
	unsigned int n = 0;
	auto *const set = reinterpret_cast<int (*)(void *)>(
	    dlsym(RTLD_DEFAULT, "stack9_set_jemalloc"));
	if (set != nullptr && set(nullptr) != 0)
		std::puts("the hook was refused");
	if (mallctl("experimental.hooks.prof_backtrace", &hook, &size, nullptr,
	    0) != 0)
		return 0;
	hook(to, &n, static_cast<unsigned int>(max));
	return static_cast<int>(n);
}
#else
#error "which library?"
#endif

extern "C" [[gnu::noinline]] void
print()
{
	void *pcs[64];
	bool ours = false;
	const int n = capture(pcs, 64);
	for (int i = 0; i < n; i++) {
		Dl_info info{};
		if (dladdr(static_cast<char *>(pcs[i]) - 1, &info) == 0 ||
		    info.dli_sname == nullptr)
			info = {"", nullptr, "?", nullptr};
		else if (__builtin_strcmp(info.dli_sname, "deep") == 0)
			ours = true;
		// A library's own innermost frames are not all compared.
		if (ours)
			std::printf("%s+%#tx\n", info.dli_sname,
			    info.dli_saddr == nullptr ? 0 :
			    static_cast<char *>(pcs[i]) -
			    static_cast<char *>(info.dli_saddr));
	}
}

extern "C" [[gnu::noinline]] void
deep(int n)
{
	if (n == 0)
		print();
	else
		deep(n - 1);
	__asm__ volatile("" : : : "memory");
}

static void *
capture_once(void *)
{
	void *pcs[64];
	// A profiler of the heap captures here.
	std::free(std::malloc(77));
	capture(pcs, 64);
	return nullptr;
}

static int
capture_by_another(dl_phdr_info *, std::size_t, void *)
{
	pthread_t other;
	if (pthread_create(&other, nullptr, capture_once, nullptr) != 0)
		std::abort();
	pthread_join(other, nullptr);
	return 1;
}

int
main(int argc, char **)
{
	if (argc > 1)
		dl_iterate_phdr(capture_by_another, nullptr);
	else
		deep(12);
}
