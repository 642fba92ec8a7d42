"""The build backend: setuptools, or Debian's copy of it, which pip normally hides from builds.

With Debian's copy, `pip install .` works offline. Elsewhere pip downloads what is missing.
"""

import sys
from importlib.util import find_spec

DEBIAN_PACKAGES = "/usr/lib/python3/dist-packages"
NEEDED = ("setuptools", "wheel")

if not all(find_spec(name) for name in NEEDED):
    sys.path.append(DEBIAN_PACKAGES)
MISSING = [name for name in NEEDED if not find_spec(name)]


def get_requires_for_build_wheel(config_settings=None):
    return MISSING


def get_requires_for_build_sdist(config_settings=None):
    return MISSING


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    from setuptools import build_meta

    return build_meta.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    from setuptools import build_meta

    return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    from setuptools import build_meta

    return build_meta.build_sdist(sdist_directory, config_settings)
