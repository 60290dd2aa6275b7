// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read lines as gvt-stat writes them from the standard input, and print the rows that they make.
 */
#include <cstdio>
#include <iostream>

#include "rows.hpp"

int main()
{
	gvt::Rows rows;
	std::string problem = rows.read(std::cin);

	if (!problem.empty())
		printf("problem: %s\n", problem.c_str());
	for (auto &row : rows.all())
		printf("%s: %zu %zu %zu\n", row->name.c_str(), row->layers[gvt::WORK].size(),
		       row->layers[gvt::WAITS].size(), row->layers[gvt::LOST].size());
	return 0;
}
