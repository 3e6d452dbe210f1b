// Implements the calls of sbuf(9) with the kernel's semantics.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <cstring>

#include "kprintf.h"
#include "sbuf_storage.h"

using stack9::allocate;
using stack9::drain;
using stack9::grown;
using stack9::has;

namespace {

int
status(const sbuf &s)
{
	return s.s_error != 0 ? -1 : 0;
}

int
append(sbuf &s, const void *text, std::size_t len)
{
	if (has(s, SBUF_FINISHED))
		return -1;
	stack9::put(s, static_cast<const char *>(text), len);
	return status(s);
}

// In the C locale, whatever locale the process has: the kernel has no other.
bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

} // namespace

struct sbuf *
sbuf_new(struct sbuf *s, char *buf, int length, int flags)
{
	const bool extend = (flags & SBUF_AUTOEXTEND) != 0;
	sbuf fresh{};

	if (length < 0 || (!extend && length < 2))
		return nullptr;
	fresh.s_flags = (flags & SBUF_USRFLAGMSK) | SBUF_DRAINATEOL;
	fresh.s_buf = length >= 2 ? buf : nullptr;
	fresh.s_size = length;
	if (s == nullptr) {
		s = static_cast<sbuf *>(allocate(fresh, sizeof *s));
		if (s == nullptr)
			return nullptr;
		fresh.s_flags |= SBUF_DYNSTRUCT;
	}
	if (fresh.s_buf == nullptr) {
		const std::size_t size = extend ? grown(length) : length;
		fresh.s_buf = static_cast<char *>(allocate(fresh, size));
		fresh.s_size = size;
		fresh.s_flags |= SBUF_DYNAMIC;
	}
	if (fresh.s_buf == nullptr) {
		if (has(fresh, SBUF_DYNSTRUCT))
			std::free(s);
		return nullptr;
	}
	*s = fresh;
	return s;
}

struct sbuf *
sbuf_new_auto(void)
{
	return sbuf_new(nullptr, nullptr, 0, SBUF_AUTOEXTEND);
}

// Not inlined, or gcc -flto would warn of freeing an sbuf that is on a stack.
[[gnu::noinline]] void
sbuf_delete(struct sbuf *s)
{
	const sbuf old = *s;
	*s = sbuf{};
	if (has(old, SBUF_DYNAMIC))
		std::free(old.s_buf);
	if (has(old, SBUF_DYNSTRUCT))
		std::free(s);
}

int
sbuf_get_flags(struct sbuf *s)
{
	return s->s_flags & SBUF_USRFLAGMSK;
}

void
sbuf_set_flags(struct sbuf *s, int flags)
{
	s->s_flags |= flags & SBUF_USRFLAGMSK;
}

void
sbuf_clear_flags(struct sbuf *s, int flags)
{
	s->s_flags &= ~(flags & SBUF_USRFLAGMSK);
}

void
sbuf_clear(struct sbuf *s)
{
	s->s_flags &= ~SBUF_FINISHED;
	s->s_error = 0;
	s->s_len = 0;
	s->s_rec_off = 0;
	s->s_sect_len = 0;
}

int
sbuf_setpos(struct sbuf *s, ssize_t pos)
{
	if ((s->s_flags & (SBUF_FINISHED | SBUF_INSECTION)) != 0 ||
	    pos < 0 || pos > s->s_len)
		return -1;
	s->s_len = pos;
	return 0;
}

int
sbuf_trim(struct sbuf *s)
{
	if (has(*s, SBUF_FINISHED) || s->s_error != 0)
		return -1;
	while (s->s_len > 0 && is_blank(s->s_buf[s->s_len - 1])) {
		s->s_len--;	// perhaps in front of the section
		if (has(*s, SBUF_INSECTION) && s->s_sect_len > 0)
			s->s_sect_len--;
	}
	return 0;
}

int
sbuf_bcat(struct sbuf *s, const void *buf, size_t len)
{
	return append(*s, buf, len);
}

int
sbuf_cat(struct sbuf *s, const char *str)
{
	return append(*s, str, std::strlen(str));
}

