// Makes one snapshot of the mappings of a process, for the space that has the
// earlier snapshots.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <set>
#include <tuple>

#include "os/process_memory.h"
#include "os/unique_fd.h"
#include "find_maps.h"
#include "maps.h"
#include "seen_files.h"
#include "snapshots.h"

namespace stack9::process {

class snapshot_maker {
public:
	// The caller holds the space's lock.
	explicit snapshot_maker(snapshots &s) noexcept : kept_(s), from_(s) {}

	// Does what stack9_space::take_snapshot() does.  If it throws
	// std::bad_alloc, the space stays as it was.
	int run();
	// Does the same by a given text.
	void take_text(std::string_view);
	// Does the same by mappings in the order of their addresses, with their
	// files.
	void take_mappings(std::vector<mapping>);
	// Takes one whose addresses follow all that there are.
	void take_further(mapping);

private:
	using key = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;

	void add_line(const maps_line &);
	const mapping *known(const maps_line &);
	const mapping &add(const maps_line &);
	void read_text(std::string_view text);
	void open_files();
	void make_images();
	void find_moved_texts();
	void open_again();
	std::shared_ptr<file> open(const mapping &);
	bool has_moved(mapping &, const mapping &neighbour, process_memory &);
	bool has_changed() const noexcept;
	void keep_gone();

	snapshots			&kept_;
	maps_finder			from_;
	const spots			*before_ = nullptr;
	std::size_t			at_ = 0;	// in before_
	std::unique_ptr<spots>		next_;
	std::size_t			first_new_ = 0;	// in seen_
	std::map<key, std::shared_ptr<file>> files_;
	std::set<key>			refused_;	// of these
	seen_files			seen_files_;
};

} // namespace stack9::process
