"""The compiled part of the Python package: setuptools drives CMake, which knows how to build it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
# A CMake build tree to use, such as one that has the library already; else one is made here.
BUILD_TREE = os.environ.get("SHORTFALL_BUILD_TREE")
# The module of a wheel for other machines; packaging/wheel.py adds the libraries that it needs.
PORTABLE = os.environ.get("SHORTFALL_PORTABLE") == "1"


def version() -> str:
    project = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"project\(shortfall VERSION ([0-9.]+)", project).group(1)


def configured(tree: Path) -> Path:
    options = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_UNITY_BUILD": "ON",
        "SHORTFALL_BUILD_PYTHON": "ON",
        "SHORTFALL_BUILD_APPS": "OFF",
        "SHORTFALL_BUILD_TESTS": "OFF",
        "SHORTFALL_WARNINGS_AS_ERRORS": "OFF",
        "SHORTFALL_PAGES": os.environ.get("SHORTFALL_PAGES", ""),
        "Python3_EXECUTABLE": sys.executable,
    }
    ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
    definitions = [f"-D{name}={value}" for name, value in options.items()]
    subprocess.run(["cmake", "-S", ROOT, "-B", tree, *ninja, *definitions], check=True)
    return tree


class CMakeBuild(build_ext):
    def build_extension(self, extension: Extension) -> None:
        tree = Path(BUILD_TREE) if BUILD_TREE else configured(ROOT / "build" / "python")
        cores = str(os.cpu_count() or 1)
        module = "shortfall_python_portable_core" if PORTABLE else "shortfall_python_core"
        build = ["cmake", "--build", tree, "--target", module, "--parallel", cores]
        subprocess.run(build, check=True)
        target = Path(self.get_ext_fullpath(extension.name))
        built = tree / "python" / ("portable" if PORTABLE else "shortfall") / target.name
        if not built.exists():
            raise SystemExit(f"{tree} was configured for another Python: it has no {target.name}")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(built, target)


setup(
    version=version(),
    ext_modules=[Extension("shortfall._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
