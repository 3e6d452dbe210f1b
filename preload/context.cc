// Answers the questions that a function given to _Unwind_Backtrace() asks about
// its context.  Questions about contexts of other unwinders (those of
// exceptions) are passed on as they are.
//
// The program counter, the stack pointer and the function are known here.  Any
// other question is for libgcc: it walks once more, to the same frame, and the
// question is put to its context.  That takes libgcc's time and is right.
// Rejected: building a context in libgcc's own layout.  It is private and has
// changed from one release to the next.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "context.h"

#include "libgcc.h"

namespace stack9::preload {

constinit const char context::mark = 0;

void
context::find() noexcept
{
	unwind::stepped_frame f{};
	while (walked_ <= number_ && walk_.take(&f, 1) == 1)
		walked_++;
	found_ = walked_ == number_ + 1 && f.pc == at_.pc;
	if (found_)
		at_ = f;
}

namespace {

template <class Answer>
struct question {
	std::uintptr_t	first_sp;
	std::uint32_t	left;	// frames between, once the first is found
	bool		begun;
	Answer		(*ask)(_Unwind_Context *, int);
	int		detail;
	Answer		answer{};
};

template <class Answer>
_Unwind_Reason_Code
ask_if_there(_Unwind_Context *c, void *arg)
{
	auto &q = *static_cast<question<Answer> *>(arg);
	if (!q.begun && next_get_cfa.get()(c) != q.first_sp)
		return _URC_NO_REASON;
	q.begun = true;
	if (q.left-- != 0)
		return _URC_NO_REASON;
	q.answer = q.ask(c, q.detail);
	return _URC_NORMAL_STOP;
}

// libgcc's walk begins in this library.  0 if it does not find the frame.
template <class Answer>
Answer
ask_libgcc(const context &c, Answer (*ask)(_Unwind_Context *, int),
    int detail = 0)
{
	question<Answer> q{c.first_sp(), c.number(), false, ask, detail};
	next_backtrace.get()(ask_if_there<Answer>, &q);
	return q.answer;
}

} // namespace
} // namespace stack9::preload

using namespace stack9::preload;

extern "C" {

_Unwind_Ptr
_Unwind_GetIP(_Unwind_Context *c)
{
	const context *const ours = context::of(c);
	return ours != nullptr ? ours->pc() : next_get_ip.get()(c);
}

_Unwind_Ptr
_Unwind_GetIPInfo(_Unwind_Context *c, int *before)
{
	context *const ours = context::of(c);
	if (ours == nullptr)
		return next_get_ip_info.get()(c, before);
	*before = ours->exact();
	return ours->pc();
}

_Unwind_Word
_Unwind_GetCFA(_Unwind_Context *c)
{
	context *const ours = context::of(c);
	if (ours == nullptr)
		return next_get_cfa.get()(c);
	return ours->sp() != 0 ? ours->sp() :
	    ask_libgcc<_Unwind_Word>(*ours, [](_Unwind_Context *it, int) {
		return next_get_cfa.get()(it);
	    });
}

_Unwind_Ptr
_Unwind_GetRegionStart(_Unwind_Context *c)
{
	context *const ours = context::of(c);
	if (ours == nullptr)
		return next_get_region_start.get()(c);
	return reinterpret_cast<_Unwind_Ptr>(_Unwind_FindEnclosingFunction(
	    reinterpret_cast<void *>(ours->pc() + ours->exact())));
}

_Unwind_Word
_Unwind_GetGR(_Unwind_Context *c, int number)
{
	context *const ours = context::of(c);
	return ours == nullptr ? next_get_gr.get()(c, number) :
	    ask_libgcc<_Unwind_Word>(*ours, [](_Unwind_Context *it, int n) {
		return next_get_gr.get()(it, n);
	    }, number);
}

void *
_Unwind_GetLanguageSpecificData(_Unwind_Context *c)
{
	context *const ours = context::of(c);
	return ours == nullptr ? next_get_lsda.get()(c) :
	    ask_libgcc<void *>(*ours, [](_Unwind_Context *it, int) {
		return next_get_lsda.get()(it);
	    });
}

_Unwind_Ptr
_Unwind_GetTextRelBase(_Unwind_Context *c)
{
	context *const ours = context::of(c);
	return ours == nullptr ? next_get_text_base.get()(c) :
	    ask_libgcc<_Unwind_Ptr>(*ours, [](_Unwind_Context *it, int) {
		return next_get_text_base.get()(it);
	    });
}

_Unwind_Ptr
_Unwind_GetDataRelBase(_Unwind_Context *c)
{
	context *const ours = context::of(c);
	return ours == nullptr ? next_get_data_base.get()(c) :
	    ask_libgcc<_Unwind_Ptr>(*ours, [](_Unwind_Context *it, int) {
		return next_get_data_base.get()(it);
	    });
}

// These two are for personality routines.  A capture has nothing to resume.
void
_Unwind_SetGR(_Unwind_Context *c, int number, _Unwind_Word value)
{
	if (context::of(c) == nullptr)
		next_set_gr.get()(c, number, value);
}

void
_Unwind_SetIP(_Unwind_Context *c, _Unwind_Ptr value)
{
	if (context::of(c) == nullptr)
		next_set_ip.get()(c, value);
}

} // extern "C"
