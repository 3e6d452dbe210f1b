// Knows the schemes and the usual ports.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "address.h"

#include <algorithm>
#include <charconv>
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
is_port(std::string_view text)
{
	return !text.empty() &&
	    text.find_first_not_of("0123456789") == text.npos;
}

// Gives the place of the colon before the port; npos: there is no port.
std::size_t
port_of(std::string_view host)
{
	const auto colon = host.rfind(':');
	return colon != host.npos && (host[0] != '[' ||
	    host.rfind(']') < colon) ? colon : host.npos;
}

bool
is_host(std::string_view host)
{
	const auto colon = host.empty() ? host.npos : port_of(host);
	return !host.empty() && host[0] != ':' && host.find_first_not_of(
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "0123456789.-_:[]") == host.npos &&
	    (colon == host.npos || is_port(host.substr(colon + 1)));
}

// %2F is a slash, and so on.
std::string
decoded(std::string_view text)
{
	std::string out;
	for (std::size_t i = 0; i < text.size(); i++) {
		unsigned int value = 0;
		const char *const at = text.data() + i + 1;
		if (text[i] == '%' && i + 2 < text.size() &&
		    std::from_chars(at, at + 2, value, 16).ptr == at + 2) {
			out += static_cast<char>(value);
			i += 2;
		} else {
			out += text[i];
		}
	}
	return out;
}

void
read_user(std::string_view text, address &to)
{
	const auto colon = text.find(':');
	to.user = decoded(text.substr(0, colon));
	if (colon != text.npos)
		to.password = decoded(text.substr(colon + 1));
}

// Leaves out of a wrong URL what may be a password: all before the last @, and
// the settings.
std::string
harmless(const std::string &url)
{
	std::string text = url.substr(0, url.find('?'));
	const auto at = text.rfind('@');
	const auto colons = text.find("://");
	const auto from = colons == text.npos || colons > at ? 0 : colons + 3;
	return at == text.npos ? text : text.replace(from, at - from, "...");
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
	    (path.empty() || path[0] == '?' ? "" :
	    "/" + path.substr(0, path.find('?')));
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
		    "clickhouse://: " + harmless(url);
	to.kind = s->kind;
	to.host = url.substr(colons + 3);
	if (const auto end = to.host.find_first_of("/?"); end != to.host.npos) {
		to.path = to.host.substr(end + (to.host[end] == '/'));
		to.host.erase(end);
	}
	if (const auto at = to.host.rfind('@'); at != to.host.npos) {
		read_user(std::string_view(to.host).substr(0, at), to);
		to.host.erase(0, at + 1);
	}
	if (to.path.substr(0, to.path.find('?')).find('@') != to.path.npos)
		return "a / in a password has to be %2F: " + harmless(url);
	if (!is_host(to.host))
		return "no host is named: " + harmless(url);
	if (port_of(to.host) == to.host.npos)
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
