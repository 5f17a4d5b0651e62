# SPDX-License-Identifier: BSD-3-Clause
"""Every public function, type and constant has a comment that Doxygen takes: parameters, results,
members and all. (What Doxygen itself says is an error of make docs.)"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from public_headers import COMMENT, MARK, Header, comment_before, functions, marked, read

ROOT = Path(__file__).resolve().parents[2]
MEMBERS = re.compile(r"\b(?:struct|enum)\b[^{};()]*\{(?P<members>[^{}]*)\}")


def generated(folder):
    generator = ROOT / "tools" / "generate_collectives.py"
    subprocess.run([sys.executable, generator, folder], check=True)
    return folder / "include" / "caucus"


@pytest.fixture(scope="module")
def headers(tmp_path_factory):
    folders = [ROOT / "include" / "caucus", generated(tmp_path_factory.mktemp("headers"))]
    return [header for folder in folders for header in read(folder)]


def faults_of_functions(header):
    for function in functions(header):
        name, parameters, comment = function.name, function.parameters, function.comment
        if not comment:
            yield f"{header.name}: {name} has no comment"
            continue
        told = re.findall(r"@param\[(?:in|out|in,out)\] (\w+)\s+[^\s*]", comment)
        if told != parameters:
            yield f"{header.name}: {name} has @param of {told}, but takes {parameters}"
        if function.has_result != (re.search(r"@return \S", comment) is not None):
            yield f"{header.name}: {name} needs @return if it returns something, and only then"


def faults_of_types(header):
    """Types, constants, macros, and what they are made of."""
    code, comments = marked(header.text)
    for match in re.finditer(r"^(?:typedef|struct|enum)\b[^;{]*", code, re.MULTILINE):
        if not comment_before(code, match.start(), comments):
            yield f"{header.name}: '{match.group().strip()}' has no comment"
    for match in MEMBERS.finditer(code):
        text = match["members"]
        for part in re.split(r"[;,](?=\s*(?:@\d+@)?\s*(?:\w|@|$))", MARK.sub("", text)):
            if part.strip() and "(" not in part:
                member = re.search(r"(\w+)\s*(?:\[\w*\])*\s*(?:=.*)?$", part.strip()).group(1)
                before = re.search(rf"@(\d+)@\s*[^;,@]*\b{member}\b", text)
                after = re.search(rf"\b{member}\b[^;,@]*[;,]?\s*@(\d+)@", text)
                told = [comments[int(m.group(1))] for m in (before, after) if m]
                if not any(comment.startswith("/**") for comment in told):
                    yield f"{header.name}: member {member} has no comment"


def faults_of_macros(header):
    for match in re.finditer(r"^#define (CAUCUS_\w+)(.*)$", header.text, re.MULTILINE):
        before = header.text[: match.start()].rstrip()
        comment = COMMENT.findall(before)[-1] if before.endswith("*/") else ""
        if match[2].strip() and (not comment.startswith("/**") or "@file" in comment):
            yield f"{header.name}: {match[1]} has no comment"


def faults_of_file(header):
    first = COMMENT.findall(header.text)[:3]
    if not any("@file" in comment and "@brief" in comment for comment in first):
        yield f"{header.name}: no comment with @file and @brief, so Doxygen leaves it out"
    for number, line in enumerate(header.text.splitlines(), 1):
        if len(line) > 100:
            yield f"{header.name}:{number}: longer than 100 columns"


CHECKS = [faults_of_functions, faults_of_types, faults_of_macros, faults_of_file]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_commented(headers, check):
    assert [fault for header in headers for fault in check(header)] == []


def test_all_functions_are_seen(headers):
    """What this test takes for a function is what a compiler would."""
    seen = {function.name for header in headers for function in functions(header)}
    assert {"caucus_iallreduce_c", "caucus_group_bcast_init", "caucus_version"} <= seen
    assert {"caucus_plan_free", "caucus_deliver_function", "caucus_pool_body"} <= seen
    assert len(seen) > 300


GOOD = """/* SPDX */
/**
 * @file
 * @brief A file.
 */
/** A constant. */
#define CAUCUS_ONE 1
/** A type. */
typedef struct { int a; /**< A member. */ } caucus_type;
/**
 * A function.
 *
 * @param[in] list A list.
 * @param[out] n How many.
 * @return A status.
 */
int caucus_do(const int list[], int *n);
"""
BAD = [
    ("@param[in] list A list.", "", faults_of_functions),
    ("@param[out] n How many.", "@param n How many.", faults_of_functions),
    ("@return A status.", "", faults_of_functions),
    ("/**\n * A function.", "/*\n * A function.", faults_of_functions),
    ("/** A type. */", "/* A type. */", faults_of_types),
    ("/**< A member. */", "/* A member. */", faults_of_types),
    ("/** A constant. */", "", faults_of_macros),
    ("@file", "", faults_of_file),
]


def test_good_is_found_good():
    assert [fault for check in CHECKS for fault in check(Header("good.h", GOOD))] == []


@pytest.mark.parametrize("what, instead, check", BAD)
def test_faults_are_found(what, instead, check):
    assert what in GOOD
    assert list(check(Header("bad.h", GOOD.replace(what, instead))))
