// Writes profile.proto, as the comments of that file define it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <protozero/pbf_builder.hpp>

#include "pprof_places.h"
#include "words.h"
#include "writers.h"

namespace profiles {
namespace {

using protozero::pbf_builder;

// These are the numbers of the fields.
enum class whole : protozero::pbf_tag_type {
	sample_type = 1, sample = 2, mapping = 3, location = 4, function = 5,
	string_table = 6, time_nanos = 9, duration_nanos = 10,
	period_type = 11, period = 12, comment = 13,
};
enum class value_type : protozero::pbf_tag_type { type = 1, unit = 2 };
enum class sample : protozero::pbf_tag_type {
	location_id = 1, value = 2, label = 3,
};
enum class tag : protozero::pbf_tag_type { key = 1, str = 2, num = 3 };
enum class map : protozero::pbf_tag_type {
	id = 1, memory_start = 2, memory_limit = 3, filename = 5, build_id = 6,
	has_functions = 7, has_filenames = 8, has_line_numbers = 9,
	has_inline_frames = 10,
};
enum class place : protozero::pbf_tag_type {
	id = 1, mapping_id = 2, address = 3, line = 4,
};
enum class line_of : protozero::pbf_tag_type { function_id = 1, line = 2 };
enum class function : protozero::pbf_tag_type {
	id = 1, name = 2, system_name = 3, filename = 4,
};

std::int64_t
as_signed(std::uint64_t value)
{
	return static_cast<std::int64_t>(value);
}

class writer {
public:
	explicit writer(const profile &p) : p_(p), places_(p) {}
	std::string text();

private:
	void put_type(whole where, const char *type, const std::string &unit);
	void put_types();
	void put_sample(const stack &);
	void put_labels(pbf_builder<sample> &, const stack &);
	void put_mappings();
	void put_locations();
	void put_functions();
	void put_rest();

	const profile	&p_;
	pprof_places	places_;
	pprof_strings	strings_;
	std::string	data_;
	pbf_builder<whole> out_{data_};
};

void
writer::put_type(whole where, const char *type, const std::string &unit)
{
	pbf_builder<value_type> t(out_, where);
	t.add_int64(value_type::type, strings_.number(type));
	t.add_int64(value_type::unit, strings_.number(unit));
}

// A sample has the events and, if that is something else, their weight.  The
// last value is the one that pprof shows unless another is asked for.
void
writer::put_types()
{
	put_type(whole::sample_type,
	    p_.unit == "samples" ? "samples" : "events", "count");
	if (p_.period_ns != 0)
		put_type(whole::sample_type, "time", "nanoseconds");
	else if (!counts_events(p_))
		put_type(whole::sample_type, "weight", p_.unit);
}

void
writer::put_labels(pbf_builder<sample> &out, const stack &s)
{
	if (!s.comm.empty()) {
		pbf_builder<tag> l(out, sample::label);
		l.add_int64(tag::key, strings_.number("comm"));
		l.add_int64(tag::str, strings_.number(s.comm));
	}
	if (s.pid != 0) {
		pbf_builder<tag> l(out, sample::label);
		l.add_int64(tag::key, strings_.number("pid"));
		l.add_int64(tag::num, s.pid);
	}
}

void
writer::put_sample(const stack &s)
{
	const auto &ids = places_.locations_of(s);
	std::vector<std::int64_t> values = {as_signed(s.events)};
	if (p_.period_ns != 0)
		values.push_back(as_signed(s.events * p_.period_ns));
	else if (!counts_events(p_))
		values.push_back(as_signed(s.weight));
	pbf_builder<sample> out(out_, whole::sample);
	out.add_packed_uint64(sample::location_id, ids.begin(), ids.end());
	out.add_packed_int64(sample::value, values.begin(), values.end());
	put_labels(out, s);
}

void
writer::put_mappings()
{
	std::uint64_t id = 0;
	for (const pprof_mapping &m : places_.mappings()) {
		pbf_builder<map> out(out_, whole::mapping);
		out.add_uint64(map::id, ++id);
		if (m.start < m.limit) {
			out.add_uint64(map::memory_start, m.start);
			out.add_uint64(map::memory_limit, m.limit);
		}
		out.add_int64(map::filename, strings_.number(m.file));
		out.add_int64(map::build_id, strings_.number(m.build_id));
		out.add_bool(map::has_functions, m.named);
		out.add_bool(map::has_filenames, m.files);
		out.add_bool(map::has_line_numbers, m.lines);
		out.add_bool(map::has_inline_frames, m.inlines);
	}
}

void
writer::put_locations()
{
	std::uint64_t id = 0;
	for (const pprof_location &l : places_.locations()) {
		pbf_builder<place> out(out_, whole::location);
		out.add_uint64(place::id, ++id);
		out.add_uint64(place::mapping_id, l.mapping);
		out.add_uint64(place::address, l.address);
		for (const pprof_line &one : l.lines) {
			pbf_builder<line_of> of(out, place::line);
			of.add_uint64(line_of::function_id, one.function);
			of.add_int64(line_of::line, one.line);
		}
	}
}

void
writer::put_functions()
{
	std::uint64_t id = 0;
	for (const pprof_function &f : places_.functions()) {
		pbf_builder<function> out(out_, whole::function);
		out.add_uint64(function::id, ++id);
		out.add_int64(function::name, strings_.number(f.name));
		out.add_int64(function::system_name,
		    strings_.number(f.linkage));
		out.add_int64(function::filename, strings_.number(f.file));
	}
}

void
writer::put_rest()
{
	out_.add_int64(whole::time_nanos, as_signed(p_.began_ns));
	out_.add_int64(whole::duration_nanos, as_signed(p_.took_ns));
	if (p_.period_ns != 0)
		put_type(whole::period_type, "time", "nanoseconds");
	else
		put_type(whole::period_type, "events", "count");
	out_.add_int64(whole::period,
	    p_.period_ns != 0 ? as_signed(p_.period_ns) : 1);
	for (const std::string &text : {"event: " + p_.event, p_.note})
		if (!text.empty())
			out_.add_int64(whole::comment, strings_.number(text));
	for (const std::string &text : strings_.all())	// after all others
		out_.add_string(whole::string_table, text);
}

std::string
writer::text()
{
	put_types();
	for (const stack &s : p_.stacks)
		put_sample(s);
	put_mappings();
	put_locations();
	put_functions();
	put_rest();
	return std::move(data_);
}

} // namespace

std::string
pprof(const profile &p)
{
	return writer(p).text();
}

} // namespace profiles
