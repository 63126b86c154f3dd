// Arithmetic on vectors. A stored code is int8 with a factor that turns its dot product with a query into a
// cosine. A query is int16 (component times 32767): i32x4.dot_i16x8_s needs 16 bits in any case, so the
// additional precision of the query is free. No sum overflows: 127 * 32767 * sqrt(dimensions) is below 2^31
// up to 65,000 dimensions.

import { AXES, DIMENSIONS, PREFIX, read, TREE_DIMENSIONS } from "./layout";

export const QUERY_SCALE: f32 = 32767;

/** Returns the sum of the products of a code and a query over the dimensions from `from` up to `end`. */
export function dot1(code: u32, query: u32, from: u32, end: u32): i32 {
  let sum = i32x4.splat(0);
  for (let at = from; at < end; at += 16) {
    const bytes = v128.load(code + at);
    const q = query + (at << 1);
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(bytes), v128.load(q)));
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(bytes), v128.load(q, 16)));
  }
  return (
    i32x4.extract_lane(sum, 0) +
    i32x4.extract_lane(sum, 1) +
    i32x4.extract_lane(sum, 2) +
    i32x4.extract_lane(sum, 3)
  );
}

/** Computes `dot1` for four queries: the code is read and widened once. */
export function dot4(code: u32, q0: u32, q1: u32, q2: u32, q3: u32, from: u32, end: u32): v128 {
  let a = i32x4.splat(0);
  let b = i32x4.splat(0);
  let c = i32x4.splat(0);
  let d = i32x4.splat(0);
  for (let at = from; at < end; at += 16) {
    const bytes = v128.load(code + at);
    const low = i16x8.extend_low_i8x16_s(bytes);
    const high = i16x8.extend_high_i8x16_s(bytes);
    const o = at << 1;
    a = i32x4.add(a, i32x4.dot_i16x8_s(low, v128.load(q0 + o)));
    b = i32x4.add(b, i32x4.dot_i16x8_s(low, v128.load(q1 + o)));
    c = i32x4.add(c, i32x4.dot_i16x8_s(low, v128.load(q2 + o)));
    d = i32x4.add(d, i32x4.dot_i16x8_s(low, v128.load(q3 + o)));
    a = i32x4.add(a, i32x4.dot_i16x8_s(high, v128.load(q0 + o, 16)));
    b = i32x4.add(b, i32x4.dot_i16x8_s(high, v128.load(q1 + o, 16)));
    c = i32x4.add(c, i32x4.dot_i16x8_s(high, v128.load(q2 + o, 16)));
    d = i32x4.add(d, i32x4.dot_i16x8_s(high, v128.load(q3 + o, 16)));
  }
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}

/** Returns the factor of a record. */
export function factorOf(record: u32): f32 {
  return load<f32>(record + read(DIMENSIONS));
}

/** Returns the label of a record: the label of a frame, or the number of a list. */
export function labelAt(record: u32): u32 {
  return load<u32>(record + read(DIMENSIONS) + 8);
}

export function setLabel(record: u32, label: u32): void {
  store<u32>(record + read(DIMENSIONS) + 8, label);
}

/** Returns the cosine of a record and a query over the dimensions that the assignment uses. */
export function cosine(record: u32, query: u32): f32 {
  return <f32>dot1(record, query, 0, read(TREE_DIMENSIONS)) * factorOf(record);
}

/** Writes the code of a record as a query. */
export function queryOfRecord(record: u32, query: u32): void {
  const dimensions = read(DIMENSIONS);
  const factor = factorOf(record) * QUERY_SCALE * QUERY_SCALE;
  for (let at: u32 = 0; at < dimensions; at++) {
    store<i16>(query + (at << 1), <i16>nearest<f32>(<f32>load<i8>(record + at) * factor));
  }
}

/** Adds a record's unit vector to float sums. */
export function accumulate(record: u32, sums: u32): void {
  const dimensions = read(DIMENSIONS);
  const factor = f32x4.splat(factorOf(record) * QUERY_SCALE);
  for (let at: u32 = 0; at < dimensions; at += 16) {
    const bytes = v128.load(record + at);
    const low = i16x8.extend_low_i8x16_s(bytes);
    const high = i16x8.extend_high_i8x16_s(bytes);
    const to = sums + (at << 2);
    addTo(to, i32x4.extend_low_i16x8_s(low), factor);
    addTo(to + 16, i32x4.extend_high_i16x8_s(low), factor);
    addTo(to + 32, i32x4.extend_low_i16x8_s(high), factor);
    addTo(to + 48, i32x4.extend_high_i16x8_s(high), factor);
  }
}

