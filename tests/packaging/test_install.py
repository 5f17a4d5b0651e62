# SPDX-License-Identifier: BSD-3-Clause
"""An installation serves a project of somebody else, through CMake and through pkg-config, has the
command line and the pages, and goes away without a trace; without MPI as much of that as needs
none."""

import json
import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

import mpi_launch
import public_headers
from caucus.benchmarks import BENCHMARKS
from provision import libraries, mpi, toolchain
from provision.paths import BUILD as BUILDS
from provision.paths import VENV_PYTHON

ROOT = Path(__file__).resolve().parents[2]
MPI = "mpich"
BUILD = BUILDS / MPI

PROGRAM = """\
#include <caucus/caucus.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int dims[2] = {0, 0}, periods[2] = {1, 1}, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    caucus_dims_create(MPI_COMM_WORLD, size, 2, NULL, periods, dims);
    printf("%d ranks in a grid of %d\\n", size, dims[0] * dims[1]);
    return MPI_Finalize();
}
"""
# Both libraries: what the planner says of an error is what the one text says.
PLANNING = """\
#include <caucus/caucus.h>
#include <caucus/plan.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int dims[2] = {4, 4}, none = 0;
    caucus_plan *plan;
    MPI_Init(&argc, &argv);
    int bad = caucus_plan_create(2, dims, NULL, "no such stencil", NULL, "4x4", 0, &plan);
    printf("%d %s\\n", bad, caucus_error_text());
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    caucus_dims_create(MPI_COMM_WORLD, 99, 1, NULL, NULL, &none);
    printf("then %s\\n", caucus_error_text());
    return MPI_Finalize();
}
"""
PROJECT = """\
cmake_minimum_required(VERSION 3.21)
project(elsewhere LANGUAGES C)
find_package(caucus REQUIRED)
add_executable(program program.c)
target_link_libraries(program caucus::caucus)
"""


def call(*command, **options):
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=300, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("prefix")
    call(toolchain.cmake(), "--install", BUILD, "--prefix", prefix)
    return prefix


@pytest.fixture
def project(tmp_path):
    (tmp_path / "program.c").write_text(PROGRAM)
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    return tmp_path


def runs(program):
    words, environment = mpi_launch.command(MPI, 2, [program])
    # Nothing but what is built into the program and the libraries may lead it to them.
    environment.pop("LD_LIBRARY_PATH", None)
    return call(*words, env=environment).count("2 ranks in a grid of 2") == 2


def test_cmake_package(installed, project):
    build = project / "build"
    call(toolchain.cmake(), "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={installed}")
    call(toolchain.cmake(), "--build", build)
    assert runs(build / "program")


@pytest.mark.parametrize("targets", ["caucus caucus_plan", "caucus_plan caucus"])
def test_cmake_package_with_the_planner(installed, project, targets):
    (project / "program.c").write_text(PLANNING)
    linked = " ".join(f"caucus::{target}" for target in targets.split())
    (project / "CMakeLists.txt").write_text(PROJECT.replace("caucus::caucus", linked))
    build = project / "build"
    call(toolchain.cmake(), "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={installed}")
    call(toolchain.cmake(), "--build", build)
    words, environment = mpi_launch.command(MPI, 1, [build / "program"])
    environment.pop("LD_LIBRARY_PATH", None)
    first, then = call(*words, env=environment).splitlines()
    assert first.startswith("1 ") and "no such stencil" in first
    assert then.startswith("then ") and "nranks is 99" in then


def test_cmake_package_version(installed, project):
    text = (project / "CMakeLists.txt").read_text().replace("caucus REQ", "caucus 99 REQ")
    (project / "CMakeLists.txt").write_text(text)
    options = ["-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={installed}"]
    done = subprocess.run([toolchain.cmake(), *options], capture_output=True, text=True)
    assert done.returncode != 0 and "99" in done.stderr


def read_pkg_config(path, word):
    """The words of a field of a .pc file, for machines without pkg-config."""
    values = {"pcfiledir": str(path.parent)}
    for line in path.read_text().splitlines():
        for mark in ("=", ":"):
            name, found, value = line.partition(mark)
            if found and name.replace(".", "").isidentifier():
                for known, text in values.items():
                    value = value.replace("${%s}" % known, text)
                values[name] = value.strip()
                break
    return values[word].split()


