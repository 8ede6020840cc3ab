#!/usr/bin/env python3
"""Writes the binary seeds of the fuzz targets (the text ones are written by hand).  fuzz/make_seeds.py"""
import base64
import json
import pathlib
import struct

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE / "corpus"


def put(target, name, data):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def pc2(points, frames, start=0.0, rate=1.0):
    head = b"POINTCACHE2\0" + struct.pack("<iiffi", 1, points, start, rate, frames)
    return head + b"".join(struct.pack("<f", 0.25 * i) for i in range(3 * points * frames))


def mdd(points, frames):
    head = struct.pack(">ii", frames, points) + b"".join(struct.pack(">f", i / 24) for i in range(frames))
    return head + b"".join(struct.pack(">f", 0.25 * i) for i in range(3 * points * frames))


def ply(order, faces_first=False):
    sign = "<" if order == "little" else ">"
    text = f"ply\nformat binary_{order}_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n" \
           "property float z\nproperty uchar red\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
    rows = b"".join(struct.pack(sign + "fffB", *v, 7) for v in ((0, 0, 0), (1, 0, 0), (0, 1, 0)))
    return text.encode() + rows + struct.pack(sign + "Biii", 3, 0, 1, 2)


def body():
    """A triangle that follows two joints, one of which turns."""
    blobs, views, accessors = [], [], []

    def add(fmt, values, kind, component, count):
        data = struct.pack("<" + fmt * len(values), *values)
        offset = sum(len(b) for b in blobs)
        blobs.append(data + b"\0" * (-len(data) % 4))
        views.append({"buffer": 0, "byteOffset": offset, "byteLength": len(data)})
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "type": kind, "count": count})
        return len(accessors) - 1

    identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    position = add("f", [0, 0, 0, 1, 0, 0, 0, 1, 0], "VEC3", 5126, 3)
    index = add("H", [0, 1, 2], "SCALAR", 5123, 3)
    joints = add("B", [0, 1, 0, 0] * 3, "VEC4", 5121, 3)
    weights = add("f", [0.5, 0.5, 0, 0] * 3, "VEC4", 5126, 3)
    bind = add("f", identity * 2, "MAT4", 5126, 2)
    times = add("f", [0, 0.5, 1], "SCALAR", 5126, 3)
    turns = add("f", [0, 0, 0, 1, 0, 0, 0.7071, 0.7071, 0, 0, 0, 1], "VEC4", 5126, 3)
    moves = add("f", [0.1 * i for i in range(27)], "VEC3", 5126, 9)
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"children": [2], "translation": [0, 0, 1]}, {"scale": [1, 1, 2]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights},
                                    "indices": index}]}],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": bind}],
        "animations": [{"name": "wave", "channels": [
            {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
            {"sampler": 1, "target": {"node": 2, "path": "translation"}}],
            "samplers": [{"input": times, "output": turns},
                         {"input": times, "output": moves, "interpolation": "CUBICSPLINE"}]}],
        "accessors": accessors, "bufferViews": views}
    return document, b"".join(blobs)


def glb(document, blob):
    document = dict(document, buffers=[{"byteLength": len(blob)}])
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(blob), 0x004E4942) + blob
    return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks


def gltf(document, blob):
    uri = "data:application/octet-stream;base64," + base64.b64encode(blob).decode()
    return json.dumps(dict(document, buffers=[{"byteLength": len(blob), "uri": uri}]), separators=(",", ":"))


def main():
    put("point_cache", "two.pc2", pc2(2, 2))
    put("point_cache", "empty.pc2", pc2(1, 0))
    put("point_cache", "two.mdd", mdd(2, 2))
    put("ply", "little.ply", ply("little"))
    put("ply", "big.ply", ply("big"))
    document, blob = body()
    put("gltf", "body.glb", glb(document, blob))
    put("gltf", "body.gltf", gltf(document, blob))
    plain = {"asset": {"version": "2.0"}, "nodes": [{"mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 5}]}],
             "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4}],
             "bufferViews": [{"buffer": 0, "byteLength": 48}]}
    put("gltf", "strip.gltf", gltf(plain, struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0)))
    files = HERE / "files"
    files.mkdir(exist_ok=True)
    (files / "body.glb").write_bytes(glb(document, blob))
    (files / "square.pc2").write_bytes(pc2(4, 2))


if __name__ == "__main__":
    main()
