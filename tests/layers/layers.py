"""Checks every #include of the project against the table of folders in docs/design.md.

    layers.py ROOT               prints the includes that the table does not allow, exits with 1
    layers.py ROOT --self-test   checks that planted wrong includes are reported

Also reports uses of functions that the C library chooses by processor, except in files that are known
to call the long double versions, and tables of vector targets that other sources do not have.

A folder may include itself and the folders it builds on, directly or indirectly. Its tests may include the
same, exact solvers, published numbers, and tests of all these folders. Installed headers, in include/, and
examples include only installed headers.
"""

import pathlib
import re
import sys

SOURCES = ("include", "src", "published", "report", "studies", "mpi", "apps", "python/bindings", "tests",
           "benchmarks", "examples")
# Programs that share nothing with the library, or are built outside the project.
APART = ("tests/oracle/", "tests/installed_package/", "tests/faults/", "tests/vector_targets/")
# Tests that are not of one folder, with the folder whose includes they may have.
ACROSS = {"fuzz": "apps", "pages": "formats"}
UMBRELLA = "include/shortfall/shortfall.hpp"
GENERATED = ("installation.hpp",)
# They call long double functions, which are the same for all processors.
EXTENDED = ("src/numbers/portable_math.cpp", "src/risk/entropic.cpp", "src/inventory/model/arrival.cpp",
            "src/inventory/model/demand.cpp", "src/learn/interval_quantiles.cpp")


def read_table(document):
    """The folders of the table, each with what it builds on directly."""
    direct = {}
    for line in document.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3:
            below = re.findall(r"`([^`]+)`", cells[2])
            for folder in re.findall(r"`([^`]+)`", cells[0]):
                direct[folder] = set(direct) if cells[2] == "all above" else set(below)
    for folder, below in direct.items():
        unknown = below - set(direct)
        if unknown:
            sys.exit(f"layers: {folder} builds on {sorted(unknown)}, which the table does not have")
    return direct


def closure(direct):
    """The folders, each with all that it may include."""
    allowed = {}

    def close(folder, path):
        if folder in path:
            sys.exit(f"layers: a cycle: {' -> '.join(path + [folder])}")
        if folder not in allowed:
            below = [close(other, path + [folder]) for other in direct[folder]]
            allowed[folder] = {folder}.union(*below)
        return allowed[folder]

    for folder in direct:
        close(folder, [])
    return allowed


def differences_from_cmake(table, cmake):
    """Where DEPENDS of src/CMakeLists.txt is not what the table says."""
    modules = {}
    for match in re.finditer(r"^shortfall_module\(([^\s)]+)([^)]*)\)", cmake, re.MULTILINE):
        words = re.split(r"\bLIBRARIES\b", match[2])[0].split()
        modules[match[1]] = set(words) - {"DEPENDS"}
    for folder, below in modules.items():
        if below != table.get(folder):
            yield (f"src/CMakeLists.txt: {folder} depends on {sorted(below)}, in the table of "
                   f"docs/design.md on {sorted(table.get(folder, []))}")


def folder_of(path):
    """The folder of the table that a file belongs to."""
    for root in ("include/shortfall/", "src/"):
        if path.startswith(root):
            parts = path[len(root):].split("/")[:-1]
            return "/".join(parts[:2] if parts[:1] == ["inventory"] else parts[:1])
    return next(root for root in SOURCES if path.startswith(root + "/"))


def is_first_tier(path):
    """Headers for users who begin, which include what they need; the project includes what it uses."""
    return re.fullmatch(r"include/shortfall/\w+\.hpp", path or "") is not None


def target_of(include, files):
    """The file that an include names."""
    for root in ("include/", "src/", "", "python/"):
        if root + include in files:
            return root + include
    return None


def tested_folder(path):
    """The folder that a test is of; None for what all tests share."""
    parts = path.split("/")[1:-1]
    return "/".join(parts[:2] if parts[:1] == ["inventory"] else parts[:1]) or None


def problem(path, include, files, allowed):
    """Why a file may not have this include, or None."""
    target = target_of(include, files)
    if target is None:
        return None if include in GENERATED else "there is no such file"
    if is_first_tier(path):
        return None if target.startswith("include/") else "it is not installed"
    if is_first_tier(target) and folder_of(path) != "examples":
        return "it is for users; include what is used"
    source, below = folder_of(path), folder_of(target)
    installed = target.startswith("include/")
    if (path.startswith("include/") or source == "examples") and not installed:
        return "it is not installed"
    if source != "tests":
        if source not in allowed:
            return f"{source} is not in the table of docs/design.md"
        reach = allowed[source]
        if below in reach:
            return None
        return f"{source} may include: {', '.join(sorted(reach))}"
    tested = tested_folder(path)
    reach = {"errors", tested or "errors"} | allowed.get(ACROSS.get(tested, tested), set())
    if "mdp" in reach:
        reach |= allowed["dp"]  # exact solvers, which the rest is measured against
    if "inventory/model" in reach:
        reach |= allowed["published"]
    other = tested_folder(target) if below == "tests" else below
    if other is None or other in reach:
        return None
    return f"tests of {tested} may include: {', '.join(sorted(reach))}"