def flags_of(installed, name):
    path = next(installed.glob(f"lib*/pkgconfig/{name}.pc"))
    if shutil.which("pkg-config"):
        environment = dict(os.environ, PKG_CONFIG_PATH=str(path.parent))
        return call("pkg-config", "--cflags", "--libs", name, env=environment).split()
    return read_pkg_config(path, "Cflags") + read_pkg_config(path, "Libs")


def test_pkg_config(installed, project):
    program, flags = project / "program", flags_of(installed, "caucus")
    call(*toolchain.compiler("c"), project / "program.c", "-o", program, *flags)
    assert runs(program)


def test_linked_by_hand(installed, project):
    """With the words of docs/install.md."""
    page = (ROOT / "docs" / "install.md").read_text()
    words = re.search(r"^mpicc (program\.c .*)$", page, re.MULTILINE)[1]
    folder = next(installed.glob("lib*/libcaucus.so")).parent
    words = words.replace("P/lib", str(folder)).replace("P/", f"{installed}/").split()
    call(mpi_launch.mpiexec_of(MPI).parent / "mpicc", *words, cwd=project)
    assert runs(project / "program")


@pytest.mark.parametrize("way", ["", "docs/.."])
def test_the_source_tree_is_no_prefix(tmp_path, way):
    """Nor by another name."""
    options = ["-DMPI=none", "-DCAUCUS_TESTS=OFF", f"-DCMAKE_INSTALL_PREFIX={ROOT / way}"]
    done = subprocess.run(
        [toolchain.cmake(), "-S", ROOT, "-B", tmp_path, *options], capture_output=True, text=True
    )
    assert done.returncode != 0 and "is the source tree" in done.stderr
    assert not (tmp_path / "Makefile").exists()


def test_pkg_config_of_the_planner(installed, project):
    """A program without MPI, and one that asks for MPI's library only."""
    source, program = project / "planning.c", project / "planning"
    source.write_text(
        "#include <caucus/plan.h>\nint main(void) { return caucus_plan_warn_unknown_settings(); }\n"
    )
    command = [*toolchain.compiler("c"), source, "-o", program]
    call(*command, *flags_of(installed, "caucus_plan"))
    call(program, env={"PATH": os.environ["PATH"]})
    done = subprocess.run(
        [*command, *flags_of(installed, "caucus")], capture_output=True, text=True
    )
    assert done.returncode != 0 and "caucus_plan_warn_unknown_settings" in done.stderr


def test_pkg_config_names_what_it_requires(installed):
    """A dependency with a .pc file of its own is named; MPI or its flags are for users too."""
    path = next(installed.glob("lib*/pkgconfig/caucus.pc"))
    names = ("Requires", "Requires.private", "Libs", "Libs.private")
    fields = {name: " ".join(read_pkg_config(path, name)) for name in names}
    private = [name for name in names if "hwloc" in fields[name]]
    assert private in (["Requires.private"], ["Libs.private"])
    assert fields["Requires"] or "libmpi" in fields["Libs"]
    assert "-lm" in fields["Libs.private"]


def files_in(prefix, pattern):
    return sorted(path.relative_to(prefix).as_posix() for path in prefix.glob(pattern))


def test_all_is_there(installed):
    headers = {path.name for path in (ROOT / "include" / "caucus").glob("*.h*")}
    made = {"collective_functions.h", "group_functions.h"}
    assert {path.name for path in installed.glob("include/caucus/*")} == headers | made
    for pattern in (
        "lib*/**/libcaucus.so",
        "lib*/**/libcaucus_plan.so",
        "lib*/**/libcaucus_dropin.so",
        "share/man/man1/caucus.1",
        "share/modulefiles/caucus/*",
        "share/bash-completion/completions/caucus",
        "share/zsh/site-functions/_caucus",
        "share/fish/vendor_completions.d/caucus.fish",
        "libexec/caucus/machine_model",
        "bin/caucus",
    ):
        assert len(files_in(installed, pattern)) == 1, pattern


def command_line(prefix, *words, folders=()):
    """What bin/caucus says, where nothing else leads it to a library; folders go onto the PATH."""
    path = ":".join([*map(str, folders), os.environ["PATH"]])
    clean = {"PATH": path, "HOME": os.environ.get("HOME", "/")}
    return call(VENV_PYTHON, prefix / "bin" / "caucus", *words, env=clean)


