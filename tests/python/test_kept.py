# SPDX-License-Identifier: BSD-3-Clause
"""Files that commands write: an older one stays until a new one is whole; what is no plain file
stays what it is."""

import io
import os
import threading
from pathlib import Path

import pytest

from caucus import kept
from caucus.errors import Failure


class Breaks(io.BytesIO):
    """Ends in an error, as a disk that is full does."""

    def read(self, *_):
        if self.tell():
            raise OSError("no more")
        return super().read(3)


def test_an_older_file_stays_where_a_new_one_can_not_be_written(tmp_path):
    target = tmp_path / "file"
    target.write_text("old")
    with pytest.raises(OSError, match="no more"):
        kept.put(Breaks(b"newer"), str(target))
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("file", "old")]
    kept.put(io.BytesIO(b"newer"), str(target))
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("file", "newer")]


def test_a_name_may_be_as_long_as_names_can_be(tmp_path):
    target = tmp_path / ("n" * 255)
    with kept.new_text(target) as file:
        file.write("whole")
    assert [(path, path.read_text()) for path in tmp_path.iterdir()] == [(target, "whole")]


def test_what_an_earlier_process_of_the_same_number_left_is_no_report(tmp_path):
    """In a container every process has the same one."""
    target = tmp_path / "report.json"
    for name in (kept._new(target).name, f"{kept._new(target).name}.77"):
        (tmp_path / name).write_text("old")
    with kept.new_file(target, tmp_path / "folder"):
        assert list(tmp_path.iterdir()) == []


def test_a_link_stays_one(tmp_path):
    (tmp_path / "link").symlink_to("file")
    kept.check_writable(str(tmp_path / "link"), "it")
    assert not (tmp_path / "file").exists()
    kept.put(io.BytesIO(b"whole"), str(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_text() == "whole"


def test_a_file_without_a_name_is_nowhere(tmp_path):
    for path in (tmp_path / "file", tmp_path / "none" / "file", tmp_path, "-"):
        with kept.nameless(str(path)) as file:
            Path(f"/proc/self/fd/{file.fileno()}").write_bytes(b"by its number")
            assert file.read() == b"by its number" and list(tmp_path.iterdir()) == []


def test_a_pipe_is_not_opened_before_the_work(tmp_path):
    """Its reader would get an end, and what opens it waits for a reader."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    looks = threading.Thread(target=kept.check_writable, args=(str(pipe), "it"), daemon=True)
    looks.start()
    looks.join(10)
    assert not looks.is_alive()


def test_what_is_open_may_be_written_to():
    """/dev/stdout is such a link: it leads to no name where that is a pipe."""
    reader, writer = os.pipe()
    path = f"/proc/self/fd/{writer}"
    kept.check_writable(path, "it")
    kept.put(io.BytesIO(b"whole"), path)
    assert os.read(reader, 9) == b"whole"
    os.close(reader)
    os.close(writer)


def test_what_can_not_be_written_is_said_before_the_work(tmp_path):
    for path, reason in (
        ("/", "Is a directory"),
        (tmp_path, "Is a directory"),
        (tmp_path / "none" / "file", "No such file or directory"),
    ):
        with pytest.raises(Failure, match=f"^it can't be written to {path}: {reason}$"):
            kept.check_writable(str(path), "it")
