// Writes and reads the messages between a process and its reader.  A message
// from the reader may hold anything: nothing outside of its bytes is ever read.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace stack9::sandbox {

// So many parts of memory are asked for at once, of so many bytes each.
inline constexpr std::size_t parts_at_once = 64, part_max = 4096;

// The kinds of messages.
enum class kind : std::uint32_t {
	// To the reader, without an answer.
	file,		// a file that some process has mapped
	space,		// the mappings of a process, and what is gone
	copy,		// what is to be walked; the bytes of its pieces follow
	// To the reader; kind::answer comes back, perhaps after requests.
	walk, walks, written, tasks, rules, code_rules, describe, lines,
	demangle, run,
	answer,
	// From the reader while it works; kind::reply comes back.
	read_memory, read_parts, open_memory, open_elf, open_perf_map, fetch,
	reply,
};

class message {
public:
	kind	what = kind::answer;

	message &
	begin(kind k) noexcept
	{
		what = k;
		bytes_.clear();
		at_ = 0;
		whole_ = true;
		return *this;
	}

	// Writing may throw std::bad_alloc.
	template <class T>
	void
	put(const T &value)
	{
		static_assert(std::is_trivially_copyable_v<T>);
		put_bytes(&value, sizeof value);
	}
	void
	put_bytes(const void *from, std::size_t size)
	{
		const std::size_t before = bytes_.size();
		bytes_.resize(before + size);
		if (size != 0)
			std::memcpy(bytes_.data() + before, from, size);
	}
	void
	put_text(std::string_view text)
	{
		put(static_cast<std::uint32_t>(text.size()));
		put_bytes(text.data(), text.size());
	}

	// Reads past the end of the message give zeros and empty texts, and
	// whole() is false from then on.
	template <class T>
	T
	get() noexcept
	{
		T value{};
		const auto from = get_bytes(sizeof value);
		if (!from.empty())
			std::memcpy(&value, from.data(), sizeof value);
		return value;
	}
	// The first value, if nothing has been read yet.
	template <class T>
	T
	peek() const noexcept
	{
		T value{};
		if (bytes_.size() >= sizeof value)
			std::memcpy(&value, bytes_.data(), sizeof value);
		return value;
	}
	std::span<const std::byte>
	get_bytes(std::size_t size) noexcept
	{
		whole_ = whole_ && bytes_.size() - at_ >= size;
		if (!whole_)
			return {};
		at_ += size;
		return {bytes_.data() + at_ - size, size};
	}
	std::string_view
	get_text() noexcept
	{
		const auto text = get_bytes(get<std::uint32_t>());
		return {reinterpret_cast<const char *>(text.data()),
		    text.size()};
	}
	bool whole() const noexcept { return whole_; }

	// For the channel.
	std::vector<std::byte> &bytes() noexcept { return bytes_; }

private:
	std::vector<std::byte>	bytes_;
	std::size_t		at_ = 0;
	bool			whole_ = true;
};

} // namespace stack9::sandbox
