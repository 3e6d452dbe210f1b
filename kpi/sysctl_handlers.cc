// Answers requests of sysctl(9) from variables, and through an sbuf.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/sbuf.h>
#include <stack9/sys/sysctl.h>

#include <cerrno>
#include <cstring>

namespace stack9 {
namespace {

// Gives and takes a variable of this size, as handlers do.
int
exchange(void *p, std::size_t len, struct sysctl_req *req)
{
	const int error = SYSCTL_OUT(req, p, len);
	return error != 0 || req->newptr == nullptr ? error :
	    SYSCTL_IN(req, p, len);
}

int
sysctl_drain(void *arg, const char *data, int len)
{
	auto *req = static_cast<struct sysctl_req *>(arg);
	const int error = SYSCTL_OUT(req, data, static_cast<std::size_t>(len));
	return error != 0 ? -error : len;
}

// Without arg1 the value is a constant, arg2.
template <class Number>
int
handle_number(void *arg1, intmax_t arg2, struct sysctl_req *req)
{
	Number value = static_cast<Number>(arg2);
	if (arg1 == nullptr)
		return req->newptr != nullptr ? EPERM :
		    SYSCTL_OUT(req, &value, sizeof value);
	return exchange(arg1, sizeof value, req);
}

} // namespace
} // namespace stack9

using namespace stack9;

extern "C" {

int
stack9_sysctl_handle_int(SYSCTL_HANDLER_ARGS)
{
	return handle_number<int>(arg1, arg2, req);
}

int
stack9_sysctl_handle_long(SYSCTL_HANDLER_ARGS)
{
	return handle_number<long>(arg1, arg2, req);
}

int
stack9_sysctl_handle_opaque(SYSCTL_HANDLER_ARGS)
{
	return exchange(arg1, static_cast<std::size_t>(arg2), req);
}

// arg2 is the size of the buffer at arg1; 0: the string is constant.
int
stack9_sysctl_handle_string(SYSCTL_HANDLER_ARGS)
{
	auto *text = static_cast<char *>(arg1);
	const int error = SYSCTL_OUT(req, text, std::strlen(text) + 1);
	if (error != 0 || req->newptr == nullptr)
		return error;
	const std::size_t len = req->newlen - req->newidx;
	if (arg2 <= 0 || len >= static_cast<std::size_t>(arg2))
		return EINVAL;
	text[len] = '\0';
	return SYSCTL_IN(req, text, len);
}

struct sbuf *
sbuf_new_for_sysctl(struct sbuf *s, char *buf, int length,
    struct sysctl_req *req)
{
	s = sbuf_new(s, buf, length, SBUF_FIXEDLEN);
	if (s != nullptr)
		sbuf_set_drain(s, sysctl_drain, req);
	return s;
}

} // extern "C"
