// SPDX-License-Identifier: BSD-3-Clause
// A part of the planner with a fault put in on purpose: text of one of its sources is replaced, and
// what comes of it is built and loaded beside the right one.
#pragma once

#include <string>
#include <vector>

namespace test {

struct Fault {
    const char *name;
    const char *file; // one of the sources
    const char *from; // must be there exactly once
    const char *to;
};

class MutantFactory {
  public:
    // Files below src/ that make up the part; what else they call is that of the library.
    explicit MutantFactory(std::vector<std::string> sources);
    ~MutantFactory();
    MutantFactory(const MutantFactory &) = delete;
    MutantFactory &operator=(const MutantFactory &) = delete;

    // A variable or function of the part with the fault, which stays loaded; throws if the text is
    // not there or there is no compiler.
    void *symbol(const Fault &fault, const char *name);

  private:
    std::string object(const std::string &source, const std::string &text);
    std::string folder;
    std::vector<std::string> sources, objects;
    int count = 0;
};

} // namespace test
