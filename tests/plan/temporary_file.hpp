// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace test {

// A file with this content, gone with the object.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string &content) {
        const char *folder = std::getenv("TMPDIR");
        path = std::string(folder ? folder : "/tmp") + "/caucus-test-XXXXXX";
        int descriptor = mkstemp(path.data());
        if (descriptor < 0)
            throw std::runtime_error("no temporary file at " + path);
        FILE *file = fdopen(descriptor, "wb");
        size_t written = std::fwrite(content.data(), 1, content.size(), file);
        if (std::fclose(file) != 0 || written != content.size())
            throw std::runtime_error("can't write " + path);
    }
    ~TemporaryFile() {
        std::remove(path.c_str());
    }
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;

    std::string path;
};

} // namespace test
