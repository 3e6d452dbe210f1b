// Reads the configuration from /proc/config.gz or, without that, from /boot.
// zlib reads the plain text in /boot as well.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kernel_limits.h"

#include <memory>
#include <set>

#include <sys/utsname.h>
#include <zlib.h>

namespace stack9::events {
namespace {

struct closer {
	void operator()(gzFile f) const noexcept { gzclose(f); }
};
using unique_gz = std::unique_ptr<std::remove_pointer_t<gzFile>, closer>;

unique_gz
open_config()
{
	unique_gz f(gzopen("/proc/config.gz", "re"));
	utsname u;
	if (f == nullptr && uname(&u) == 0)
		f.reset(gzopen((std::string("/boot/config-") +
		    u.release).c_str(), "re"));
	return f;
}

// The options that are set, to y, m, or a value; empty: they are not known.
std::set<std::string>
set_options()
{
	std::set<std::string> names;
	const unique_gz f = open_config();
	char line[1024];
	while (f != nullptr && gzgets(f.get(), line, sizeof line) != nullptr) {
		const std::string text(line);
		if (text.starts_with("CONFIG_"))
			names.insert(text.substr(0, text.find('=')));
	}
	return names;
}

} // namespace

std::string
first_not_configured(std::initializer_list<const char *> options)
{
	const std::set<std::string> names = set_options();
	if (!names.empty())
		for (const char *option : options)
			if (!names.contains(option))
				return option;
	return {};
}

configured
is_configured(const std::string &option)
{
	const std::set<std::string> names = set_options();
	return names.empty() ? configured::unknown : names.contains(option) ?
	    configured::yes : configured::no;
}

} // namespace stack9::events
