# The two commands are `make demo` and `make test`. Both install what is missing, build, and run.
# A second call does nothing it need not do.

BUILD ?= build
JOBS ?= $(shell nproc)
# Several files are compiled together: quick from nothing. UNITY=OFF is quicker after an edit.
UNITY ?= ON
# $(call configure,FOLDER,OPTIONS): quiet unless it fails.
configure = cmake --preset release -B $(1) -DRUMPLE_UNITY=$(UNITY) $(2) > $(1).log 2>&1 || \
	{ cat $(1).log; exit 1; }; rm -f $(1).log
PYTHON_PACKAGES = pybind11-dev python3-dev python3-numpy python3-pip python3-venv

.PHONY: build demo test install python deb test-deb test-clients blender-addon test-blender-window test-farm \
	test-kill test-determinism soak fuzz sanitize tidy install-packages format check-format bench docs docs-pages campaign clean

build: install-packages
	@$(call configure,$(BUILD),)
	@cmake --build $(BUILD) --parallel $(JOBS) --target rumple_app

# What is left of the folds of the demo's twisted tube.
bending = $$(sed -n 's/.*"bending_content": \([0-9]*\).*/\1/p' out/demo/$(1)/summary.json | head -n 1)
demo-trousers = out/demo/trousers/before out/demo/trousers/sitting out/demo/trousers/brief out/demo/trousers/held

demo: build
	@$(BUILD)/rumple run twist --variant brief --variant held --out out/demo
	@$(BUILD)/rumple render out/demo/brief out/demo/held --light raking --labels "let go at once,held 500 s" \
		--out out/demo/brief-held.png
	@$(BUILD)/rumple run examples/trousers.json --quiet --out out/demo/trousers
	@$(BUILD)/rumple render $(demo-trousers) --labels "before,sitting,after a moment,after 500 s" --light overhead \
		--title "Trousers that sat. The twisted tube keeps $(call bending,brief) 1/m² at once, \
	$(call bending,held) 1/m² after 500 s" --view whole,knees --size 320x460 --columns 4 --out out/demo/demo.png

test: install-packages
	@sh scripts/install_packages.sh $(PYTHON_PACKAGES)
	@$(call configure,$(BUILD),-DRUMPLE_TESTS=ON -DRUMPLE_PYTHON=ON)
	@cmake --build $(BUILD) --parallel $(JOBS)
	@ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)

# Program, library, headers and rumpleConfig.cmake (docs/install.md).
PREFIX ?= /usr/local
install: build
	@cmake --build $(BUILD) --parallel $(JOBS) --target rumple rumple_render
	@cmake --install $(BUILD) --prefix $(PREFIX)

# The Python module: build/python/rumple (docs/python.md).
python: install-packages
	@sh scripts/install_packages.sh $(PYTHON_PACKAGES)
	@$(call configure,$(BUILD),-DRUMPLE_PYTHON=ON)
	@cmake --build $(BUILD) --parallel $(JOBS) --target rumple_python_package
	@echo "PYTHONPATH=$(abspath $(BUILD)/python) /usr/bin/python3 -c 'import rumple; help(rumple)'"

# Debian packages for any x86-64, into build-deb/; test-deb installs them into a fresh Debian without compilers.
deb: install-packages
	@sh scripts/build_deb.sh build-deb $(JOBS)

test-deb: deb
	@sh scripts/test_deb.sh build-deb

# The report in a browser, what `run` and `dress` write in Blender, and animations in the Khronos glTF validator and in
# three.js' USD reader. Not part of `test`: it installs both.
test-clients: build
	@sh scripts/install_packages.sh chromium blender python3-numpy
	@$(BUILD)/rumple reproduce twist --size smoke --quiet --out out/clients/smoke
	@$(BUILD)/rumple reproduce ablation --size smoke --quiet --out out/clients/smoke
	@$(BUILD)/rumple reproduce recovery-curve --size smoke --quiet --out out/clients/smoke
	@python3 scripts/test_clients.py out/clients/smoke/report.html out/clients
	@rm -rf out/clients/dress out/clients/run
	@$(BUILD)/rumple dress trousers mannequin --clip lift_leg --edge 0.04 --step 0.02 --quiet --no-film --out out/clients/dress
	@$(BUILD)/rumple run twist --variant brief --quiet --out out/clients/run
	@sh scripts/blender_check.sh $(BUILD)/rumple out/clients/dress garment body
	@sh scripts/blender_check.sh $(BUILD)/rumple out/clients/run/brief tube
	@sh scripts/test_blender_addon.sh $(BUILD)/rumple out/clients/addon
	@sh scripts/check_animations.sh $(BUILD)/rumple out/clients

