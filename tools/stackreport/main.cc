// Answers questions about the records of stackrecord: the program stackreport.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <exception>

#include "options.h"
#include "tools/lib/surroundings.h"

int
main(int argc, char **argv)
{
	stackprint::fill_standard_streams();
	try {
		stackreport::options o;
		if (const auto status = stackreport::parse(argc, argv, o))
			return *status;
		if (!o.schema.empty())
			return stackreport::print_schema(o);
		if (!o.rows.empty())
			return stackreport::print_rows(o);
		return o.load.empty() ? stackreport::run(o) :
		    stackreport::load(o);
	} catch (const std::exception &e) {
		return stackprint::end_for("stackreport", e);
	}
}
