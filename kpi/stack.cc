// Implements the C entry points of stack(9).
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/malloc.h>
#include <stack9/sys/proc.h>
#include <stack9/sys/sbuf.h>
#include <stack9/sys/stack.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "core/capture.h"
#include "core/save.h"
#include "core/seam/names.h"
#include "print.h"
#include "core/route.h"
#include "sinks.h"
#include "os/uncancelled.h"
#include "malloc_wait.h"
#include "stack_record.h"

static_assert(sizeof(struct stack) == sizeof(long) * (STACK_MAX + 1) &&
    std::is_trivial_v<struct stack>, "FreeBSD's, to the byte");

using namespace stack9;

namespace {

// Gets a copy of the origin, so that the original stays in registers.
[[gnu::noinline]] int
save_own_explained(struct stack &st, const origin &first) noexcept
{
	stack9::stack_record rec = record_into(st);
	return finish(st, rec, save_self(rec, first));
}

// Takes the quick way first: this call may be on a caller's hottest path.
inline int
save_own(struct stack &st, const origin &first) noexcept
{
	const std::uint32_t depth = save_own_pcs(first, st.pcs,
	    STACK_MAX).depth;
	if (depth == 0) [[unlikely]]
		return save_own_explained(st, origin(first));
	st.depth = static_cast<int>(depth);
	clear_from(st, depth);
	return 0;
}

int
save_other(struct stack &st, const struct thread &td, bool sibling) noexcept
{
	const stack9_thread id{td.td_tid, td.td_proc->p_pid, td.td_start};
	stack9::stack_record rec = record_into(st);
	return finish(st, rec,
	    save_record(sibling ? STACK9_USER : STACK9_KERNEL, id, rec, {}));
}

// Returns EAGAIN for a running thread, as FreeBSD did until 12.
int
save_td(struct stack *st, const struct thread *td, const origin &first)
    noexcept
{
	if (st == nullptr)
		return EINVAL;
	stack_zero(st);
	if (td == nullptr || td->td_tid < 1 || td->td_proc == nullptr)
		return EINVAL;
	const struct thread &self = *curthread;
	if (td->td_tid != self.td_tid)
		return save_other(*st, *td,
		    td->td_proc->p_pid == self.td_proc->p_pid);
	// A start of 0 means any thread that has the tid.
	if (td->td_start != 0 && td->td_start != self.td_start)
		return ESRCH;
	return save_own(*st, first);
}

// An sbuf on the stack that sends its text to drain, the rest when it goes out
// of scope.
template <std::size_t size> class drained {
public:
	explicit drained(sbuf_drain_func *drain) noexcept
	{
		sbuf_new(&sb_, text_, size, SBUF_FIXEDLEN);
		sbuf_set_drain(&sb_, drain, nullptr);
	}
	drained(const drained &) = delete;
	drained &operator=(const drained &) = delete;
	~drained() { sbuf_finish(&sb_); }
	struct sbuf &operator*() noexcept { return sb_; }

private:
	const uncancelled	guard_;	// outlives the drain's writes
	struct sbuf	sb_;
	char		text_[size];
};

// Holds a whole stack, so that the text of one call comes in one piece.
using print_buffer = drained<STACK_MAX * long_line>;
// Small, because it may lie on a signal's alternate stack.
using ddb_buffer = drained<256>;

void
print(const struct stack &st, const text_format &format) noexcept
{
	print_buffer out(drain_print);
	print_frames(*out, st, format, locked_names);
}

void
print_ddb(const struct stack &st, const text_format &format) noexcept
{
	ddb_buffer out(drain_ddb);
	print_frames(*out, st, format, ddb_names);
}

// FreeBSD's records have six arguments each.
void
ktr_cheap(unsigned int mask, const char *file, int line,
    const struct stack &st) noexcept
{
	constexpr unsigned int each = 6;
	const unsigned int depth = depth_of(st);
	for (unsigned int n = 0; n == 0 || n * each < depth; n++) {
		char text[4 + each * 19];
		struct sbuf sb;
		sbuf_new(&sb, text, sizeof text, SBUF_FIXEDLEN);
		sbuf_printf(&sb, "#%u", n);
		for (unsigned int i = n * each; i < (n + 1) * each; i++)
			sbuf_printf(&sb, " %p", i < depth ?
			    reinterpret_cast<void *>(st.pcs[i]) : nullptr);
		sbuf_finish(&sb);
		ktr_record(mask, file, line, text);
	}
}

void
ktr_named(unsigned int mask, const char *file, int line,
    const struct stack &st, unsigned int limit) noexcept
{
	unsigned int depth = depth_of(st);
	if (limit != 0)
		depth = std::min(depth, limit);
	learn_names({st.pcs, depth});
	for (unsigned int i = 0; i < depth; i++) {
		char text[stack9::name_max + long_line];
		struct sbuf sb;
		sbuf_new(&sb, text, sizeof text, SBUF_FIXEDLEN);
		print_frame(sb, i, st.pcs[i], record_text, ddb_names);
		sbuf_finish(&sb);
		ktr_record(mask, file, line, text);
	}
}

} // namespace

