// Declares the process of a core file.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "core/seam/kept_process.h"
#include "bytes.h"

namespace stack9::cores {

class core_process final : public kept_process {
public:
	core_process(std::unique_ptr<core_bytes> bytes, contents &&c) noexcept
	    : bytes_(std::move(bytes)), has_(std::move(c)) {}

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
	void
	each_pointer(const pointer_fn &fn) const override
	{
		for (const thread &t : has_.threads)
			fn(t.tid, t.pointer);
	}

	// As read(), for somebody who may not need them all.
	ssize_t peek(std::uintptr_t from, void *to, std::size_t size)
	    noexcept;
	// Reads the core alone, all bytes or none.
	bool read_kept(std::uint64_t from, void *to, std::size_t size)
	    noexcept;
	const contents &has() const noexcept { return has_; }

	// To be called once, before others have this.
	void use(stack9_space &s) noexcept { space_ = &s; }
	// The same.
	void take_files(contents &&c) { has_ = std::move(c); }

private:
	using read_fn = ssize_t (core_bytes::*)(const contents &,
	    std::uint64_t, void *, std::size_t) noexcept;
	ssize_t read_by(read_fn, std::uintptr_t from, void *to,
	    std::size_t size, bool notes) noexcept;
	std::size_t read_file(std::uintptr_t from, void *to, std::size_t size)
	    noexcept;

	const std::unique_ptr<core_bytes> bytes_;
	contents		has_;
	stack9_space		*space_ = nullptr;	// it has this
};

} // namespace stack9::cores
