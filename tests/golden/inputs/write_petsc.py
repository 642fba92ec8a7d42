"""Writes the forest of examples/forest.csv as madupite has models, in PETSc's binary format: P.bin,
6 x 3, rows by state and action; g.bin, 3 x 2, rewards. Independent of the reader: struct alone."""

import struct

P = [{0: 0.1, 1: 0.9}, {0: 1.0}, {0: 0.1, 2: 0.9}, {0: 1.0}, {0: 0.1, 2: 0.9}, {0: 1.0}]
g = [{}, {1: 1.0}, {0: 4.0, 1: 2.0}]


def write(name, rows, columns):
    entries = [(column, value) for row in rows for column, value in sorted(row.items())]
    numbers = [1211216, len(rows), columns, len(entries)]
    numbers += [len(row) for row in rows] + [column for column, _ in entries]
    with open(name, "wb") as file:
        file.write(struct.pack(f">{len(numbers)}i", *numbers))
        file.write(struct.pack(f">{len(entries)}d", *(value for _, value in entries)))


write("P.bin", P, 3)
write("g.bin", g, 2)