extern "C" {


struct stack *
stack_create(int flags)
{
	const bool nowait = (flags & (M_NOWAIT | M_WAITOK)) == M_NOWAIT;
	return static_cast<struct stack *>(
	    malloc_wait(sizeof(struct stack), nowait));
}

void
stack_destroy(struct stack *st)
{
	std::free(st);
}

int
stack_put(struct stack *st, vm_offset_t pc)
{
	if (st->depth < 0 || st->depth >= STACK_MAX)
		return -1;
	st->pcs[st->depth++] = pc;
	return 0;
}

void
stack_copy(const struct stack *src, struct stack *dst)
{
	*dst = *src;
}

void
stack_zero(struct stack *st)
{
	*st = {};
}

void
stack_save(struct stack *st)
{
	save_own(*st, STACK9_ORIGIN());
}

int
stack_save_td(struct stack *st, struct thread *td)
{
	const int error = save_td(st, td, STACK9_ORIGIN());
	return error == EAGAIN ? EBUSY : error;	// as FreeBSD 13
}

int
stack_save_td_running(struct stack *st, struct thread *td)
{
	return save_td(st, td, STACK9_ORIGIN());
}

void
stack_print(const struct stack *st)
{
	print(*st, long_text);
}

void
stack_print_short(const struct stack *st)
{
	print(*st, short_text);
}

void
stack_print_ddb(const struct stack *st)
{
	print_ddb(*st, long_text);
}

void
stack_print_short_ddb(const struct stack *st)
{
	print_ddb(*st, short_text);
}

void
stack_sbuf_print(struct sbuf *sb, const struct stack *st)
{
	// As FreeBSD 13: a line that was begun ends, for an empty stack too.
	print_frames(*sb, *st, long_text, locked_names);
	sbuf_nl_terminate(sb);
}

void
stack_sbuf_print_ddb(struct sbuf *sb, const struct stack *st)
{
	print_frames(*sb, *st, long_text, ddb_names);
}

int
stack_sbuf_print_flags(struct sbuf *sb, const struct stack *st, int flags,
    enum stack_sbuf_fmt format)
{
	if (format != STACK_SBUF_FMT_LONG && format != STACK_SBUF_FMT_COMPACT)
		return EINVAL;
	const int error = print_frames(*sb, *st,
	    format == STACK_SBUF_FMT_LONG ? long_text : compact_text,
	    (flags & M_NOWAIT) ? nowait_names : locked_names);
	if (error == 0)
		sbuf_nl_terminate(sb);
	return error;
}

void
stack_ktr(unsigned int mask, const char *file, int line,
    const struct stack *st, unsigned int depth, int cheap)
{
	if (!ktr_wanted(mask))
		return;
	const uncancelled guard;
	if (cheap)
		ktr_cheap(mask, file, line, *st);
	else
		ktr_named(mask, file, line, *st, depth);
}

} // extern "C"
