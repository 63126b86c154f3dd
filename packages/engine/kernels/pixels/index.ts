// The sampling of images. A pixel has three bytes and is read with the byte after it; colours are floats.

/** The homography of `sampleQuad`, eight doubles. */
export const HOMOGRAPHY: u32 = 1024;
/**
 * The pixels that each new column or row covers: the first one and the first weight of each, with one entry
 * more than columns, and the weights as floats.
 */
export const COLUMN_FIRST: u32 = 4096;
export const COLUMN_START: u32 = 8192;
export const COLUMN_WEIGHTS: u32 = 16384;
export const ROW_FIRST: u32 = 49152;
export const ROW_START: u32 = 53248;
export const ROW_WEIGHTS: u32 = 61440;
/** Sums over a row of pixels and over rows, four floats per new pixel. */
const NARROW: u32 = 94208;
const SUMS: u32 = 110592;
/** Products of the homography with the columns: six doubles per sample, two samples per column. */
const ACROSS: u32 = 126976;
/** The first address that the caller may use; there may be at most 1024 columns and 1024 rows. */
export const FREE: u32 = 262144;

/** Returns the three bytes of a pixel and the byte after it as floats. */
function coloursAt(at: u32): v128 {
  return f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at))));
}

/** Writes three colours of 0 to 255 as bytes. */
function storeColours(to: u32, colours: v128): void {
  const bytes = i32x4.trunc_sat_f32x4_u(f32x4.add(colours, f32x4.splat(0.5)));
  store<u8>(to, <u8>i32x4.extract_lane(bytes, 0));
  store<u8>(to, <u8>i32x4.extract_lane(bytes, 1), 1);
  store<u8>(to, <u8>i32x4.extract_lane(bytes, 2), 2);
}

/**
 * Stretches a part of an image of `imageWidth` pixels at `pixels` to `width` times `height` pixels at `out`.
 * Each is the mean of the pixels that it covers, by the weights in COLUMN_* and ROW_*.
 */
export function stretch(pixels: u32, imageWidth: u32, width: u32, height: u32, out: u32): void {
  const sumsEnd = SUMS + (width << 4);
  let narrowed: u32 = 0xffffffff;
  let to = out;
  for (let y: u32 = 0; y < height; y++) {
    memory.fill(SUMS, 0, width << 4);
    const start = load<u32>(ROW_START + (y << 2));
    const count = load<u32>(ROW_START + (y << 2), 4) - start;
    const first = load<u32>(ROW_FIRST + (y << 2));
    for (let step: u32 = 0; step < count; step++) {
      // A row that two new rows share is the last one of the first and the first one of the second.
      if (first + step !== narrowed) stretchRow(pixels + (first + step) * imageWidth * 3, width);
      narrowed = first + step;
      const weight = v128.load32_splat(ROW_WEIGHTS + ((start + step) << 2));
      for (let sum = SUMS, at = NARROW; sum < sumsEnd; sum += 16, at += 16)
        v128.store(sum, f32x4.add(v128.load(sum), f32x4.mul(weight, v128.load(at))));
    }
    for (let sum = SUMS; sum < sumsEnd; sum += 16, to += 3) storeColours(to, v128.load(sum));
  }
}

function stretchRow(row: u32, width: u32): void {
  for (let column: u32 = 0; column < width; column++) {
    const entry = COLUMN_START + (column << 2);
    let at = row + load<u32>(COLUMN_FIRST + (column << 2)) * 3;
    let sum = f32x4.splat(0);
    const end = COLUMN_WEIGHTS + (load<u32>(entry, 4) << 2);
    for (let weights = COLUMN_WEIGHTS + (load<u32>(entry) << 2); weights < end; weights += 4, at += 3)
      sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(weights), coloursAt(at)));
    v128.store(NARROW + (column << 4), sum);
  }
}

/**
 * Fills `width` times `height` pixels at `out` with the image under HOMOGRAPHY, which projects the unit square
 * into it. Each is the mean of two by two bilinear samples; the border of the image is repeated. Positions are
 * doubles, colours floats.
 */
