// Takes the files and the mappings of processes that the other side sends.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "known_spaces.h"

#include <algorithm>
#include <string>
#include <utility>

#include "budgets/left_out.h"
#include "process/files.h"
#include "process/memory_image.h"

#include "mapping_message.h"
#include "requests.h"

namespace stack9::sandbox {

using process::mapping;

// An image comes with its bytes, any other file with its descriptor.
void
known_spaces::take_file(message &in, unique_fd fd)
{
	const auto number = in.get<std::uint32_t>();
	const std::string path(in.get_text());
	const auto opened = in.get<process::file_state>();
	const auto image = in.get_bytes(in.get<std::uint32_t>());
	auto &to = files_[number];
	if (!image.empty())
		to = process::file_of({image.begin(), image.end()}, path);
	else if (fd)
		to = process::file_of(std::move(fd), path, opened);
	else
		leave_out(budgets::left_out::descriptors);
}

void
known_spaces::take_space(message &in)
{
	for (auto n = in.get<std::uint32_t>(); n > 0; n--)
		spaces_.erase(in.get<std::uint64_t>());
	for (auto n = in.get<std::uint32_t>(); n > 0; n--)
		files_.erase(in.get<std::uint32_t>());
	const auto number = in.get<std::uint64_t>();
	auto made = std::make_unique<stack9_space>(in.get<stack9_thread>());
	std::vector<mapping> all;
	for (auto n = in.get<std::uint32_t>(); n > 0; n--) {
		std::uint32_t file;
		all.push_back(take_mapping(in, file));
		if (const auto at = files_.find(file); at != files_.end())
			all.back().backing = at->second;
	}
	if (std::any_of(all.begin(), all.end(), process::lacks_image))
		incomplete_.insert(number);
	made->take_snapshot(std::move(all));
	spaces_[number] = std::move(made);
}

// Memory can be asked for only while a stack of the process is walked.
stack9_space &
known_spaces::complete(std::uint64_t number, stack9_space &space,
    requests &by)
{
	if (incomplete_.erase(number) != 0)
		process::make_images(space, [&](auto... what) {
			return by.read_memory(what...);
		});
	return space;
}

} // namespace stack9::sandbox
