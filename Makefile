# SPDX-License-Identifier: BSD-3-Clause
# make demo, make test, and little else; each brings what it needs. make demo PART= shows one
# capability at length, PART=all all of them. MPI=mpich|openmpi|intel|abi|
# system; without it the mpicc on the PATH, and if there is none the MPICH of the package index; plan
# builds the planner and its tests alone, without MPI;
# smpi for benchmarks on machines that are not there (bench/simulated). FULL=1 makes
# the tests run everything, sanitizer builds too. make prove proves for all process counts; make fuzz
# looks for inputs that break what is read (TARGET= one target, MINUTES= for each). make mutation
# seeds faults into the sources and tells which the tests catch (COUNT=, MINUTES=, SEED=). make bench
# measures in a minute or two (AGAINST= an earlier result, ONLY= one benchmark, FULL=1 all, hours).
# make docs makes the guide and the C reference as HTML, make reference the latter alone.

MPI ?= $(shell command -v mpicc >/dev/null 2>&1 && echo system || echo mpich)
FULL ?=
PART ?=
TARGET ?=
MINUTES ?= 1
COUNT ?= 200
PYTHON ?= python3
VENV = .venv/bin/python

# Benchmarks (docs/bench.md).
ONLY ?=
AGAINST ?=

# Seeded worlds (docs/development/worlds.md).
PROGRAM ?=
SEED ?= 1
RANKS ?=
NODES ?=

.PHONY: demo test world build bench prove fuzz mutation docs reference format lint clean distclean

demo:
	@$(PYTHON) tools/announce.py --mpi "$(MPI)"
	@$(PYTHON) tools/build.py --mpi "$(MPI)"
	@$(VENV) bench/demo.py --mpi "$(MPI)" --part "$(PART)"

build:
	@$(PYTHON) tools/build.py --mpi "$(MPI)"

test:
	@$(PYTHON) tools/test.py $(if $(FULL),--full)

prove:
	@$(PYTHON) tools/prove.py

fuzz:
	@$(PYTHON) tools/fuzz.py --target "$(TARGET)" --minutes "$(MINUTES)"

mutation:
	@$(PYTHON) tools/mutate.py --mpi "$(if $(filter openmpi,$(MPI)),openmpi,mpich)" --seed $(SEED) \
		--count "$(COUNT)" --minutes "$(if $(filter file,$(origin MINUTES)),0,$(MINUTES))"

world:
	@$(PYTHON) tools/world.py $(PROGRAM) --seed $(SEED) $(if $(RANKS),--ranks $(RANKS)) \
		$(if $(NODES),--nodes $(NODES)) --minutes "$(if $(MINUTES),$(MINUTES),1)"

bench: build
	@$(VENV) bench/run.py --mpi "$(MPI)" --only "$(ONLY)" $(if $(FULL),--full) \
		$(if $(AGAINST),--against "$(AGAINST)")

docs:
	@$(PYTHON) tools/docs.py

reference:
	@$(PYTHON) tools/docs.py --reference

format lint:
	@$(PYTHON) tools/static.py $@

clean:
	rm -rf build results

# Everything that was brought goes too.
distclean: clean
	rm -rf .mpi .venv .deps .cache
