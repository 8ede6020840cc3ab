// Reads animations of a run with other people's readers: check_animations.mjs RUN FILE.glb FILE.usda
//
// glTF: the Khronos validator finds no error and no warning; every frame, as a viewer computes it, equals the cache.
// USD: three.js' parser finds prims, UVs, normals and materials; the points of every frame equal the cache.
import fs from 'node:fs';
import path from 'node:path';
import validator from 'gltf-validator';
import { USDAParser } from 'three/examples/jsm/loaders/usd/USDAParser.js';

const TOLERANCE = 1e-6;  // m
const [run, glb, usda] = process.argv.slice(2);
const faults = [];

function fail(text) {
    faults.push(text);
    console.error(text);
}

// Positions of all frames of a cache, as Float32Array each.
function readPc2(file) {
    const bytes = fs.readFileSync(file);
    const points = bytes.readInt32LE(16), samples = bytes.readInt32LE(28);
    const frame = i => new Float32Array(bytes.buffer.slice(bytes.byteOffset + 32 + i * points * 12,
                                                           bytes.byteOffset + 32 + (i + 1) * points * 12));
    return Array.from({ length: samples }, (_, i) => frame(i));
}

function largestDifference(a, b) {
    let largest = a.length === b.length ? 0 : Infinity;
    for (let i = 0; i < a.length; ++i) {
        const difference = Math.abs(a[i] - b[i]);
        if (!(difference <= largest)) largest = difference;  // NaN counts as a difference
    }
    return largest;
}

function caches() {
    const found = {};
    for (const name of fs.readdirSync(path.join(run, 'cache')))
        if (name.endsWith('.pc2')) found[name.slice(0, -4)] = readPc2(path.join(run, 'cache', name));
    return found;
}

// ---- glTF

class Glb {
    constructor(file) {
        const bytes = fs.readFileSync(file), length = bytes.readUInt32LE(12);
        this.json = JSON.parse(bytes.subarray(20, 20 + length).toString());
        this.data = bytes.subarray(28 + length);
    }
    floats(index) {
        const accessor = this.json.accessors[index], view = this.json.bufferViews[accessor.bufferView];
        const columns = { SCALAR: 1, VEC2: 2, VEC3: 3 }[accessor.type];
        const begin = this.data.byteOffset + view.byteOffset + (accessor.byteOffset ?? 0);
        return new Float32Array(this.data.buffer.slice(begin, begin + 4 * columns * accessor.count));
    }
    weights(index) {
        const accessor = this.json.accessors[index], view = this.json.bufferViews[accessor.bufferView];
        return Array.from(this.data.subarray(view.byteOffset, view.byteOffset + accessor.count), byte => byte / 255);
    }
}

function glbFrame(glb, primitive, weights, frame, vertices) {
    const x = Float64Array.from(glb.floats(primitive.attributes.POSITION));
    (primitive.targets ?? []).forEach((target, k) => {
        const w = weights[frame * primitive.targets.length + k];
        if (w === 0) return;
        glb.floats(target.POSITION).forEach((value, i) => { x[i] += w * value; });
    });
    const zUp = new Float64Array(3 * vertices);  // copies at seams come behind the vertices of the mesh
    for (let i = 0; i < vertices; ++i) zUp.set([x[3 * i], -x[3 * i + 2], x[3 * i + 1]], 3 * i);
    return zUp;
}

async function checkGlb() {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(glb)));
    const { numErrors, numWarnings, messages } = report.issues;
    if (numErrors + numWarnings > 0) fail(`${glb}: validator: ${JSON.stringify(messages.slice(0, 5))}`);
    const file = new Glb(glb);
    const weights = file.weights(file.json.animations[0].samplers[0].output);
    let largest = 0, frames = 0;
    for (const [name, wanted] of Object.entries(caches())) {
        const primitive = file.json.meshes[file.json.nodes.find(node => node.name === name).mesh].primitives[0];
        wanted.forEach((x, i) => {
            largest = Math.max(largest, largestDifference(glbFrame(file, primitive, weights, i, x.length / 3), x));
            ++frames;
        });
    }
    if (!(largest <= TOLERANCE) || frames === 0) fail(`${glb}: positions differ from the cache by ${largest} m`);
    console.log(`${glb}: validator ${report.validatorVersion}: ${numErrors} errors, ${numWarnings} warnings; ` +
                `${frames} frames differ from the cache by at most ${largest.toExponential(2)} m`);
}

// ---- USD

function checkUsda() {
    const { specsByPath: specs } = new USDAParser().parseData(fs.readFileSync(usda, 'utf8'));
    const fields = name => specs[name]?.fields ?? {};
    const meshes = Object.keys(specs).filter(name => fields(name).typeName === 'Mesh');
    let largest = 0, frames = 0;
    for (const [name, wanted] of Object.entries(caches())) {
        const prim = meshes.find(mesh => mesh.endsWith('/' + name.replaceAll('-', '_')));
        if (!prim) { fail(`${usda}: no Mesh '${name}'`); continue; }
        const { times, values } = fields(prim + '.points').timeSamples;
        const normals = fields(prim + '.normals').timeSamples;
        if (times.length !== wanted.length || normals.times.length !== wanted.length)
            fail(`${usda}: ${name}: ${times.length} samples, the cache has ${wanted.length} frames`);
        wanted.forEach((x, i) => {
            if (times[i] !== i) fail(`${usda}: ${name}: sample ${i} is at ${times[i]}`);
            largest = Math.max(largest, largestDifference(Array.from(values[i]).flat(), x));
            ++frames;
        });
        for (const key of ['faceVertexCounts', 'faceVertexIndices'])
            if (!fields(`${prim}.${key}`).default) fail(`${usda}: ${name}: no ${key}`);
    }
    const materials = Object.keys(specs).filter(name => fields(name).typeName === 'Material');
    if (materials.length === 0) fail(`${usda}: no material`);
    if (!(largest <= TOLERANCE) || frames === 0) fail(`${usda}: points differ from the cache by ${largest} m`);
    console.log(`${usda}: three.js: ${meshes.length} meshes, materials ${materials.join(' ')}; ` +
                `${frames} frames differ from the cache by at most ${largest.toExponential(2)} m`);
}

await checkGlb();
checkUsda();
process.exit(faults.length === 0 ? 0 : 1);
