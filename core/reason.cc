// Keeps the sentence about the last failure of each thread, and gives it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "reason.h"

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "os/refusals.h"

namespace stack9 {
namespace {

// Zeroed memory: it costs a thread nothing until it has a failure to report.
// With 368 bytes the library would need more than 1 KiB of each thread.
// initial-exec: other models cost a call at each use, and may allocate at the
// first.  A signal handler must not.
[[gnu::tls_model("initial-exec")]] thread_local char sentence_here[352];
[[gnu::tls_model("initial-exec")]] thread_local bool reported_here = false;

// Takes what strerror_r(3) returns: GNU's the text, POSIX's an error.
[[maybe_unused]] const char *
text_of(const char *text, const char *) noexcept
{
	return text;
}

[[maybe_unused]] const char *
text_of(int error, const char *text) noexcept
{
	return error == 0 ? text : "unknown error";
}

std::string_view
usual(int error) noexcept
{
	switch (error) {
	case EAGAIN:
		return "not at this moment: ask again";
	case ESRCH:
		return "there is no such thread or process any more";
	case EPERM:
		return "more privilege is needed";
	case EINVAL:
		return "an argument is wrong";
	case EOPNOTSUPP:
		return unsupported();
	case ENOENT:
		return "there is nothing of that name";
	case ECANCELED:
		return "it was cancelled";
	case ENOMEM:
		return "there is not enough memory";
	case EMFILE:
	case ENFILE:
		return "there are no more descriptors: see ulimit -n";
	case ENOBUFS:
		return "all slots are in use: see stack9_async_limit()";
	case EALREADY:
		return "it was over already";
	case EBUSY:
		return "it is in use";
	case EINTR:
		return "a signal, or a call that wakes, ended it";
	}
	return {};
}

} // namespace

void
begin_call() noexcept
{
	reported_here = false;
}

bool
is_reported() noexcept
{
	return reported_here;
}

int
failed(int error, std::string_view sentence) noexcept
{
	reported_here = true;
	const std::size_t n = sentence.copy(sentence_here,
	    sizeof sentence_here - 1);
	sentence_here[n] = '\0';
	return error;
}

int
failed(int error) noexcept
{
	if (error == 0)
		return 0;
	if (const std::string_view text = usual(error); !text.empty())
		return failed(error, text);
	char text[128];
	return failed(error, text_of(strerror_r(error, text, sizeof text),
	    text));
}

} // namespace stack9

extern "C" const char *
stack9_reason(void)
{
	return stack9::sentence_here[0] != '\0' ? stack9::sentence_here :
	    "no call of this thread has failed yet";
}

extern "C" int
stack9_version(void)
{
	return STACK9_VERSION;
}
