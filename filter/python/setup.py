"""Takes the version from core/fzm.h, and the plugin along where it has been built: FZM_PLUGIN=FILE, else build/plugin."""
import os
import pathlib
import re
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLUGIN = pathlib.Path(os.environ.get("FZM_PLUGIN", ROOT / "build" / "plugin" / "libh5zfzm.so"))


def version():
    return re.search(r'kVersion = "([\d.]+)"', (ROOT / "core" / "fzm.h").read_text(encoding="utf-8")).group(1)


class BuildWithPlugin(build_py):
    def run(self):
        super().run()
        if PLUGIN.exists():
            folder = pathlib.Path(self.build_lib) / "h5fzm" / "plugin"
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PLUGIN, folder / PLUGIN.name)


class MaybeBinary(Distribution):
    def has_ext_modules(self):
        return PLUGIN.exists()


setup(version=version(), cmdclass={"build_py": BuildWithPlugin}, distclass=MaybeBinary)
