"""The health of the machine, on a Pi and elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.daemon.health import Health, machine
from companion.text.sentences import texts


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """The files of a Raspberry Pi, as its kernel shows them."""
    write(tmp_path / "sys/class/thermal/thermal_zone0/temp", "48686\n")
    write(tmp_path / "sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    write(tmp_path / "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    write(tmp_path / "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
    write(tmp_path / "proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    write(tmp_path / "etc/os-release", 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
    return tmp_path


def parts(root: Path) -> dict[str, Health]:
    return {part.name: part for part in machine(root)}


def test_a_pi_tells_all_of_it(pi: Path) -> None:
    told = parts(pi)
    assert (told["temperature"].state, told["temperature"].says) == ("ok", "49 °C.")
    assert told["undervoltage"].state == "ok"
    assert "Debian GNU/Linux 12 (bookworm), Raspberry Pi 4 Model B Rev 1.4." in told["versions"].says


@pytest.mark.parametrize(("degrees", "state"), [("71000", "troubled"), ("84000", "failed"), ("-5000", "ok")])
def test_heat_is_told(pi: Path, degrees: str, state: str) -> None:
    write(pi / "sys/class/thermal/thermal_zone0/temp", degrees)
    assert parts(pi)["temperature"].state == state


def test_a_weak_power_supply_is_told_in_both_languages(pi: Path) -> None:
    write(pi / "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    power = parts(pi)["undervoltage"]
    assert power.state == "troubled"
    assert "Netzteil" in power.german
    assert "power supply" in power.says


def test_another_machine_tells_less(tmp_path: Path) -> None:
    told = parts(tmp_path)
    assert (told["temperature"].state, told["undervoltage"].state, told["versions"].state) == ("absent", "absent", "ok")


def test_files_full_of_nonsense_are_no_trouble(pi: Path) -> None:
    write(pi / "sys/class/thermal/thermal_zone0/temp", "warm")
    write(pi / "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "perhaps")
    (pi / "etc/os-release").write_bytes(b"\xff\xfe=\n==\n")
    told = parts(pi)
    assert (told["temperature"].state, told["undervoltage"].state) == ("absent", "absent")


def test_all_that_the_daemon_says_is_in_both_languages() -> None:
    same = [key for key, text in texts().items() if not text.de or not text.en]
    assert same == []
    alike = {key for key, text in texts().items() if text.de == text.en}
    assert alike <= {"csv.name", "temperature.fine", "versions.said"}
