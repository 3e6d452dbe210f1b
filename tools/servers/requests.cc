// Writes the bodies: protocol buffers for OTLP, JSON around pprof for the
// others.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "requests.h"

#include <array>
#include <random>

#include <fmt/format.h>
#include <protozero/pbf_message.hpp>

#include "base64.h"
#include "http.h"
#include "tools/lib/json.h"
#include "tools/lib/text.h"
#include "tools/profiles/measure.h"
#include "tools/profiles/resources.h"
#include "tools/profiles/writers.h"

namespace servers {
namespace {

using label = std::pair<std::string, std::string>;

// The servers know a few names, and show any other.
std::string
metric_of(const profiles::profile &p)
{
	const std::string type = profiles::measure_of(p).type;
	return type == "cpu" ? "process_cpu" : type;
}

std::string
labels_json(const std::vector<label> &all)
{
	std::string text;
	for (const auto &[name, value] : all)
		if (!value.empty())
			text += fmt::format("{}{{{},{}}}",
			    text.empty() ? "" : ",",
			    tools::json_member("name", name),
			    tools::json_member("value",
			    tools::utf8(value)));
	return "[" + text + "]";
}

// UUID, version 4.
std::string
uuid()
{
	std::string id = fresh_id();
	id[6] = static_cast<char>((id[6] & 0x0f) | 0x40);
	id[8] = static_cast<char>((id[8] & 0x3f) | 0x80);
	std::string text;
	for (std::size_t i = 0; i < id.size(); i++)
		text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 ||
		    i == 10 ? "-" : "", static_cast<unsigned char>(id[i]));
	return text;
}

// Pyroscope's push.v1.PusherService/Push and Parca's WriteRaw differ in a few
// words.
std::string
series_json(const address &to, const profiles::profile &whole)
{
	std::string text;
	profiles::profile one = whole;
	for (const profiles::resource &r : profiles::resources_of(whole)) {
		one.stacks.clear();
		for (const profiles::stack *s : r.stacks)
			one.stacks.push_back(*s);
		const std::string labels = labels_json({
		    {"__name__", metric_of(whole)},
		    {"service_name", r.service}, {"hostname", whole.host},
		    {"container_id", r.container}, {"cgroup", r.cgroup}});
		const std::string profile = base64(compressed(
		    profiles::pprof(one)));
		text += text.empty() ? "" : ",";
		if (to.kind == service::pyroscope)
			text += fmt::format("{{\"labels\":{},\"samples\":"
			    "[{{\"ID\":\"{}\",\"rawProfile\":\"{}\"}}]}}",
			    labels, uuid(), profile);
		else
			text += fmt::format("{{\"labels\":{{\"labels\":{}}},"
			    "\"samples\":[{{\"rawProfile\":\"{}\"}}]}}",
			    labels, profile);
	}
	// The addresses are those of the ELF files.
	return "{\"series\":[" + text + (to.kind == service::parca ?
	    "],\"normalized\":true}" : "]}");
}

} // namespace

request
request_of(const address &to, const profiles::profile &p)
{
	const std::string base = to.path.empty() ? "" : "/" + to.path;
	if (to.kind == service::otlp)
		return {base + "/v1development/profiles",
		    {"Content-Type: application/x-protobuf",
		    "Content-Encoding: gzip"}, compressed(profiles::otlp(p))};
	return {base + (to.kind == service::parca ? "/api/profiles/writeraw" :
	    "/push.v1.PusherService/Push"),
	    {"Content-Type: application/json"}, series_json(to, p)};
}

// ExportProfilesServiceResponse has partial_success 1, and that has
// rejected_profiles 1 and error_message 2.  protozero believes that a field has
// the type that it is read as, and a server may send any.
std::string
rejection_in(const address &to, const answer &a)
try {
	using protozero::pbf_wire_type;
	if (to.kind != service::otlp || a.body.empty() || a.body[0] == '{')
		return {};
	std::string text;
	std::uint64_t rejected = 0;
	protozero::pbf_reader whole(a.body);
	while (whole.next(1, pbf_wire_type::length_delimited)) {
		protozero::pbf_reader part = whole.get_message();
		while (part.next())
			if (part.tag() == 1 &&
			    part.has_wire_type(pbf_wire_type::varint))
				rejected = part.get_uint64();
			else if (part.tag() == 2 && part.has_wire_type(
			    pbf_wire_type::length_delimited))
				text = part.get_string();
			else
				part.skip();
	}
	if (rejected > INT64_MAX)	// it is signed there
		rejected = 0;
	if (rejected == 0 && text.empty())
		return {};
	return fmt::format("the server rejected {}: {}",
	    tools::amount(rejected, "profile"),
	    tools::printable(text));
} catch (const protozero::exception &) {
	return {};
}

std::string
fresh_id()
{
	std::random_device random;
	std::string id;
	for (int i = 0; i < 4; i++) {
		const std::uint32_t word = random();
		for (unsigned int byte = 0; byte < 4; byte++)
			id += static_cast<char>(word >> 8 * byte);
	}
	return id;
}

} // namespace servers
