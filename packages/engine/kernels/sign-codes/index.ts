// The search of the nearest codes by their Hamming distance. The memory contains the query, the list of the
// nearest labels, the sums of the query's components, then codes and states at addresses that the caller
// chooses.

/** Where the caller writes the code of the query. */
export const QUERY: u32 = 1024;
/** Numbers of listed codes by their distance. */
const HISTOGRAM: u32 = 2048;
const MOST_DISTANCE: i32 = 1024;
/** Labels of the list, and their distances. */
const LABELS: u32 = 8192;
const DISTANCES: u32 = 40960;
const CAPACITY: u32 = 8192;
/** Scores of the listed labels in the place of their distances, and the numbers of scores by their step. */
const SCORES: u32 = 40960;
const STEPS: u32 = 73728;
const SCORE_STEPS: u32 = 512;
/** The first address that the caller may use. */
export const FREE: u32 = 75776;

const SHOWN: u8 = 1;

let size: u32 = 0;
/** Codes of a larger distance are not added. */
let limit: i32 = MOST_DISTANCE;

/** Starts a search with an empty list. */
export function begin(): void {
  size = 0;
  limit = MOST_DISTANCE;
  memory.fill(HISTOGRAM, 0, (MOST_DISTANCE + 1) << 2);
}

/**
 * Adds the codes of labels in a range, ascending, to the list. The list keeps all codes up to the smallest
 * distance that at least `count` codes have; of codes of equal distance, the first ones when it is full.
 * `bytes` per code are a multiple of 8.
 */
export function scan(codes: u32, states: u32, bytes: u32, first: u32, end: u32, count: u32): void {
  if (bytes === 16) {
    scanShort(codes, states, first, end, count);
    return;
  }
  let code = codes + first * bytes;
  for (let label = first; label < end; label++, code += bytes) {
    let distance: u64 = 0;
    for (let at: u32 = 0; at < bytes; at += 8)
      distance += popcnt(load<u64>(code + at) ^ load<u64>(QUERY + at));
    if (<i32>distance <= limit) add(states, label, <i32>distance, count);
  }
}

/** Scans codes of 128 bits, four at a time: few of them are near enough to be added. */
function scanShort(codes: u32, states: u32, first: u32, end: u32, count: u32): void {
  const low = load<u64>(QUERY);
  const high = load<u64>(QUERY + 8);
  let code = codes + (first << 4);
  let label = first;
  let most = <u64>limit;
  for (; label + 4 <= end; label += 4, code += 64) {
    const a = popcnt(load<u64>(code) ^ low) + popcnt(load<u64>(code, 8) ^ high);
    const b = popcnt(load<u64>(code, 16) ^ low) + popcnt(load<u64>(code, 24) ^ high);
    const c = popcnt(load<u64>(code, 32) ^ low) + popcnt(load<u64>(code, 40) ^ high);
    const d = popcnt(load<u64>(code, 48) ^ low) + popcnt(load<u64>(code, 56) ^ high);
    if (min(min(a, b), min(c, d)) > most) continue;
    if (a <= <u64>limit) add(states, label, <i32>a, count);
    if (b <= <u64>limit) add(states, label + 1, <i32>b, count);
    if (c <= <u64>limit) add(states, label + 2, <i32>c, count);
    if (d <= <u64>limit) add(states, label + 3, <i32>d, count);
    most = <u64>limit;
  }
  for (; label < end; label++, code += 16) {
    const distance = <i32>(popcnt(load<u64>(code) ^ low) + popcnt(load<u64>(code, 8) ^ high));
    if (distance <= limit) add(states, label, distance, count);
  }
}

function add(states: u32, label: u32, distance: i32, count: u32): void {
  if (load<u8>(states + label) !== SHOWN) return;
  if (size === CAPACITY) {
    shrink(count);
    if (distance > limit) return;
  }
  store<u32>(LABELS + (size << 2), label);
  store<u16>(DISTANCES + (size << 1), <u16>distance);
  const entry = HISTOGRAM + (distance << 2);
  store<u32>(entry, load<u32>(entry) + 1);
  size++;
}

