// Knows the schemes and the usual ports.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "address.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace servers {
namespace {

const struct scheme {
	std::string_view name;
	service		kind;
	const char	*port;
} schemes[] = {
	{"otlp", service::otlp, "4318"},
	{"pyroscope", service::pyroscope, "4040"},
	{"parca", service::parca, "7070"},
	{"clickhouse", service::clickhouse, "8123"},
};

const scheme *
find_scheme(std::string_view name)
{
	const auto *at = std::find_if(std::begin(schemes), std::end(schemes),
	    [&](const scheme &s) { return s.name == name; });
	return at == std::end(schemes) ? nullptr : at;
}

bool
has_port(std::string_view host)
{
	const auto colon = host.rfind(':');
	return colon != host.npos && (host[0] != '[' ||
	    host.rfind(']') < colon);
}

bool
is_host(std::string_view host)
{
	return !host.empty() && host[0] != ':' && host.find_first_not_of(
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "0123456789.-_:[]") == host.npos;
}

} // namespace

std::string
address::server() const
{
	return (tls ? "https://" : "http://") + host;
}

std::string
address::text() const
{
	const auto *s = std::find_if(std::begin(schemes), std::end(schemes),
	    [&](const scheme &each) { return each.kind == kind; });
	return std::string(s->name) + (tls ? "s://" : "://") + host +
	    (path.empty() ? "" : "/" + path);
}

std::string
read_address(const std::string &url, address &to)
{
	const auto colons = url.find("://");
	std::string_view name = std::string_view(url).substr(0,
	    colons == url.npos ? 0 : colons);
	const scheme *s = find_scheme(name);
	if (s == nullptr && name.ends_with('s')) {
		name.remove_suffix(1);
		s = find_scheme(name);
		to.tls = true;
	}
	if (s == nullptr)
		return "not otlp://HOST:PORT, pyroscope://, parca:// or "
		    "clickhouse://: " + url;
	to.kind = s->kind;
	to.host = url.substr(colons + 3);
	if (const auto slash = to.host.find('/'); slash != to.host.npos) {
		to.path = to.host.substr(slash + 1);
		to.host.erase(slash);
	}
	if (const auto at = to.host.rfind('@'); at != to.host.npos) {
		to.user = to.host.substr(0, at);
		to.host.erase(0, at + 1);
	}
	if (!is_host(to.host))
		return "no host is named: " + to.text();
	if (!has_port(to.host))
		to.host += std::string(":") + s->port;
	return {};
}

std::string
address_error(const std::string &url)
{
	address unused;
	return read_address(url, unused);
}

} // namespace servers
