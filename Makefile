# The two commands are `make demo` and `make test`. Both install what is missing, build, and run.
# A second call does nothing it need not do.

BUILD ?= build
JOBS ?= $(shell nproc)

.PHONY: build demo test test-clients install-packages format check-format bench clean

build: install-packages
	@cmake --preset release -B $(BUILD) > $(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	@cmake --build $(BUILD) --parallel $(JOBS) --target rumple_app

demo: build
	@$(BUILD)/rumple run twist --variant brief --variant held --out out/demo
	@$(BUILD)/rumple render out/demo/brief out/demo/held --light raking --labels "let go at once,held 500 s" \
		--out out/demo/brief-held.png

test: install-packages
	@cmake --preset release -B $(BUILD) -DRUMPLE_TESTS=ON > $(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	@cmake --build $(BUILD) --parallel $(JOBS)
	@ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)

# The report in a browser, and what `run` and `dress` write in Blender. Not part of `test`: it installs both.
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

install-packages:
	@sh scripts/install_packages.sh

bench: build
	@$(BUILD)/rumple bench

format:
	@git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

check-format:
	@git ls-files '*.hpp' '*.cpp' | xargs clang-format --dry-run --Werror

clean:
	@rm -rf $(BUILD)