/** Ends a search and returns the number of listed labels. */
export function finish(count: u32): u32 {
  shrink(count);
  return size;
}

/**
 * Selects about `count` of the listed labels: those of the highest scores. A score is the sum of one float per
 * byte of the code; `tables` has 256 of them for each byte. It counts scores in steps of their range instead of sorting. Returns their number.
 */
export function selectBest(codes: u32, bytes: u32, tables: u32, count: u32): u32 {
  if (size <= count) return size;
  let low: f32 = Infinity;
  let high: f32 = -Infinity;
  for (let at: u32 = 0; at < size; at++) {
    const score = scoreOf(codes + load<u32>(LABELS + (at << 2)) * bytes, bytes, tables);
    low = score < low ? score : low;
    high = score > high ? score : high;
    store<f32>(SCORES + (at << 2), score);
  }
  const factor = high > low ? <f64>(SCORE_STEPS - 1) / (<f64>high - <f64>low) : 0;
  memory.fill(STEPS, 0, SCORE_STEPS << 2);
  for (let at: u32 = 0; at < size; at++) {
    const entry = STEPS + (stepOf(at, low, factor) << 2);
    store<u32>(entry, load<u32>(entry) + 1);
  }
  let least: u32 = SCORE_STEPS - 1;
  for (let sum = load<u32>(STEPS + (least << 2)); least > 0 && sum < count; )
    sum += load<u32>(STEPS + (--least << 2));
  let remaining: u32 = 0;
  for (let at: u32 = 0; at < size; at++) {
    if (stepOf(at, low, factor) < least) continue;
    store<u32>(LABELS + (remaining << 2), load<u32>(LABELS + (at << 2)));
    remaining++;
  }
  size = remaining;
  return size;
}

/** Adds in the order of a plain loop, four bytes at a time. */
function scoreOf(code: u32, bytes: u32, tables: u32): f32 {
  let score: f64 = 0;
  let table = tables;
  for (let at: u32 = 0; at < bytes; at += 4, table += 4096) {
    const word = load<u32>(code + at);
    score +=
      <f64>load<f32>(table + ((word & 255) << 2)) +
      <f64>load<f32>(table + (((word >> 8) & 255) << 2), 1024) +
      <f64>load<f32>(table + (((word >> 16) & 255) << 2), 2048) +
      <f64>load<f32>(table + ((word >> 24) << 2), 3072);
  }
  return <f32>score;
}

function stepOf(at: u32, low: f32, factor: f64): u32 {
  return <u32>((<f64>load<f32>(SCORES + (at << 2)) - <f64>low) * factor);
}

/** The address of the listed labels, ascending. */
export function labels(): u32 {
  return LABELS;
}

/** Removes the codes that are not needed, and lowers the limit of further ones. */
function shrink(count: u32): void {
  let sum: u32 = 0;
  let needed: i32 = 0;
  for (; needed < MOST_DISTANCE; needed++) {
    sum += load<u32>(HISTOGRAM + (needed << 2));
    if (sum >= count) break;
  }
  let remaining: u32 = 0;
  for (let at: u32 = 0; at < size; at++) {
    const distance = load<u16>(DISTANCES + (at << 1));
    if (<i32>distance > needed) continue;
    store<u32>(LABELS + (remaining << 2), load<u32>(LABELS + (at << 2)));
    store<u16>(DISTANCES + (remaining << 1), distance);
    remaining++;
  }
  size = remaining;
  for (let distance = needed + 1; distance <= MOST_DISTANCE; distance++)
    store<u32>(HISTOGRAM + (distance << 2), 0);
  limit = min(limit, size === CAPACITY ? needed - 1 : needed);
}