function addTo(sums: u32, values: v128, factor: v128): void {
  v128.store(sums, f32x4.add(v128.load(sums), f32x4.mul(f32x4.convert_i32x4_s(values), factor)));
}

/** Writes the direction of float sums as a record with a label; returns false for a sum of zero. */
export function recordOfSums(sums: u32, record: u32, label: u32): bool {
  const dimensions = read(DIMENSIONS);
  let largest: f32 = 0;
  for (let at: u32 = 0; at < dimensions; at++) largest = max(largest, abs(load<f32>(sums + (at << 2))));
  if (largest === 0) return false;
  for (let at: u32 = 0; at < dimensions; at++) {
    store<i8>(record + at, <i8>nearest<f32>((load<f32>(sums + (at << 2)) / largest) * 127));
  }
  finishRecord(record, label);
  return true;
}

/** Returns the length of float sums divided by the number of their vectors. */
export function meanLength(sums: u32, count: u32): f32 {
  let squares: f32 = 0;
  for (let at: u32 = 0; at < read(DIMENSIONS); at++)
    squares += load<f32>(sums + (at << 2)) * load<f32>(sums + (at << 2));
  return count === 0 ? 0 : sqrt(squares) / <f32>count;
}

/** Completes a record from its code. The factor of a zero vector is 0. */
export function finishRecord(record: u32, label: u32): void {
  const dimensions = read(DIMENSIONS);
  let squares: f32 = 0;
  for (let at: u32 = 0; at < dimensions; at++) {
    const value = <f32>load<i8>(record + at);
    squares += value * value;
  }
  const factor: f32 = squares === 0 ? 0 : 1 / (sqrt(squares) * QUERY_SCALE);
  store<f32>(record + dimensions, factor);
  let rest: f32 = 0;
  for (let at = read(PREFIX); at < dimensions; at++) {
    const value = <f32>load<i8>(record + at) * factor * QUERY_SCALE;
    rest += value * value;
  }
  // The bound of the dimensions after the prefix is rounded up.
  store<f32>(record + dimensions + 4, sqrt(rest) * 1.0001);
  setLabel(record, label);
}

/** Rotates a float vector into the axes; copies it without axes. */
export function rotate(from: u32, to: u32): void {
  const axes = read(AXES);
  const dimensions = read(DIMENSIONS);
  if (axes === 0) {
    memory.copy(to, from, dimensions << 2);
    return;
  }
  for (let axis: u32 = 0; axis < dimensions; axis++) {
    const row = axes + ((axis * dimensions) << 2);
    let sum = f32x4.splat(0);
    for (let at: u32 = 0; at < dimensions << 2; at += 16) {
      sum = f32x4.add(sum, f32x4.mul(v128.load(row + at), v128.load(from + at)));
    }
    store<f32>(to + (axis << 2), addLanes(sum));
  }
}

/** Inverts `rotate`: the axes are orthonormal. */
export function rotateBack(from: u32, to: u32): void {
  const axes = read(AXES);
  const dimensions = read(DIMENSIONS);
  if (axes === 0) {
    memory.copy(to, from, dimensions << 2);
    return;
  }
  memory.fill(to, 0, dimensions << 2);
  for (let axis: u32 = 0; axis < dimensions; axis++) {
    const row = axes + ((axis * dimensions) << 2);
    const factor = f32x4.splat(load<f32>(from + (axis << 2)));
    for (let at: u32 = 0; at < dimensions << 2; at += 16) {
      v128.store(to + at, f32x4.add(v128.load(to + at), f32x4.mul(v128.load(row + at), factor)));
    }
  }
}

function addLanes(sum: v128): f32 {
  return (
    f32x4.extract_lane(sum, 0) +
    f32x4.extract_lane(sum, 1) +
    f32x4.extract_lane(sum, 2) +
    f32x4.extract_lane(sum, 3)
  );
}

/** Writes a float unit vector as a query; returns a bound of the sum over the dimensions after the prefix. */
export function writeQuery(vector: u32, query: u32): f32 {
  const dimensions = read(DIMENSIONS);
  const prefix = read(PREFIX);
  let rest: f32 = 0;
  for (let at: u32 = 0; at < dimensions; at++) {
    const value = load<f32>(vector + (at << 2));
    store<i16>(query + (at << 1), <i16>nearest<f32>(max<f32>(-1, min<f32>(1, value)) * QUERY_SCALE));
    if (at >= prefix) rest += value * value;
  }
  return sqrt(rest) * 1.0001 + 0.0001;
}
