// SPDX-License-Identifier: BSD-3-Clause
#include "mutant.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace test {

namespace {

const std::string ROOT = CAUCUS_SOURCE_DIR;

std::string contents(const std::string &path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

void run(const std::string &command) {
    if (std::system(command.c_str()) != 0) // NOLINT(bugprone-command-processor)
        throw std::runtime_error("failed: " + command);
}

} // namespace

MutantFactory::MutantFactory(std::vector<std::string> given) : sources(std::move(given)) {
    std::string pattern = (std::filesystem::temp_directory_path() / "caucus-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
        throw std::runtime_error("no temporary folder");
    folder = pattern;
    for (const std::string &source : sources)
        objects.push_back(object(source, contents(ROOT + "/src/" + source)));
}

MutantFactory::~MutantFactory() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
}

std::string MutantFactory::object(const std::string &source, const std::string &text) {
    std::string stem = folder + "/" + std::to_string(count++);
    if (text.empty())
        throw std::runtime_error("no source " + source);
    std::ofstream(stem + ".c") << text;
    run("cc -std=c17 -O1 -w -fPIC -I'" + ROOT + "/src' -I'" + ROOT + "/include' -c " + stem +
        ".c -o " + stem + ".o");
    return stem + ".o";
}

void *MutantFactory::symbol(const Fault &fault, const char *name) {
    auto place = std::find(sources.begin(), sources.end(), fault.file);
    std::string text = contents(ROOT + "/src/" + fault.file), from = fault.from;
    size_t at = text.find(from);
    if (place == sources.end() || at == std::string::npos ||
        text.find(from, at + 1) != std::string::npos)
        throw std::runtime_error(std::string("not exactly once in its source: ") + fault.name);
    text.replace(at, from.size(), fault.to);
    std::vector<std::string> parts = objects;
    parts[static_cast<size_t>(place - sources.begin())] = object(fault.file, text);
    std::string library = folder + "/" + std::to_string(count++) + ".so";
    std::string command = "cc -shared -Wl,-Bsymbolic -o " + library;
    for (const std::string &part : parts)
        command += " " + part;
    run(command);
    void *loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    void *found = loaded ? dlsym(loaded, name) : nullptr;
    if (!found)
        throw std::runtime_error(std::string("can't be loaded: ") + fault.name);
    return found;
}

} // namespace test