def test_command_line(installed):
    said = json.loads(command_line(installed, "info", "--json"))
    assert Path(said["library"]).resolve().is_relative_to(installed.resolve())
    assert [build["mpi"] for build in said["builds"]] == ["installed"]
    assert said["builds"][0]["libraries"] == ["caucus", "caucus_dropin"]
    assert re.match(r"(MPICH|Open MPI|Intel).* \d+\.\d+.* \(/", said["builds"][0]["built_for"])
    assert not files_in(installed, "lib*/**/__pycache__")


def started():
    """The programs that caucus check, caucus tune and caucus bench start."""
    bench = {start.words[0] for one in BENCHMARKS.values() for start in one.starts(2, False)}
    return ["installation_check", "machine_model", *sorted(bench)]


@pytest.mark.parametrize("program", started())
def test_what_commands_start_finds_the_libraries(installed, program):
    said = call("ldd", installed / "libexec" / "caucus" / program, env={"PATH": "/usr/bin"})
    assert f"{installed}/" in next(line for line in said.splitlines() if "libcaucus.so" in line)
    assert "libmpi" in said and "not found" not in said


def test_benchmarks_run(installed):
    """From an installation, the smallest of them; of an experiment it knows nothing."""
    words = ("bench", "redistribution", "--quick", "--starts", "1", "--json")
    mpiexec = mpi_launch.mpiexec_of(MPI)
    found = json.loads(command_line(installed, *words, folders=[mpiexec.parent]))
    ways = {cell["way"] for cell in found["cells"]}
    assert ways == {"MPI_Alltoallw", "MPI, messages by hand", "Caucus"}
    assert (found["ranks"], found["commit"], found["mpi"]) == (2, "", "mpich 5.0.2")
    assert "experiment" not in command_line(installed, "bench")


def test_it_can_be_checked(installed):
    """From an installation; the pages are found beside what is on the PATH."""
    folders = (installed / "bin", mpi_launch.mpiexec_of(MPI).parent)
    checks = json.loads(command_line(installed, "check", "--json", folders=folders))
    assert [check["passed"] for check in checks[:4]] == [True] * 4
    assert checks[2]["found"] == "sum 3 of 3, right"
    if shutil.which("man"):
        assert Path(checks[4]["found"]).is_relative_to(installed)


def test_every_function_has_a_page(installed):
    headers = public_headers.read(installed / "include" / "caucus")
    named = {one.name for header in headers for one in public_headers.functions(header)}
    texts = {path.stem: path.read_text() for path in installed.glob("share/man/man3/*.3")}
    assert {name for name, text in texts.items() if ".TH" in text} == named and len(named) > 300
    topics = {path.name for path in installed.glob("share/man/man7/*.7")}
    links = {
        name: text.split(".so man7/")[1].strip() for name, text in texts.items() if ".so" in text
    }
    assert set(links.values()) <= topics and links["caucus_channel_options"] == "caucus_channel.7"


def test_every_function_tells_of_threads(installed):
    """By its own words or those of its topic, and names the topic that it refers to."""
    folder = installed / "share" / "man" / "man3"
    for path in folder.glob("*.3"):
        text = path.read_text()
        found = re.search(r"\n\.SH THREADS\n(.{10,}?)\n\.SH SEE ALSO\n", text, re.DOTALL)
        assert found or ".so man7" in text, path.name
    page = (folder / "caucus_group_allreduce.3").read_text()
    said, other = re.split(r"\.SH (?:THREADS|SEE ALSO)\n", page)[1:]
    for name in ("caucus_group_collective", "caucus_collective"):
        assert rf"\fB{name}\fR(7)" in other
    assert "caucus_group_iallreduce" in other and "caucus_group_reduce" not in other
    assert "MPI_THREAD_MULTIPLE" in (folder / "caucus_group_create.3").read_text()


def test_pages_of_collectives_tell_what_their_topic_does(installed):
    """What it costs, and that only an init compares arguments in any case."""
    folder = installed / "share" / "man" / "man3"
    for name in ("allreduce", "ibcast", "group_allreduce", "group_igather_c", "neighbor_alltoallw"):
        page = (folder / f"caucus_{name}.3").read_text()
        assert ".SH NOTES\nRanks do not compare" in page, name
        assert ".SH COST\nSee \\fBcaucus_collective\\fR(7).\n" in page, name
    for name in ("allreduce_init", "group_bcast_init_c", "op_free", "start"):
        assert ".SH NOTES" not in (folder / f"caucus_{name}.3").read_text(), name


