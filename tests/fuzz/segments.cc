// Reads any bytes as a file of stackrecord, and as its messages in records
// whose checksums are right, with stacks whose names are right, so that the
// code after these checks is reached.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tools/profiles/formats.h"
#include "tools/record/identity.h"
#include "tools/record/messages.h"
#include "tools/record/reader.h"
#include "tools/servers/clickhouse.h"
#include "tools/servers/json_rows.h"
#include "tools/servers/segment_values.h"
#include "tools/stackreport/episodes.h"
#include "tools/stackreport/heat.h"
#include "tools/stackreport/listing.h"
#include "tools/stackreport/sums.h"

#include "fuzz.h"

namespace {

using recording::record_type;

stackreport::options
everything()
{
	stackreport::options o;
	o.states = "DSR";
	o.stack = "a.*b|^f";
	return o;
}

stackreport::options
an_event()
{
	stackreport::options o;
	o.event = "e";
	return o;
}

// Asks all questions of one reading, and everything that a segment promises.
class asking final : public recording::visitor {
public:
	bool
	begin(const recording::segment_info &info) override
	{
		return sums_.begin(info) && history_.begin(info) &&
		    stuck_.begin(info) && listing_.begin(info) &&
		    events_.begin(info) && heat_.begin(info);
	}
	bool
	at(const recording::segment &s, const recording::tick &t) override
	{
		sums_.at(s, t);
		events_.at(s, t);
		heat_.at(s, t);
		history_.at(s, t);
		stuck_.at(s, t);
		listing_.at(s, t);
		return true;
	}
	void
	end(const recording::segment &s, bool complete) override
	{
		sums_.end(s, complete);
		events_.end(s, complete);
		stuck_.end(s, complete);
		listing_.end(s, complete);
		look(s);
	}
	std::size_t
	answer()
	{
		const profiles::profile &p = sums_.finish();
		events_.finish(2);
		return profiles::formatted("folded", p).size() +
		    history_.text().size() + stuck_.text().size() +
		    listing_.text().size() + heat_.text().size();
	}

private:
	static void	look(const recording::segment &);

	const stackreport::options opt_{}, some_ = everything(),
	    of_event_ = an_event();
	stackreport::sums	sums_{opt_, {}};
	stackreport::sums	events_{of_event_, {}};
	stackreport::heat	heat_{opt_};
	stackreport::history	history_{some_};
	stackreport::stuck	stuck_{some_};
	stackreport::listing	listing_{opt_};
};

void
asking::look(const recording::segment &s)
{
	for (std::uint32_t n = 0; n <= s.threads().size() + 1; n++) {
		const recording::thread_state *const now = s.state_of(n);
		if (now == nullptr)
			continue;
		if (now->kernel > s.stacks().size() ||
		    now->user > s.stacks().size())
			fail("a stack that is not there");
		s.base_of(s.thread_of(n).process, 1);
	}
	for (const recording::stack &each : s.stacks())
		for (const std::uint32_t f : each.frames)
			s.module_of(s.frame_of(f).module);
}

// Makes of each batch what is sent to servers, and rows.
class sending final : public servers::batches {
protected:
	bool
	take(const recording::segment &s, const servers::batch &b, bool)
	    override
	{
		for (const servers::run &r : b.runs)
			if (r.event == 0 && r.weight == 0)
				fail("a sample that weighs nothing");
		if (database_.requests_of(s, b).empty())
			fail("a batch without a request");
		database_.taken();
		request_of(collector_, profile_of(s, b));
		return true;
	}

private:
	const servers::address	collector_{};
	servers::clickhouse	database_{servers::address()};
};

// Hands one reading to all that ask: reading takes longer than most answers.
class together final : public recording::visitor {
public:
	explicit together(std::initializer_list<recording::visitor *> all)
	{
		for (recording::visitor *const each : all)
			all_.push_back({each, false});
	}
	bool
	begin(const recording::segment_info &info) override
	{
		for (one &each : all_)
			each.wants = each.who->begin(info);
		return wanted();
	}
	bool
	at(const recording::segment &s, const recording::tick &t) override
	{
		for (one &each : all_)
			if (each.wants && !each.who->at(s, t)) {
				each.who->end(s, true);
				each.wants = false;
			}
		return wanted();
	}
	void
	end(const recording::segment &s, bool complete) override
	{
		for (one &each : all_)
			if (each.wants)
				each.who->end(s, complete);
	}

private:
	struct one {
		recording::visitor	*who;
		bool			 wants;
	};

	bool
	wanted() const
	{
		return std::any_of(all_.begin(), all_.end(),
		    [](const one &each) { return each.wants; });
	}

	std::vector<one> all_;
};

std::FILE *
nowhere()
{
	static std::FILE *const to = std::fopen("/dev/null", "we");
	return to;
}

// Names stacks as their writer does.
class naming {
public:
	void	give(std::string &payload);

private:
	std::vector<recording::module>	 modules_;
	std::vector<recording::identity> frames_;
};

void
naming::give(std::string &payload)
{
	recording::tick t;
	if (!decode(payload, t).empty())
		return;
	modules_.insert(modules_.end(), t.modules.begin(), t.modules.end());
	for (const recording::frame &f : t.frames)
		frames_.push_back(recording::identity_of(f, f.module == 0 ||
		    f.module > modules_.size() ? nullptr :
		    &modules_[f.module - 1]));
	for (recording::stack &s : t.stacks)
		if (std::all_of(s.frames.begin(), s.frames.end(),
		    [&](std::uint32_t f) {
			return f != 0 && f <= frames_.size();
		    }))
			s.id = recording::identity_of(s, frames_);
	payload = encode(t);
}

// Each record is a byte, its type, two of its length, and its payload.
std::string
file_with_checksums(const std::uint8_t *data, std::size_t size)
{
	std::string bytes;
	naming names;
	while (size >= 3) {
		const auto type = static_cast<record_type>(data[0] % 4);
		const std::size_t length = std::min<std::size_t>(
		    data[1] | data[2] << 8, size - 3);
		std::string payload(reinterpret_cast<const char *>(data + 3),
		    length);
		if (type == record_type::segment)
			names = {};
		if (type == record_type::tick)
			names.give(payload);
		put_record(bytes, type, payload);
		data += 3 + length;
		size -= 3 + length;
	}
	return bytes;
}

void
read(const std::uint8_t *data, std::size_t size)
{
	const int fd = file_of(data, size);
	const std::string path = fmt::format("/proc/self/fd/{}", fd);
	asking questions;
	sending to_servers;
	servers::json_rows samples(false, {}, nowhere()),
	    stacks(true, {}, nowhere());
	together all{&questions, &to_servers, &samples, &stacks};
	recording::reading r;
	recording::segment_info info;
	const int error = recording::read_file(path, all, r);
	recording::read_info(path, info);
	close(fd);
	if (error != 0)
		fail("a file that cannot be read");
	if (r.bytes > size)
		fail("more than the file has");
	questions.answer();
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	if (size < 1)
		return 0;
	if (data[0] % 2 == 0) {
		read(data + 1, size - 1);
		return 0;
	}
	const std::string bytes = file_with_checksums(data + 1, size - 1);
	read(reinterpret_cast<const std::uint8_t *>(bytes.data()),
	    bytes.size());
	return 0;
}
