# SPDX-License-Identifier: BSD-3-Clause
"""`python3 bench/lab …` or, with bench on the module path, `python3 -m lab …`."""

import os
import sys

if not __package__:
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from lab.cli import main  # noqa: E402

sys.exit(main())