def test_one_page_leads_to_all_topics(installed):
    folder = installed / "share" / "man" / "man7"
    page = (folder / "caucus.7").read_text()
    for path in folder.glob("caucus_*.7"):
        assert f"\n\\fB{path.stem}\\fR(7)\n" in page, path.name
        assert "\\fBcaucus\\fR(7)" in path.read_text(), path.name
        assert "@" not in path.read_text(), path.name
    assert "MPI_THREAD_MULTIPLE" in page and "What holds" not in page


@pytest.mark.parametrize(
    "page", ["man7/caucus.7", "man1/caucus.1", "man3/caucus_dims_create.3", "man7/caucus_group.7"]
)
def test_pages_can_be_read(installed, page):
    if not shutil.which("man"):
        pytest.skip("there is no man")
    path = installed / "share" / "man" / page
    environment = dict(os.environ, MANWIDTH="80", LC_ALL="C.UTF-8", MAN_KEEP_FORMATTING="")
    done = subprocess.run(
        ["man", "--warnings", "-l", path], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0 and done.stderr == ""
    words = " ".join(done.stdout.split())
    assert "NAME caucus" in words and "@" not in words and "\\f" not in words
    if page.endswith("3"):
        assert "int caucus_dims_create(MPI_Comm comm, int nranks, int ndims," in words
        assert "RETURN VALUE MPI_SUCCESS, or on every rank:" in words
        assert max(map(len, done.stdout.splitlines())) <= 80


def test_debian_takes_every_file_once(installed):
    """What is installed goes into one package each, less what debian/rules takes away."""
    files = [path for path in files_in(installed, "**/*") if not (installed / path).is_dir()]
    files = [f"usr/{path}" for path in files if "modulefiles" not in path]
    # CMake's folder for libraries is the architecture's there.
    files = [re.sub(r"^usr/lib(64)?/(?!\w+-linux-)", "usr/lib/triplet/", path) for path in files]
    taken = dict.fromkeys(files, 0)
    for listed in (ROOT / "packaging" / "debian").glob("*.install"):
        for pattern in listed.read_text().split():
            named = re.compile(re.escape(pattern).replace(r"\*", "[^/]*") + "(/|$)")
            found = [file for file in files if named.match(file)]
            # The wheel's MPI has none: tests/fortran/test_module.py installs what has.
            assert found or "fortran" in pattern, f"{listed.name}: {pattern} is nothing"
            for path in found:
                taken[path] += 1
    assert {path: count for path, count in taken.items() if count != 1} == {}


MODULES = """\
foreach command {prepend-path append-path module-whatis conflict} {
    proc $command {args} "puts \\"$command \\$args\\""
}
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
"""


def test_modulefile(installed, tmp_path):
    """Also under another name in another folder."""
    if not shutil.which("tclsh"):
        pytest.skip("there is no tclsh")
    link = tmp_path / "for-mpich"
    link.symlink_to(next(installed.glob("share/modulefiles/caucus/*")))
    (tmp_path / "modules.tcl").write_text(MODULES)
    said = call("tclsh", tmp_path / "modules.tcl", link).splitlines()
    paths = dict(line.split()[1:] for line in said if line.startswith("prepend-path"))
    assert paths["PATH"] == f"{installed}/bin"
    # Programs that are linked with the Caucus for another MPI must go on finding theirs.
    assert not any("LD_LIBRARY_PATH" in line for line in said)
    assert (Path(paths["LIBRARY_PATH"]) / "libcaucus.so").exists()
    assert (Path(paths["MANPATH"]) / "man3" / "caucus_cart_create.3").exists()
    assert "append-path MANPATH {}" in said
    assert (Path(paths["XDG_DATA_DIRS"]) / "bash-completion" / "completions" / "caucus").exists()
    assert "append-path XDG_DATA_DIRS /usr/share" in said
    assert (Path(paths["PKG_CONFIG_PATH"]) / "caucus.pc").exists()
    assert (Path(paths["CPATH"]) / "caucus" / "caucus.h").exists()
    assert any("mpich" in line for line in said if line.startswith("module-whatis"))


def test_all_users_can_read_what_root_installs(tmp_path):
    """Whatever root's umask is."""
    prefix = tmp_path / "caucus" / "prefix"
    call(toolchain.cmake(), "--install", BUILD, "--prefix", prefix, umask=0o077)
    modes = {path: path.stat().st_mode for path in [prefix.parent, *prefix.parent.rglob("*")]}
    assert len(modes) > 300
    assert [path for path, mode in modes.items() if not mode & stat.S_IROTH] == []
    folders = [path for path in modes if path.is_dir()]
    assert [path for path in folders if not modes[path] & stat.S_IXOTH] == []


def uninstall(**environment):
    """What the target does, which would look first whether something is to be built."""
    script = ROOT / "cmake" / "CaucusUninstall.cmake"
    return call(
        toolchain.cmake(), f"-DBUILD={BUILD}", "-P", script, env={**os.environ, **environment}
    )


def test_it_goes_without_a_trace(tmp_path):
    prefix = tmp_path / "prefix"
    call(toolchain.cmake(), "--install", BUILD, "--prefix", prefix)
    assert (prefix / "bin" / "caucus").exists()
    uninstall()
    assert not prefix.exists()
    again = subprocess.run(
        [toolchain.cmake(), f"-DBUILD={BUILD}", "-P", ROOT / "cmake" / "CaucusUninstall.cmake"],
        capture_output=True,
        text=True,
    )
    assert again.returncode != 0 and "Nothing to uninstall" in again.stderr


def test_what_is_not_ours_stays(tmp_path):
    stage = tmp_path / "stage"
    other = stage / "opt" / "all" / "share" / "man" / "man3" / "other.3"
    other.parent.mkdir(parents=True)
    other.write_text("")
    staged = dict(os.environ, DESTDIR=str(stage))
    call(toolchain.cmake(), "--install", BUILD, "--prefix", "/opt/all", env=staged)
    assert (stage / "opt" / "all" / "bin" / "caucus").exists()
    uninstall(DESTDIR=str(stage))
    assert [path for path in stage.rglob("*") if not path.is_dir()] == [other]
    assert not (stage / "opt" / "all" / "bin").exists()


BEFORE = "find_package(MPI REQUIRED COMPONENTS C)\nfind_package(caucus"
AFTER = "find_package(caucus REQUIRED)\nfind_package(MPI REQUIRED COMPONENTS C)"


def configured(project, installed, theirs, *options):
    words = [toolchain.cmake(), "-S", project, "-B", project / "build", *options]
    home = mpi.prefix(theirs)
    words += [f"-DCMAKE_PREFIX_PATH={installed}", f"-DMPI_HOME={home}"]
    return subprocess.run([str(word) for word in words], capture_output=True, text=True)


@pytest.mark.parametrize("way", ["before", "after", "compiler"])
@pytest.mark.parametrize("theirs", ["openmpi", MPI])
def test_another_mpi_is_seen(installed, project, theirs, way):
    """Of the three ways in which a project may come by its MPI."""
    if not mpi.prefix(theirs).exists():
        pytest.skip(f"{theirs} is not there: 'make build MPI={theirs}' brings it")
    text, options = PROJECT, []
    if way == "before":
        text = PROJECT.replace("find_package(caucus", BEFORE)
    elif way == "after":
        text = PROJECT.replace("find_package(caucus REQUIRED)", AFTER)
    else:
        options = [f"-DCMAKE_C_COMPILER={mpi.prefix(theirs) / 'bin' / 'mpicc'}"]
    (project / "CMakeLists.txt").write_text(text)
    done = configured(project, installed, theirs, *options)
    if theirs == MPI:
        assert done.returncode == 0, done.stderr
        return
    said = " ".join(done.stderr.split())
    assert done.returncode != 0
    assert "was built for another MPI: for mpich (" in said and "is openmpi (" in said
    assert "CMAKE_PREFIX_PATH" in said


def test_the_layout_of_pip(tmp_path, without_mpi):
    """The package with the libraries below it, as pip lays it, finds them by itself."""
    package = tmp_path / "site-packages" / "caucus"
    shutil.copytree(ROOT / "bindings" / "python" / "caucus", package)
    shutil.copytree(without_mpi / "lib" / "some-triplet", package / "lib", symlinks=True)
    clean = {"PATH": os.environ["PATH"], "PYTHONPATH": str(package.parent)}
    words = [VENV_PYTHON, "-B", "-m", "caucus", "info", "--json"]
    said = json.loads(call(*words, env=clean, cwd=tmp_path))
    assert said["library"] == str(package / "lib" / "libcaucus_plan.so")
    assert [build["folder"] for build in said["builds"]] == [str(package)]


def test_without_what_compilers_need(tmp_path, without_mpi):
    """As packages for users have it: the versioned library alone."""
    prefix = tmp_path / "prefix"
    shutil.copytree(without_mpi, prefix, symlinks=True)
    (prefix / "lib" / "some-triplet" / "libcaucus_plan.so").unlink()
    said = json.loads(command_line(prefix, "info", "--json"))
    assert Path(said["library"]).is_relative_to(prefix)


def test_what_the_command_line_lacks_is_said(installed):
    """Without site-packages there is no rich."""
    words = [VENV_PYTHON, "-S", installed / "bin" / "caucus", "info"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == ""
    assert re.fullmatch(r"caucus: the Python package 'rich' is missing: install .*\n", done.stderr)


@pytest.fixture(scope="module")
def without_mpi(tmp_path_factory):
    """Nothing but what needs no MPI; its objects are those of the tests of plans."""
    folder = tmp_path_factory.mktemp("none")
    options = {
        **libraries.cmake_options(),
        "MPI": "none",
        "CAUCUS_PLAN_OBJECTS": BUILDS / "plan",
        "CAUCUS_TESTS": "OFF",
        "CAUCUS_BENCH": "OFF",
        "CMAKE_INSTALL_PREFIX": folder / "prefix",
        "CMAKE_INSTALL_LIBDIR": "lib/some-triplet",
    }
    defines = [f"-D{name}={value}" for name, value in options.items()]
    # There is no MPI, and none is looked for.
    call(toolchain.cmake(), "-S", ROOT, "-B", folder / "build", "-DMPI_HOME=/nowhere", *defines)
    call(toolchain.cmake(), "--build", folder / "build")
    call(toolchain.cmake(), "--install", folder / "build")
    return folder / "prefix"


def test_without_mpi(without_mpi, project):
    assert files_in(without_mpi, "lib/some-triplet/*.so") == ["lib/some-triplet/libcaucus_plan.so"]
    assert files_in(without_mpi, "lib/*/pkgconfig/*") == [
        "lib/some-triplet/pkgconfig/caucus_plan.pc"
    ]
    headers = sorted(path.name for path in without_mpi.glob("include/caucus/*"))
    lines = "".join(f"#include <caucus/{name}>\n" for name in headers)
    program = "int main(void) { return caucus_plan_warn_unknown_settings(); }\n"
    (project / "program.c").write_text(lines + program)
    text = PROJECT.replace("caucus REQ", "caucus COMPONENTS caucus_plan REQ")
    (project / "CMakeLists.txt").write_text(text.replace("caucus::caucus", "caucus::caucus_plan"))
    build = project / "build"
    found = f"-Dcaucus_DIR={without_mpi / 'lib' / 'some-triplet' / 'cmake' / 'caucus'}"
    call(toolchain.cmake(), "-S", project, "-B", build, found)
    call(toolchain.cmake(), "--build", build)
    call(build / "program")
    command = [*toolchain.compiler("c"), project / "program.c", "-o", project / "other"]
    path = without_mpi / "lib" / "some-triplet" / "pkgconfig" / "caucus_plan.pc"
    call(*command, *read_pkg_config(path, "Cflags"), *read_pkg_config(path, "Libs"))
    call(project / "other")


def test_the_library_is_not_there_without_mpi(without_mpi, project):
    text = PROJECT.replace("caucus REQ", "caucus COMPONENTS caucus REQ")
    (project / "CMakeLists.txt").write_text(text)
    found = f"-Dcaucus_DIR={without_mpi / 'lib' / 'some-triplet' / 'cmake' / 'caucus'}"
    words = [toolchain.cmake(), "-S", project, "-B", project / "build", found]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode != 0 and "without MPI" in done.stderr, done.stderr


def test_command_line_without_mpi(without_mpi):
    assert "24 ranks" in command_line(without_mpi, "map", "4x6", "--ppn", "6")
    said = json.loads(command_line(without_mpi, "info", "--json"))
    assert said["library"].startswith(str(without_mpi / "lib" / "some-triplet"))
    assert said["builds"][0]["libraries"] == []