def violations(checked, files, allowed):
    """The includes of the files `checked` that are not allowed; `files` are all there are."""
    for path, text in sorted(checked.items()):
        if path.startswith(APART):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
            why = match and problem(path, match[1], files, allowed)
            if why:
                yield f'{path}:{number}: #include "{match[1]}": {why}'


def missing_from_umbrella(files):
    """Headers of the first tier that shortfall/shortfall.hpp leaves out."""
    for path in filter(is_first_tier, sorted(files)):
        include = path.removeprefix("include/")
        if path != UMBRELLA and f'"{include}"' not in files[UMBRELLA]:
            yield f"{UMBRELLA}: {include} is missing"


def unportable(files):
    """Functions of doubles whose last bits depend on the processor."""
    for path, text in sorted(files.items()):
        if not path.startswith(("include/", "src/")) or path in EXTENDED:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            match = re.search(r"std::(a?(sin|cos|tan)h?|atan2|exp[2m]?1?|log(1p|2|10)?|pow)\(", line)
            if match:
                yield f"{path}:{number}: {match[0]}..): use shortfall::portable"


def own_tables(files):
    """Tables of vector targets in sources that choose their own: builds that inline nothing, where
    all sources share one function that chooses the entry, would call an empty one."""
    own = re.compile(r"#\s*(define|undef)\s+HWY_(DISABLED_TARGETS|BASELINE_TARGETS|COMPILE_|WANT_)")
    table = re.compile(r"\bHWY_(EXPORT|DYNAMIC_DISPATCH)\w*\s*\(|SupportedAndGeneratedTargets")
    for path, text in sorted(files.items()):
        if own.search(text):
            for number, line in enumerate(text.splitlines(), 1):
                if table.search(line):
                    yield f"{path}:{number}: {line.strip()}: this source has targets of its own"


def self_test(files, allowed):
    """Plants an include of every folder in every folder, and expects what the table says."""
    example = {}
    for path in sorted(files):
        if path.endswith(".hpp") and not path.startswith(APART) and not is_first_tier(path):
            example.setdefault(folder_of(path), path)
    spelled = {folder: re.sub("^(include|src|python)/", "", path) for folder, path in example.items()}
    planted = 0
    for source in allowed:
        for below in example:
            path = f"{source}/planted.cpp" if source in SOURCES else f"src/{source}/planted.cpp"
            planted_file = {path: f'#include "{spelled[below]}"\n'}
            found = list(violations(planted_file, files, allowed))
            wrong = below not in allowed[source]
            if source == "examples":
                wrong = not example[below].startswith("include/")
            if bool(found) != wrong:
                sys.exit(f"layers: {source} -> {below}: expected "
                         f"{'a report' if wrong else 'none'}, got {found}")
            planted += wrong
    for path, include in (("include/shortfall/dp/planted.hpp", "text/text.hpp"),
                          ("include/shortfall/planted.hpp", "text/text.hpp"),
                          ("include/shortfall/dp/planted.hpp", "shortfall/risk.hpp"),
                          ("tests/risk/planted.cpp", "shortfall/dp/bellman.hpp"),
                          ("tests/risk/planted.cpp", "tests/dp/published_worlds.hpp"),
                          ("src/dp/planted.cpp", "no_such_file.hpp")):
        if not list(violations({path: f'#include "{include}"\n'}, files, allowed)):
            sys.exit(f"layers: {include} in {path} was not reported")
        planted += 1
    if not list(missing_from_umbrella({**files, "include/shortfall/planted.hpp": ""})):
        sys.exit("layers: a header that shortfall.hpp leaves out was not reported")
    if len(list(unportable({"src/planted.cpp": "std::exp(x)\nstd::log1p(x);\nexponent(x)\n"}))) != 2:
        sys.exit("layers: a function of the C library was not reported")
    own = "#define  HWY_DISABLED_TARGETS HWY_SSE4\n"
    planted_files = {"src/a.cpp": own + "HWY_EXPORT(f);\n", "src/b.cpp": "HWY_EXPORT(f);\n",
                     "src/c.cpp": own + "HWY_STATIC_DISPATCH(f)();\n",
                     "src/d.cpp": "# undef HWY_DISABLED_TARGETS\nHWY_DYNAMIC_DISPATCH_T (f);\n"}
    if len(list(own_tables(planted_files))) != 2:
        sys.exit("layers: a table of vector targets of its own was not reported")
    print(f"layers: all {planted} planted includes were reported")


def main():
    root = pathlib.Path(sys.argv[1])
    table = read_table((root / "docs/design.md").read_text())
    allowed = closure(table)
    cmake = (root / "src/CMakeLists.txt").read_text()
    files = {str(path.relative_to(root)): path.read_text()
             for source in SOURCES for path in (root / source).rglob("*")
             if path.suffix in (".hpp", ".cpp")}
    found = [*differences_from_cmake(table, cmake), *violations(files, files, allowed),
             *missing_from_umbrella(files), *unportable(files), *own_tables(files)]
    print(*found, sep="\n", end="\n" if found else "")
    if found:
        sys.exit(1)
    if "--self-test" in sys.argv[2:]:
        self_test(files, allowed)
        if not list(differences_from_cmake(table, cmake + "\nshortfall_module(dp DEPENDS risk)\n")):
            sys.exit("layers: a dependency that the table does not have was not reported")


main()
