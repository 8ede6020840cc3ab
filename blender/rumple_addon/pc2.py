"""Point caches (PC2): positions of one mesh, frame after frame. Needs numpy, not Blender."""
import os
import struct

import numpy as np

HEADER = struct.Struct("<12siiffi")
MAGIC = b"POINTCACHE2\0"


def read_counts(path):
    """(vertices, whole frames). (0, 0) where there is no cache yet."""
    try:
        with open(path, "rb") as file:
            data = file.read(HEADER.size)
    except OSError:
        return 0, 0
    if len(data) < HEADER.size or not data.startswith(MAGIC):
        return 0, 0
    _, _, points, _, _, frames = HEADER.unpack(data)
    return points, frames


def read_frame(path, frame):
    """Positions as an array (vertices, 3)."""
    points, frames = read_counts(path)
    if not 0 <= frame < frames:
        raise ValueError(f"{path}: there is no frame {frame}; it has {frames}, counted from 0")
    with open(path, "rb") as file:
        file.seek(HEADER.size + 12 * points * frame)
        return np.frombuffer(file.read(12 * points), dtype="<f4").reshape(-1, 3)


class Writer:
    """Appends frames; the file can be read up to its last whole frame at any moment."""

    def __init__(self, path, points):
        self.points, self.frames = points, 0
        self.file = open(path, "wb")
        self._write_header()

    def _write_header(self):
        self.file.seek(0)
        self.file.write(HEADER.pack(MAGIC, 1, self.points, 0.0, 1.0, self.frames))

    def append(self, positions):
        if len(positions) != self.points:
            raise ValueError(f"{self.file.name}: a frame of {len(positions)} points for a cache of {self.points}")
        self.file.seek(0, os.SEEK_END)
        self.file.write(np.ascontiguousarray(positions, dtype="<f4").tobytes())
        self.frames += 1

    def close(self):
        self._write_header()
        self.file.close()