# The add-on in a window as well: timers, screenshots. It wants an idle machine, since software OpenGL is slow.
test-blender-window: build
	@sh scripts/install_packages.sh blender python3-numpy xvfb xauth xdotool libgl1-mesa-dri
	@sh scripts/test_blender_addon.sh $(BUILD)/rumple out/clients/addon window

# The add-on for Blender as a file for Preferences > Add-ons > Install (docs/blender_addon.md).
blender-addon:
	@mkdir -p $(BUILD)
	@python3 scripts/zip_blender_addon.py $(BUILD)/rumple_blender.zip

# Sweeps on a real Slurm, on this machine: installs it, kills jobs, a node and the controller. About 15 minutes.
FARM_JOBS ?= 200
test-farm: build
	@sh scripts/install_packages.sh slurmctld slurmd slurm-client munge procps || \
		echo "farm test: Slurm cannot be installed here"
	@FARM_JOBS=$(FARM_JOBS) python3 scripts/farm/test_farm.py $(BUILD)/rumple out/farm

# What docs/reliability.md promises, at length. None of it is part of `test`, which has a short version of each.
KILLS ?= 120
SOAK_SECONDS ?= 3600
FUZZ_SECONDS ?= 600

# Runs killed at random moments and resumed: minutes.
test-kill: test-programs
	@RUMPLE_KILLS=$(KILLS) $(BUILD)/tests/test_cli --gtest_filter='Scenes/KilledRun.*:FullDisk.*'

# One hash over several scenes: threads, resumed, and a build with -O1.
test-determinism: build
	@$(call configure,$(BUILD)-o1,-DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DRUMPLE_TESTS=OFF)
	@cmake --build $(BUILD)-o1 --parallel $(JOBS) --target rumple_app
	@sh scripts/determinism.sh $(BUILD)/rumple $(BUILD)-o1/rumple

# An hour of one scene.
soak: test-programs
	@cmake --build $(BUILD) --parallel $(JOBS) --target rumple_soak
	@$(BUILD)/tests/rumple_soak $(SOAK_SECONDS)

# Every reader of strangers' files, ten minutes each; fuzz/log.csv adds up.
fuzz:
	@sh scripts/install_packages.sh clang
	@cmake --preset fuzz > build-fuzz.log 2>&1 || { cat build-fuzz.log; exit 1; }
	@rm -f build-fuzz.log
	@cmake --build build-fuzz --parallel $(JOBS) --target fuzz_targets
	@sh scripts/fuzz.sh build-fuzz $(FUZZ_SECONDS)

# The tests under the sanitizers (address and undefined behaviour, then threads), then clang-tidy: hours on two cores.
sanitize:
	@sh scripts/sanitize.sh $(JOBS)
	@$(MAKE) --no-print-directory tidy

tidy:
	@sh scripts/install_packages.sh clang-tidy
	@cmake --preset debug > build-debug.log 2>&1 || { cat build-debug.log; exit 1; }
	@rm -f build-debug.log
	@git ls-files 'src/*.cpp' 'apps/*.cpp' | xargs -P $(JOBS) -n 4 clang-tidy -p build-debug --quiet 2> build-debug/tidy.log

test-programs: install-packages
	@$(call configure,$(BUILD),-DRUMPLE_TESTS=ON)
	@cmake --build $(BUILD) --parallel $(JOBS) --target test_cli

install-packages:
	@sh scripts/install_packages.sh

# The documentation as a site: build-docs/index.html. docs-pages generates the pages of docs/reference.
docs:
	@sh scripts/install_packages.sh mkdocs mkdocs-material python3-pymdownx libjs-katex
	@python3 scripts/check_docs.py
	@mkdocs build --quiet --clean
	@echo "build-docs/index.html"

# Every experiment at paper size, each result kept as it ends; a second call continues. Twelve hours of one core.
campaign: build
	@python3 scripts/campaign.py --program $(BUILD)/rumple

docs-pages: build
	@python3 scripts/make_docs_pages.py --program $(BUILD)/rumple

bench: build
	@$(BUILD)/rumple bench

format:
	@git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

check-format:
	@git ls-files '*.hpp' '*.cpp' | xargs clang-format --dry-run --Werror

clean:
	@rm -rf $(BUILD)
