// Unpacks the ELF file that is inside an ELF file, compressed by xz.
//
// Rejected: libdwfl, because it unpacks whatever there is, without a bound.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "mini_symbols.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>

#include <lzma.h>
#include <sys/mman.h>
#include <unistd.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"

#include "elf_notes.h"

namespace stack9 {
namespace {

constexpr std::size_t piece = 1 << 16;

class unpacker {
public:
	unpacker() = default;
	unpacker(const unpacker &) = delete;
	~unpacker() { lzma_end(&stream_); }

	// The functions in order: begins; writes all to a file.  False: it is
	// damaged, or there is no room for it.  beyond: it is too large.
	bool
	begin(std::string_view packed)
	{
		stream_.next_in =
		    reinterpret_cast<const std::uint8_t *>(packed.data());
		stream_.avail_in = packed.size();
		return ask(lzma_stream_decoder(&stream_,
		    budgets::of(budgets::mini_dictionary), 0)) == LZMA_OK;
	}
	bool
	write_to(int fd, std::uint64_t most, bool &beyond)
	{
		const auto room =
		    std::make_unique_for_overwrite<std::uint8_t[]>(piece);
		lzma_ret got = LZMA_OK;
		for (std::uint64_t all = 0; got == LZMA_OK;) {
			stream_.next_out = room.get();
			stream_.avail_out = piece;
			got = ask(lzma_code(&stream_, LZMA_FINISH));
			const std::size_t n = piece - stream_.avail_out;
			all += n;
			beyond = all > most || got == LZMA_MEMLIMIT_ERROR;
			if (beyond || write(fd, room.get(), n) !=
			    static_cast<ssize_t>(n))
				return false;
		}
		return got == LZMA_STREAM_END;
	}

private:
	static lzma_ret
	ask(lzma_ret got)
	{
		if (got == LZMA_MEM_ERROR)
			throw std::bad_alloc();
		return got;
	}

	lzma_stream	stream_ = LZMA_STREAM_INIT;
};

// As much as a compressed section may become.
std::uint64_t
most_of(std::size_t packed) noexcept
{
	return std::min(budgets::of(budgets::mini_symbols),
	    std::max<std::uint64_t>(budgets::of(budgets::hole),
	    packed * budgets::of(budgets::unpacked_share)));
}

} // namespace

opened_elf
open_mini_symbols(int fd, Elf *elf)
{
	opened_elf f;
	if (elf == nullptr)
		return f;
	const std::string_view packed = section_of_name(fd, elf,
	    ".gnu_debugdata", budgets::mini_symbols);
	unpacker u;
	if (packed.empty() || !u.begin(packed))
		return f;
	bool beyond = false;
	f.fd = unique_fd(memfd_create("stack9", MFD_CLOEXEC));
	if (f.fd && u.write_to(f.fd.get(), most_of(packed.size()), beyond))
		f.elf = open_elf(f.fd.get());
	if (beyond)
		leave_out(budgets::left_out::symbol_tables);
	return f;
}

} // namespace stack9
