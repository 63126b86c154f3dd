// Writes the principal axes of described frames and crops: node write-axes.mjs DESCRIBED_FOLDER OUTPUT_FILE
// 128 rows of 128 floats, those of most energy first; eigenvectors of the second moments by Jacobi's method.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const DIMENSIONS = 128;
const [folder, output] = process.argv.slice(2);
const moments = Array.from({ length: DIMENSIONS }, () => new Float64Array(DIMENSIONS));
for (const file of ["frames.bin", "crops.bin"]) {
  const bytes = readFileSync(path.join(folder, file));
  const codes = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let from = 0; from < codes.length; from += DIMENSIONS) {
    let squares = 0;
    for (let a = 0; a < DIMENSIONS; a++) squares += codes[from + a] ** 2;
    for (let a = 0; a < DIMENSIONS; a++) {
      for (let b = 0; b <= a; b++) moments[a][b] += (codes[from + a] * codes[from + b]) / (squares || 1);
    }
  }
}
for (let a = 0; a < DIMENSIONS; a++) for (let b = a + 1; b < DIMENSIONS; b++) moments[a][b] = moments[b][a];
const vectors = moments.map((_, a) => Float64Array.from({ length: DIMENSIONS }, (_, b) => Number(a === b)));
for (let sweep = 0; sweep < 30; sweep++) {
  for (let p = 0; p < DIMENSIONS; p++) {
    for (let q = p + 1; q < DIMENSIONS; q++) rotatePair(p, q);
  }
}
const order = moments.map((_, a) => a).sort((a, b) => moments[b][b] - moments[a][a]);
const total = order.reduce((sum, a) => sum + moments[a][a], 0);
let energy = 0;
for (const [rank, a] of order.entries()) {
  energy += moments[a][a];
  if ([16, 32, 48, 64, 96].includes(rank + 1))
    print(`${rank + 1} axes: ${(energy / total).toFixed(4)} of the energy`);
}
const rows = Float32Array.from(
  order.flatMap((a) => Array.from({ length: DIMENSIONS }, (_, d) => vectors[d][a])),
);
writeFileSync(output, Buffer.from(rows.buffer));

function rotatePair(p, q) {
  if (Math.abs(moments[p][q]) < 1e-12) return;
  const theta = (moments[q][q] - moments[p][p]) / (2 * moments[p][q]);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < DIMENSIONS; k++) {
    const [a, b] = [moments[k][p], moments[k][q]];
    moments[k][p] = c * a - s * b;
    moments[k][q] = s * a + c * b;
  }
  for (let k = 0; k < DIMENSIONS; k++) {
    const [a, b] = [moments[p][k], moments[q][k]];
    moments[p][k] = c * a - s * b;
    moments[q][k] = s * a + c * b;
    const [v, w] = [vectors[k][p], vectors[k][q]];
    vectors[k][p] = c * v - s * w;
    vectors[k][q] = s * v + c * w;
  }
}

function print(...values) {
  process.stdout.write(`${values.join(" ")}\n`);
}
