// Loads the programs of a watch and attaches them to its probes, in the way
// that suits these probes best.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/seam/watch.h"

#include "attach.h"
#include "programs.h"
#include "settings.h"

namespace stack9::events {

class loader {
public:
	// Opens the ends of the maps of programs that are loaded and not yet
	// attached: records come as soon as they are.
	class opener {
	public:
		virtual int open(programs &, const settings &) = 0;

	protected:
		~opener() = default;
	};

	explicit loader(std::vector<probe> &&probes)
	    : probes_(std::move(probes)) {}

	// Makes the settings.  0; or an errno, and why.
	int configure(const watch_filter &, const watch_sink &,
	    std::string &why);
	// Loads all that many events would need, though they are few.
	void take_many(const watch_sink &k) { stack9::events::take_many(k,
	    set_); }
	// Loads and attaches by them.  The opener is called for each trial.
	int load(opener &, std::string &why);
	// A map that programs of others share with ours.  0; ENOENT;
	// EOPNOTSUPP: the watch lends none.
	int border(std::string_view name, int &fd) const noexcept;
	// Detaches, unless stacks that are not read yet begin in a trampoline,
	// whose name is lost if its program is detached.
	void detach() noexcept;

	const settings &set() const noexcept { return set_; }
	programs &loaded() noexcept { return programs_; }
	const std::vector<probe> &probes() const noexcept { return probes_; }
	// True if stacks begin with a pc at every probe.
	bool are_exact() const noexcept;
	// True if an event says which probe it is of.
	bool knows_probes() const noexcept;

private:
	bool	wants_call_event() const noexcept;
	bool	prepare_alone();
	bool	prepare_undisturbed();
	int	try_load(manner, opener &, std::string &why);

	std::vector<probe>	probes_;
	settings		set_;
	programs		programs_;
	attachments		attached_;
};

} // namespace stack9::events
