// Goes outwards from the innermost function, as long as the functions are of
// these modules.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "calling.h"

namespace stack9::languages::python {

calling::calling(memory &m, const layout &l, types &t,
    const std::vector<std::uint64_t> &frames, const written_stack &in)
    : m_(m), l_(l), types_(t), frames_(frames), in_(in),
      first_(in.frames.size() - frames.size())
{
}

std::string_view
calling::whole_name_of(std::size_t i) const
{
	return in_.text_of(in_.frames[first_ + i].name);
}

std::string_view
calling::function_of(std::size_t i) const
{
	const std::string_view name = whole_name_of(i);
	return name.substr(name.rfind('.') + 1);
}

// "": it is another one, or the function calls one that a program wrote.
std::string_view
calling::module_of(std::size_t i) const
{
	struct row {
		std::string_view file, module;
	};
	static constexpr row table[] = {
		{"/threading.py", "threading"}, {"/queue.py", "queue"},
		{"/concurrent/futures/_base.py", "concurrent.futures"},
	};
	if (i >= frames_.size() || function_of(i) == "run" ||
	    function_of(i).starts_with("_bootstrap"))
		return {};
	const std::string_view file = in_.text_of(in_.frames[first_ + i].file);
	for (const row &r : table)
		if (file.ends_with(r.file))
			return r.module;
	return {};
}

// It is the first variable.
std::uint64_t
calling::self_of(std::size_t i) const
{
	std::uint64_t self;
	return m_.word(frames_[i] + l_.first_local, self) ?
	    self & ~std::uint64_t{3} : 0;
}

bool
calling::waits_for_notice() const
{
	return module_of(0) == "threading" && function_of(0) == "wait";
}

bool
calling::waits_for_thread() const
{
	return module_of(0) == "threading" &&
	    function_of(0) == "_wait_for_tstate_lock";
}

// Up to 3.10 no code object has the name of its class.
std::string
calling::of(std::string_view type, bool is_condition)
{
	std::size_t n = 0;
	while (!module_of(n).empty())
		n++;
	std::string text(type);
	if (n == 0 || (n == 1 && is_condition && type.ends_with("Condition")))
		return text;
	text.append(" in ").append(module_of(n - 1)).append(".");
	if (l_.minor <= 10 && !function_of(n - 1).starts_with("_shut"))
		if (const std::string &of = types_.of(self_of(n - 1));
		    !of.empty())
			text.append(of).append(".");
	return text.append(whole_name_of(n - 1));
}

} // namespace stack9::languages::python
