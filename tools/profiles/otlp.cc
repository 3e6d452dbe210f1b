// Writes the dictionary, whose tables begin with an empty element, and a
// profile for each container.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <protozero/pbf_builder.hpp>

#include <unordered_map>

#include "measure.h"
#include "otlp_frame_type.h"
#include "otlp_fields.h"
#include "pprof_places.h"
#include "resources.h"
#include "text.h"
#include "tools/lib/version.h"
#include "words.h"
#include "writers.h"

namespace profiles {
namespace {

namespace field = otlp_field;
using protozero::pbf_builder;

std::int32_t
as_index(std::uint64_t number)
{
	return static_cast<std::int32_t>(number);
}

// Numbers the elements of one of the dictionary's tables, each once.  Number 0
// is the empty element.
class otlp_table {
public:
	std::int32_t
	number(std::string &&element)
	{
		const auto [at, is_new] = numbers_.try_emplace(
		    std::move(element), as_index(all_.size()));
		if (is_new)
			all_.push_back(at->first);
		return at->second;
	}
	void
	write(pbf_builder<field::dictionary> &out, field::dictionary where)
	    const
	{
		for (const std::string &each : all_)
			out.add_bytes(where, each);
	}

private:
	std::vector<std::string> all_ = {""};
	std::unordered_map<std::string, std::int32_t> numbers_ = {{"", 0}};
};

class otlp_writer {
public:
	explicit otlp_writer(const profile &p)
	    : p_(p), measure_(measure_of(p)), places_(p) {}
	std::string text();

private:
	std::int32_t	string(const std::string &s)
	{
		return as_index(static_cast<std::uint64_t>(
		    strings_.number(s)));
	}
	std::int32_t	attribute(const char *key, const std::string &text,
			    std::int64_t number = 0);
	std::int32_t	stack_of(const stack &);
	void	put_resource(const resource &);
	void	put_profile(pbf_builder<field::of_scope> &, const resource &);
	void	put_type(pbf_builder<field::profile> &, field::profile where);
	void	put_sample(pbf_builder<field::profile> &, const stack &);
	void	put_mappings(pbf_builder<field::dictionary> &);
	void	put_locations(pbf_builder<field::dictionary> &);
	void	put_functions(pbf_builder<field::dictionary> &);
	void	put_dictionary();