int
sbuf_putc(struct sbuf *s, int c)
{
	const char byte = static_cast<char>(c);

	return append(*s, &byte, 1);
}

int
sbuf_nl_terminate(struct sbuf *s)
{
	const bool at_start = s->s_len > 0 ? s->s_buf[s->s_len - 1] == '\n' :
	    has(*s, SBUF_DRAINATEOL);

	return append(*s, "\n", at_start ? 0 : 1);
}

int
sbuf_bcpy(struct sbuf *s, const void *buf, size_t len)
{
	sbuf_clear(s);
	return append(*s, buf, len);
}

int
sbuf_cpy(struct sbuf *s, const char *str)
{
	return sbuf_bcpy(s, str, std::strlen(str));
}

int
sbuf_vprintf(struct sbuf *s, const char *fmt, va_list ap)
{
	if (has(*s, SBUF_FINISHED) || s->s_error != 0)
		return -1;
	stack9::kvprintf([](void *arg, const char *text, std::size_t len) {
		if (*text != '\0')
			stack9::put(*static_cast<sbuf *>(arg), text, len);
	}, s, fmt, ap);
	return status(*s);
}

int
sbuf_printf(struct sbuf *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	const int result = sbuf_vprintf(s, fmt, ap);
	va_end(ap);
	return result;
}

void
sbuf_set_drain(struct sbuf *s, sbuf_drain_func *func, void *arg)
{
	s->s_drain_func = func;
	s->s_drain_arg = arg;
}

int
sbuf_drain(struct sbuf *s)
{
	if (s->s_drain_func != nullptr && s->s_len > 0 && s->s_error == 0)
		drain(*s);
	return s->s_error;
}

void
sbuf_start_section(struct sbuf *s, ssize_t *old_lenp)
{
	if (has(*s, SBUF_FINISHED))
		return;
	if (!has(*s, SBUF_INSECTION)) {
		s->s_flags |= SBUF_INSECTION;
		s->s_rec_off = s->s_len;
		s->s_sect_len = 0;
		if (old_lenp != nullptr)
			*old_lenp = -1;
	} else if (old_lenp != nullptr) {
		*old_lenp = s->s_sect_len;
		s->s_sect_len = 0;
	}
}

ssize_t
sbuf_end_section(struct sbuf *s, ssize_t old_len, size_t pad, int c)
{
	if (!has(*s, SBUF_INSECTION) || has(*s, SBUF_FINISHED))
		return -1;
	if (pad > 1 && s->s_sect_len > 0)
		while (s->s_error == 0 &&
		    static_cast<std::size_t>(s->s_sect_len) % pad != 0)
			sbuf_putc(s, c);
	const ssize_t len = s->s_sect_len;
	if (old_len == -1) {
		s->s_flags &= ~SBUF_INSECTION;
		s->s_rec_off = 0;
		s->s_sect_len = 0;
	} else
		s->s_sect_len += old_len;
	return s->s_error != 0 ? -1 : len;
}

int
sbuf_finish(struct sbuf *s)
{
	if (has(*s, SBUF_FINISHED))
		return s->s_error;
	s->s_buf[s->s_len] = '\0';
	if (has(*s, SBUF_INCLUDENUL))
		s->s_len++;
	while (s->s_drain_func != nullptr && s->s_len > 0 && s->s_error == 0)
		drain(*s);
	s->s_flags |= SBUF_FINISHED;
	return s->s_error;
}

int
sbuf_error(const struct sbuf *s)
{
	return s->s_error;
}

int
sbuf_done(const struct sbuf *s)
{
	return s->s_flags & SBUF_FINISHED;
}

char *
sbuf_data(struct sbuf *s)
{
	if (!has(*s, SBUF_FINISHED))
		s->s_buf[s->s_len] = '\0';
	return s->s_buf;
}

ssize_t
sbuf_len(struct sbuf *s)
{
	if (s->s_error != 0)
		return -1;
	// sbuf_finish() has counted the NUL already.
	return s->s_len + (has(*s, SBUF_INCLUDENUL) &&
	    !has(*s, SBUF_FINISHED));
}
