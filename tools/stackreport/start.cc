// Answers questions about the records of stackrecord: the program stackreport.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"
#include "tools/lib/program.h"

namespace stackreport {

int
start(int argc, char **argv)
{
	options o;
	if (const auto status = parse(argc, argv, o))
		return *status;
	if (!o.crash.empty())
		return name_crash(o);
	if (!o.schema.empty())
		return print_schema(o);
	if (!o.rows.empty())
		return print_rows(o);
	return o.to.empty() ? run(o) : load(o);
}

} // namespace stackreport