export function sampleQuad(
  pixels: u32,
  imageWidth: u32,
  imageHeight: u32,
  width: u32,
  height: u32,
  out: u32,
): void {
  const a = load<f64>(HOMOGRAPHY);
  const b = load<f64>(HOMOGRAPHY, 8);
  const d = load<f64>(HOMOGRAPHY, 24);
  const e = load<f64>(HOMOGRAPHY, 32);
  const g = load<f64>(HOMOGRAPHY, 48);
  const h = load<f64>(HOMOGRAPHY, 56);
  const offset = f64x2(load<f64>(HOMOGRAPHY, 16), load<f64>(HOMOGRAPHY, 40));
  for (let at: u32 = 0; at < width << 1; at++) {
    const u = (<f64>(at >> 1) + 0.25 + 0.5 * <f64>(at & 1)) / <f64>width;
    const to = ACROSS + at * 32;
    store<f64>(to, a * u);
    store<f64>(to, d * u, 8);
    store<f64>(to, g * u, 16);
  }
  const stride = imageWidth * 3;
  const last = f64x2(<f64>(imageWidth - 1), <f64>(imageHeight - 1));
  const half = f64x2.splat(0.5);
  const zero = f64x2.splat(0);
  const integer = f64x2.splat(4503599627370496);
  const isAffine = g === 0 && h === 0;
  let to = out;
  for (let y: u32 = 0; y < height; y++) {
    for (let x: u32 = 0; x < width; x++, to += 3) {
      let sum = f32x4.splat(0);
      for (let down: u32 = 0; down < 2; down++) {
        const v = (<f64>y + 0.25 + 0.5 * <f64>down) / <f64>height;
        const rowXy = f64x2.add(f64x2(b * v, e * v), offset);
        const rowDepth = h * v;
        const end = ACROSS + ((x + 1) << 6);
        for (let across = ACROSS + (x << 6); across < end; across += 32) {
          let projected = f64x2.add(v128.load(across), rowXy);
          if (!isAffine) {
            projected = f64x2.div(projected, f64x2.splat(load<f64>(across, 16) + rowDepth + 1));
          }
          const at = f64x2.pmin(last, f64x2.pmax(zero, f64x2.sub(projected, half)));
          const whole = f64x2.floor(at);
          const far = f32x4.demote_f64x2_zero(f64x2.sub(at, whole));
          // A double of 2^52 has its integer in the low bits.
          const bits = f64x2.add(whole, integer);
          const left = <u32>i32x4.extract_lane(bits, 0);
          const top = <u32>i32x4.extract_lane(bits, 2);
          const corner = pixels + top * stride + left * 3;
          const right: u32 = left + 1 < imageWidth ? 3 : 0;
          const below: u32 = top + 1 < imageHeight ? stride : 0;
          const shareX = f32x4.shuffle(far, far, 0, 0, 0, 0);
          const shareY = f32x4.shuffle(far, far, 1, 1, 1, 1);
          const upper = blend(coloursAt(corner), coloursAt(corner + right), shareX);
          const lower = blend(coloursAt(corner + below), coloursAt(corner + below + right), shareX);
          sum = f32x4.add(sum, blend(upper, lower, shareY));
        }
      }
      storeColours(to, f32x4.mul(sum, f32x4.splat(0.25)));
    }
  }
}

/** Returns a value between two by the share of the second one. */
function blend(from: v128, to: v128, share: v128): v128 {
  return f32x4.add(from, f32x4.mul(f32x4.sub(to, from), share));
}

/** Halves an image; each pixel at `out` is the mean of four. */
export function halve(pixels: u32, width: u32, height: u32, out: u32): void {
  const right: u32 = width > 1 ? 3 : 0;
  const below: u32 = height > 1 ? width * 3 : 0;
  const halfWidth = max<u32>(1, width >> 1);
  const halfHeight = max<u32>(1, height >> 1);
  let to = out;
  for (let y: u32 = 0; y < halfHeight; y++) {
    let from = pixels + y * 2 * width * 3;
    for (let x: u32 = 0; x < halfWidth; x++, from += 6, to += 3) {
      for (let colour: u32 = 0; colour < 3; colour++) {
        const at = from + colour;
        const sum =
          <u32>load<u8>(at) + load<u8>(at + right) + load<u8>(at + below) + load<u8>(at + right + below);
        store<u8>(to + colour, <u8>((sum + 2) >> 2));
      }
    }
  }
}
