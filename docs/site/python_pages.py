"""Pages of the Python reference: signatures from the stubs, texts from the package itself."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from pathlib import Path

MODULES = {
    "shortfall": "Losses, models, solvers and learners",
    "shortfall.inventory": "Perishable stock",
    "shortfall.gym": "The stock as an environment for agents",
    "shortfall.theory": "Conditions and limits of learning",
    "shortfall.features": "Feature maps",
    "shortfall.library": "Models with known solutions",
    "shortfall.plot": "Pictures, with matplotlib",
}


def _text(thing: object) -> str:
    """The docstring as Markdown, without the signatures that pybind11 puts in front."""
    text = inspect.cleandoc(getattr(thing, "__doc__", None) or "")
    text = re.sub(r"\A\w+\(.*\) -> .*\n", "", text).strip()
    if text.startswith("Overloaded function."):
        text = re.sub(
            r"^\d+\. \w+\(.*\) -> .*$", "", text.split("\n", 1)[1], flags=re.MULTILINE
        ).strip()
    text = re.sub(r"^Examples\n-+$", "", text, flags=re.MULTILINE)
    lines: list[str] = []
    in_code = False
    for line in text.split("\n"):
        starts = line.startswith(">>>")
        if starts and not in_code:
            lines += ["", "```pycon"]
            in_code = True
        elif in_code and not line.strip():
            lines.append("```")
            in_code = False
        is_formula = not in_code and line.startswith("    ")
        lines.append(line if in_code or is_formula else re.sub(r"([*<>\[\]|])", r"\\\1", line))
    return "\n".join(lines + ["```"] if in_code else lines)


def _signature(node: ast.FunctionDef, prefix: str = "") -> str:
    """In one line, or with one argument per line where that is long."""
    node.body, node.decorator_list = [ast.Expr(ast.Constant(...))], []
    line = ast.unparse(node).split("\n")[0].removeprefix("def ").removesuffix(":")
    line = prefix + re.sub(r"\(self, |\(self\b", "(", line, count=1)
    if len(line) <= 88:
        return line
    head, rest = line.split("(", 1)
    inner, tail = rest.rsplit(")", 1)
    arguments = re.split(r", (?![^\[(]*[\])])", inner)
    return head + "(\n" + "".join(f"    {each},\n" for each in arguments) + ")" + tail


def _function(module: object, nodes: list[ast.FunctionDef]) -> list[str]:
    name = nodes[0].name
    lines = [f"## {name}", "", "```python", *[_signature(node) for node in nodes], "```", ""]
    return lines + [_text(getattr(module, name)), ""]


def _class(module: object, node: ast.ClassDef) -> list[str]:
    thing = getattr(module, node.name)
    lines = [f"## {node.name}", "", _text(thing), ""]
    methods: dict[str, list[ast.FunctionDef]] = {}
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and (each.name == "__init__" or each.name[0] != "_"):
            methods.setdefault(each.name, []).append(each)
    attributes = [each for each in node.body if isinstance(each, ast.AnnAssign)]
    if attributes:
        lines += [
            "Attributes: " + ", ".join(f"`{ast.unparse(each)}`" for each in attributes) + ".",
            "",
        ]
    for name, nodes in methods.items():
        is_property = any(getattr(d, "id", "") == "property" for d in nodes[0].decorator_list)
        member = getattr(thing, name)  # what stubs declare exists
        if name == "__init__":
            signatures = [
                _signature(n).replace("__init__", node.name).removesuffix(" -> None") for n in nodes
            ]
            lines += ["```python", *signatures, "```", ""]
        elif is_property:
            said = " ".join(_text(member).split())
            returns = ast.unparse(nodes[0].returns) if nodes[0].returns else ""
            lines += [f"- `{name}: {returns}`" + (f": {said}" if said else ""), ""]
        else:
            prefix = (
                f"{node.name}."
                if any(getattr(d, "id", "") == "staticmethod" for d in nodes[0].decorator_list)
                else "."
            )
            lines += [
                "```python",
                *[_signature(n, prefix) for n in nodes],
                "```",
                "",
                _text(member),
                "",
            ]
    return lines


def module_page(name: str, stub: Path) -> str:
    module = importlib.import_module(name)
    lines = [f"# {name}", "", _text(module), ""]
    functions: dict[str, list[ast.FunctionDef]] = {}
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name[0] != "_":
            functions.setdefault(node.name, []).append(node)
    if stub.suffix == ".py":  # a package of several files, with annotations in the code
        for each in module.__all__:
            thing = getattr(module, each)
            signature = f"{each}{inspect.signature(thing)}".replace("'", "")
            lines += [f"## {each}", "", "```python", signature, "```", "", _text(thing), ""]
    done = set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name[0] != "_":
            lines += _class(module, node)
        elif isinstance(node, ast.FunctionDef) and node.name in functions and node.name not in done:
            done.add(node.name)
            lines += _function(module, functions[node.name])
    return "\n".join(lines)


def pages(stubs: Path, package: str) -> tuple[dict[str, str], list[str]]:
    """By name, and the rows of a table of modules."""
    sys.path.insert(0, package)
    texts, rows = {}, ["| module | contents |", "|---|---|"]
    for name, title in MODULES.items():
        part = name.removeprefix("shortfall").removeprefix(".")
        candidates = [
            stubs / f"{part or '__init__'}.pyi",
            stubs / part / "__init__.pyi",
            stubs / part / "__init__.py",
        ]
        stub = next(path for path in candidates if path.is_file())
        file = part or "core"
        texts[file] = module_page(name, stub)
        rows.append(f"| [`{name}`](python/{file}.md) | {title} |")
    return texts, rows
