"""Which sources and which commit a build is of: cmake/source_hash.cmake and cmake/commit.cmake."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(sys.argv.pop(1))
GIT = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]


class OriginTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve() / "tree"
        for name in ("include", "src", "published", "report", "studies", "docs"):
            (self.root / name).mkdir(parents=True)
            (self.root / name / "a.txt").write_text(name)

    def cmake(self, script, **definitions):
        words = [f"-D{name}={value}" for name, value in definitions.items()]
        run = ["cmake", f"-DROOT={self.root}", *words, "-P", str(SCRIPTS / script)]
        return subprocess.run(run, capture_output=True, text=True)

    def git(self, *words):
        return subprocess.run(
            [*GIT, "-C", str(self.root), *words], check=True, capture_output=True, text=True
        ).stdout.strip()

    def found_in(self, script):
        output = self.root / "found.cpp"
        self.assertEqual(self.cmake(script, OUTPUT=output).returncode, 0)
        return re.search(r'return "(.*)";', output.read_text())[1]

    def check(self, page):
        path = self.root / "docs" / "page.md"
        path.write_text(page)
        return self.cmake("source_hash.cmake", PAGE=path)

    def test_a_page_is_accepted_only_with_the_hash_of_the_tree_and_of_full_scale(self):
        source_hash = self.found_in("source_hash.cmake")
        page = f"# Results\n\nWritten on a day; scale full, seed 1.\nHash of the sources: {source_hash}\n"
        self.assertEqual(self.check(page).returncode, 0, self.check(page).stderr)
        quick = self.check(page.replace("scale full", "scale quick"))
        self.assertNotEqual(quick.returncode, 0)
        self.assertIn("without --quick", " ".join(quick.stderr.split()))
        for other in ("not recorded", "0123456789abcdef", ""):
            stale = self.check(page.replace(source_hash, other))
            self.assertNotEqual(stale.returncode, 0)
            self.assertIn(f"its hash is '{other}'", " ".join(stale.stderr.split()))
        self.assertNotEqual(self.check("# Results\n").returncode, 0)
        (self.root / "src" / "a.txt").write_text("changed")
        self.assertNotEqual(self.check(page).returncode, 0)
        (self.root / "src" / "a.txt").write_text("src")
        (self.root / "docs" / "a.txt").write_text("changed")  # no source of a result
        self.assertEqual(self.check(page).returncode, 0)

    def test_the_commit_is_that_of_the_tree_and_says_if_it_has_changes(self):
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "first")
        head = self.git("rev-parse", "HEAD")
        self.assertEqual(self.found_in("commit.cmake"), head)
        (self.root / "src" / "a.txt").write_text("changed")
        self.assertEqual(self.found_in("commit.cmake"), f"{head} with changes")

    def test_without_git_the_commit_is_that_of_the_archive_or_none(self):
        self.assertEqual(self.found_in("commit.cmake"), "")
        archived = self.root / "cmake" / "archived_commit.txt"
        archived.parent.mkdir()
        archived.write_text("$Format:%H$\n")
        self.assertEqual(self.found_in("commit.cmake"), "")
        archived.write_text("0123456789abcdef0123456789abcdef01234567\n")
        self.assertEqual(self.found_in("commit.cmake"), "0123456789abcdef0123456789abcdef01234567")

    def test_a_folder_within_another_tree_has_no_commit_of_its_own(self):
        outer = self.root.parent
        subprocess.run([*GIT, "-C", str(outer), "init", "-q"], check=True)
        subprocess.run([*GIT, "-C", str(outer), "commit", "-q", "--allow-empty", "-m", "x"], check=True)
        self.assertEqual(self.found_in("commit.cmake"), "")

    def test_the_same_commit_leaves_the_file_alone(self):
        self.found_in("commit.cmake")
        output = self.root / "found.cpp"
        os.utime(output, (1, 1))
        self.found_in("commit.cmake")
        self.assertEqual(output.stat().st_mtime, 1)


if __name__ == "__main__":
    unittest.main()