	const profile	&p_;
	const measure	 measure_;
	pprof_places	 places_;
	pprof_strings	 strings_;
	otlp_table	 attributes_, stacks_;
	std::string	 data_;
	pbf_builder<field::request> out_{data_};
};

// An attribute without a text is a number.
std::int32_t
otlp_writer::attribute(const char *key, const std::string &text,
    std::int64_t number)
{
	std::string element;
	pbf_builder<field::key_value_and_unit> kv(element);
	kv.add_int32(field::key_value_and_unit::key, string(key));
	{
		pbf_builder<field::any_value> any(kv,
		    field::key_value_and_unit::value);
		if (text.empty())
			any.add_int64(field::any_value::int_value, number);
		else
			any.add_string(field::any_value::string_value,
			    utf8(text));
	}
	return attributes_.number(std::move(element));
}

std::int32_t
otlp_writer::stack_of(const stack &s)
{
	const std::vector<std::uint64_t> &ids = places_.locations_of(s);
	std::string element;
	if (!ids.empty())
		pbf_builder<field::stack>(element).add_packed_int32(
		    field::stack::location_indices, ids.begin(), ids.end());
	return stacks_.number(std::move(element));
}

// Values come without timestamps, for servers refuse or drop those with.
void
otlp_writer::put_sample(pbf_builder<field::profile> &to, const stack &s)
{
	std::vector<std::int32_t> about;
	if (s.pid != 0)
		about.push_back(attribute("process.pid", "", s.pid));
	if (s.tid != 0)
		about.push_back(attribute("thread.id", "", s.tid));
	if (!s.comm.empty())
		about.push_back(attribute("thread.name", s.comm));
	const std::int32_t number = stack_of(s);
	const std::int64_t value[] = {
	    static_cast<std::int64_t>(measure_.value(s))};
	pbf_builder<field::sample> out(to, field::profile::samples);
	out.add_int32(field::sample::stack_index, number);
	out.add_packed_int32(field::sample::attribute_indices, about.begin(),
	    about.end());
	out.add_packed_int64(field::sample::values, value, value + 1);
}

void
otlp_writer::put_type(pbf_builder<field::profile> &to, field::profile where)
{
	const std::int32_t type = string(measure_.type);
	const std::int32_t unit = string(measure_.unit);
	pbf_builder<field::value_type> out(to, where);
	out.add_int32(field::value_type::type, type);
	out.add_int32(field::value_type::unit, unit);
}

void
otlp_writer::put_profile(pbf_builder<field::of_scope> &to, const resource &r)
{
	pbf_builder<field::profile> out(to, field::of_scope::profiles);
	put_type(out, field::profile::sample_type);
	for (const stack *s : r.stacks)
		put_sample(out, *s);
	out.add_fixed64(field::profile::time_unix_nano, p_.began_ns);
	out.add_uint64(field::profile::duration_nano, p_.took_ns);
	put_type(out, field::profile::period_type);
	out.add_int64(field::profile::period,
	    static_cast<std::int64_t>(measure_.period));
	if (!p_.id.empty())
		out.add_bytes(field::profile::profile_id, p_.id);
}

void
otlp_writer::put_resource(const resource &r)
{
	pbf_builder<field::of_resource> out(out_,
	    field::request::resource_profiles);
	{
		pbf_builder<field::resource> about(out,
		    field::of_resource::resource);
		const std::pair<const char *, std::string> all[] = {
		    {"service.name", r.service}, {"host.name", p_.host},
		    {"container.id", r.container}, {"linux.cgroup", r.cgroup},
		    {"os.type", "linux"}};
		for (const auto &[key, value] : all) {
			if (value.empty())
				continue;
			pbf_builder<field::key_value> kv(about,
			    field::resource::attributes);
			kv.add_string(field::key_value::key, key);
			pbf_builder<field::any_value> any(kv,
			    field::key_value::value);
			any.add_string(field::any_value::string_value,
			    utf8(value));
		}
	}
	pbf_builder<field::of_scope> scope(out,
	    field::of_resource::scope_profiles);
	{
		pbf_builder<field::scope> name(scope, field::of_scope::scope);
		name.add_string(field::scope::name, "stack9");
		name.add_string(field::scope::version,
		    tools::version_number());
	}
	put_profile(scope, r);
}

void
otlp_writer::put_mappings(pbf_builder<field::dictionary> &to)
{
	to.add_bytes(field::dictionary::mapping_table, "");
	for (const pprof_mapping &m : places_.mappings()) {
		std::vector<std::int32_t> about;
		if (!m.build_id.empty())
			about.push_back(attribute(
			    "process.executable.build_id.gnu", m.build_id));
		pbf_builder<field::mapping> out(to,
		    field::dictionary::mapping_table);
		if (m.start < m.limit) {
			out.add_uint64(field::mapping::memory_start, m.start);
			out.add_uint64(field::mapping::memory_limit, m.limit);
		}
		out.add_int32(field::mapping::filename, string(m.file));
		out.add_packed_int32(field::mapping::attribute_indices,
		    about.begin(), about.end());
	}
}

void
otlp_writer::put_locations(pbf_builder<field::dictionary> &to)
{
	to.add_bytes(field::dictionary::location_table, "");
	for (const pprof_location &l : places_.locations()) {
		std::vector<std::int32_t> about;
		if (l.kind != frame_kind::note && l.kind != frame_kind::process)
			about.push_back(attribute("profile.frame.type",
			    otlp_frame_type(l)));
		pbf_builder<field::location> out(to,
		    field::dictionary::location_table);
		out.add_int32(field::location::mapping_index,
		    as_index(l.mapping));
		out.add_uint64(field::location::address, l.address);
		for (const pprof_line &one : l.lines) {
			pbf_builder<field::line> of(out,
			    field::location::lines);
			of.add_int32(field::line::function_index,
			    as_index(one.function));
			of.add_int64(field::line::line, one.line);
		}
		out.add_packed_int32(field::location::attribute_indices,
		    about.begin(), about.end());
	}
}

void
otlp_writer::put_functions(pbf_builder<field::dictionary> &to)
{
	to.add_bytes(field::dictionary::function_table, "");
	for (const pprof_function &f : places_.functions()) {
		pbf_builder<field::function> out(to,
		    field::dictionary::function_table);
		out.add_int32(field::function::name, string(f.name));
		out.add_int32(field::function::system_name, string(f.linkage));
		out.add_int32(field::function::filename, string(f.file));
	}
}

// Strings and attributes come after all that has numbers of them.
void
otlp_writer::put_dictionary()
{
	pbf_builder<field::dictionary> out(out_, field::request::dictionary);
	put_mappings(out);
	put_locations(out);
	put_functions(out);
	out.add_bytes(field::dictionary::link_table, "");
	stacks_.write(out, field::dictionary::stack_table);
	attributes_.write(out, field::dictionary::attribute_table);
	for (const std::string &each : strings_.all())
		out.add_string(field::dictionary::string_table, each);
}

std::string
otlp_writer::text()
{
	for (const resource &r : resources_of(p_))
		put_resource(r);
	put_dictionary();
	return std::move(data_);
}

} // namespace

std::string
otlp(const profile &p)
{
	return otlp_writer(p).text();
}

} // namespace profiles
