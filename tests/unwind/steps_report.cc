// Puts what was seen into words.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "steps.h"

#include <algorithm>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace steps {

namespace {

constexpr const char *names[verdict_count]{
	"exact", "landing", "target", "misled", "unknown", "short", "wrong",
};

} // namespace

std::string
symbol_of(address pc)
{
	Dl_info i{};
	dladdr(reinterpret_cast<void *>(pc), &i);
	if (i.dli_fname == nullptr)
		return "?";
	const std::string_view file(i.dli_fname);
	const auto base = file.substr(file.rfind('/') + 1);
	if (i.dli_sname == nullptr)
		return fmt::format("{}+{:#x}", base,
		    pc - reinterpret_cast<address>(i.dli_fbase));
	return fmt::format("{}+{:#x} {}", i.dli_sname,
	    pc - reinterpret_cast<address>(i.dli_saddr), base);
}

std::string
text_of(const difference &d)
{
	std::string text = fmt::format("{} at instruction {}: {:02x}\n",
	    names[static_cast<std::size_t>(d.how)], d.when,
	    fmt::join(d.bytes, " "));
	const std::uint32_t depth = std::max(d.ours.depth, d.truth.depth);
	const auto frame = [](const frames &f, std::uint32_t i) {
		return i < f.depth ? f.pcs[i] : 0;
	};
	for (std::uint32_t i = 0; i < depth; i++) {
		const address ours = frame(d.ours, i);
		const address truth = frame(d.truth, i);
		text += fmt::format("{:3} {:#x} {}\n", i, truth,
		    symbol_of(truth));
		if (ours == truth)
			continue;
		text += fmt::format(" !! {:#x} {}\n", ours, symbol_of(ours));
	}
	return text;
}

} // namespace steps
