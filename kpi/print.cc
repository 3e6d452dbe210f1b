// Prints the frames of a stack into an sbuf.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "print.h"

#include <algorithm>
#include <cerrno>

#include "core/seam/names.h"

namespace stack9 {

unsigned int
depth_of(const struct stack &st) noexcept
{
	return static_cast<unsigned int>(std::clamp(st.depth, 0, STACK_MAX));
}

int
print_frame(struct sbuf &sb, unsigned int i, vm_offset_t pc,
    const text_format &format, const name_rule &rule)
{
	symbol_name sym;
	const int error = find_name(pc, rule.nowait ? name_nowait : 0, sym);
	if (error == EAGAIN && rule.must_know)
		return EWOULDBLOCK;
	if (rule.cut < sizeof sym.name)
		sym.name[rule.cut] = '\0';
	void *const address = reinterpret_cast<void *>(pc);
	if (format.numbered)
		sbuf_printf(&sb, "#%u %p at ", i, address);
	if (error == 0)
		sbuf_printf(&sb, "%s+%#lx", sym.name,
		    static_cast<unsigned long>(sym.offset));
	else if (format.bare_pc)
		sbuf_printf(&sb, "%p", address);
	else
		sbuf_cat(&sb, "??+0");
	return 0;
}

int
print_frames(struct sbuf &sb, const struct stack &st,
    const text_format &format, const name_rule &rule)
{
	const unsigned int depth = depth_of(st);
	if (rule.nowait)
		learn_names({st.pcs, depth});
	for (unsigned int i = 0; i < depth; i++) {
		if (i > 0)
			sbuf_cat(&sb, format.between);
		if (print_frame(sb, i, st.pcs[i], format, rule) != 0)
			return EWOULDBLOCK;
		sbuf_cat(&sb, format.after);
	}
	sbuf_cat(&sb, format.end);
	return 0;
}

} // namespace stack9
