// Declares the process of a core file.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "core/seam/kept_process.h"
#include "os/unique_fd.h"

#include "contents.h"

namespace stack9::cores {

class core_process final : public kept_process {
public:
	core_process(unique_fd fd, contents &&c) noexcept
	    : fd_(std::move(fd)), has_(std::move(c)) {}

	// Reads the core, and the mapped file where the core left it out.
	ssize_t read(std::uintptr_t from, void *to, std::size_t size)
	    noexcept override;
	bool call_of(pid_t tid, std::int64_t &number,
	    std::uint64_t (&args)[6]) const noexcept override;
	const char *
	comm() const noexcept override
	{
		return has_.about.name;
	}
	stack9_space &space() noexcept override { return *space_; }
	void each_line(const line_fn &) const override;

	// Reads the core alone, all bytes or none.
	bool read_kept(std::uint64_t from, void *to, std::size_t size)
	    noexcept;
	const contents &has() const noexcept { return has_; }

	// To be called once, before others have this.
	void use(stack9_space &s) noexcept { space_ = &s; }
	// The same.
	void take_files(contents &&c) { has_ = std::move(c); }

private:
	ssize_t read_core(std::uintptr_t from, void *to, std::size_t size)
	    noexcept;

	const unique_fd		fd_;
	contents		has_;
	stack9_space		*space_ = nullptr;	// it has this
};

} // namespace stack9::cores
