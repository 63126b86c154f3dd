// The sampling of images. Its arithmetic is that of doubles and floats in the order of a plain loop, so it
// does not depend on the vectors of two doubles. A pixel has three bytes and is read with the byte after it.

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

/** Returns red and green of four bytes as integers. */
function pixelAt(at: u32): v128 {
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at)));
}

/** Returns blue and the byte after it in the lanes of red and green. */
function upper(pixel: v128): v128 {
  return i64x2.shuffle(pixel, pixel, 1, 1);
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
      const weight = f64x2.splat(<f64>load<f32>(ROW_WEIGHTS + ((start + step) << 2)));
      for (let sum = SUMS, at = NARROW; sum < sumsEnd; sum += 8, at += 8) {
        const value = f64x2.mul(weight, f64x2.promote_low_f32x4(v128.load64_zero(at)));
        const total = f64x2.add(f64x2.promote_low_f32x4(v128.load64_zero(sum)), value);
        v128.store64_lane(sum, f32x4.demote_f64x2_zero(total), 0);
      }
    }
    for (let sum = SUMS; sum < sumsEnd; sum += 16, to += 3) {
      store<u8>(to, <u8>(<u32>(<f64>load<f32>(sum) + 0.5)));
      store<u8>(to, <u8>(<u32>(<f64>load<f32>(sum, 4) + 0.5)), 1);
      store<u8>(to, <u8>(<u32>(<f64>load<f32>(sum, 8) + 0.5)), 2);
    }
  }
}

function stretchRow(row: u32, width: u32): void {
  for (let column: u32 = 0; column < width; column++) {
    const entry = COLUMN_START + (column << 2);
    let at = row + load<u32>(COLUMN_FIRST + (column << 2)) * 3;
    let redGreen = f64x2.splat(0);
    let blue = f64x2.splat(0);
    const end = COLUMN_WEIGHTS + (load<u32>(entry, 4) << 2);
    for (let weights = COLUMN_WEIGHTS + (load<u32>(entry) << 2); weights < end; weights += 4, at += 3) {
      const weight = f64x2.splat(<f64>load<f32>(weights));
      const pixel = pixelAt(at);
      redGreen = f64x2.add(redGreen, f64x2.mul(weight, f64x2.convert_low_i32x4_s(pixel)));
      blue = f64x2.add(blue, f64x2.mul(weight, f64x2.convert_low_i32x4_s(upper(pixel))));
    }
    const to = NARROW + (column << 4);
    v128.store64_lane(to, f32x4.demote_f64x2_zero(redGreen), 0);
    v128.store64_lane(to, f32x4.demote_f64x2_zero(blue), 0, 8);
  }
}

/**
 * Fills `width` times `height` pixels at `out` with the image under HOMOGRAPHY, which projects the unit square
 * into it. Each is the mean of two by two bilinear samples; the border of the image is repeated.
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
  const one = f64x2.splat(1);
  const quarter = f64x2.splat(0.25);
  const integer = f64x2.splat(4503599627370496);
  let to = out;
  for (let y: u32 = 0; y < height; y++) {
    for (let x: u32 = 0; x < width; x++, to += 3) {
      let redGreen = zero;
      let blue = zero;
      for (let down: u32 = 0; down < 2; down++) {
        const v = (<f64>y + 0.25 + 0.5 * <f64>down) / <f64>height;
        const rowXy = f64x2(b * v, e * v);
        const rowDepth = h * v;
        const end = ACROSS + ((x + 1) << 6);
        for (let across = ACROSS + (x << 6); across < end; across += 32) {
          const depth = f64x2.splat(load<f64>(across, 16) + rowDepth + 1);
          const projected = f64x2.div(f64x2.add(f64x2.add(v128.load(across), rowXy), offset), depth);
          const at = f64x2.pmin(last, f64x2.pmax(zero, f64x2.sub(projected, half)));
          const whole = f64x2.floor(at);
          const far = f64x2.sub(at, whole);
          const near = f64x2.sub(one, far);
          // A double of 2^52 has its integer in the low bits.
          const bits = f64x2.add(whole, integer);
          const left = <u32>i32x4.extract_lane(bits, 0);
          const top = <u32>i32x4.extract_lane(bits, 2);
          const corner = pixels + top * stride + left * 3;
          const right: u32 = left + 1 < imageWidth ? 3 : 0;
          const below: u32 = top + 1 < imageHeight ? stride : 0;
          // Weights of the left and the right pixel, above and below.
          const shares = f64x2.shuffle(near, far, 0, 2);
          const above = f64x2.mul(shares, f64x2.shuffle(near, near, 1, 1));
          const under = f64x2.mul(shares, f64x2.shuffle(far, far, 1, 1));
          const p = f64x2.shuffle(above, above, 0, 0);
          const q = f64x2.shuffle(above, above, 1, 1);
          const r = f64x2.shuffle(under, under, 0, 0);
          const s = f64x2.shuffle(under, under, 1, 1);
          const upperLeft = pixelAt(corner);
          const upperRight = pixelAt(corner + right);
          const lowerLeft = pixelAt(corner + below);
          const lowerRight = pixelAt(corner + below + right);
          redGreen = f64x2.add(redGreen, mix(p, upperLeft, q, upperRight));
          redGreen = f64x2.add(redGreen, mix(r, lowerLeft, s, lowerRight));
          blue = f64x2.add(blue, mix(p, upper(upperLeft), q, upper(upperRight)));
          blue = f64x2.add(blue, mix(r, upper(lowerLeft), s, upper(lowerRight)));
        }
      }
      const first = i32x4.trunc_sat_f64x2_u_zero(f64x2.add(f64x2.mul(redGreen, quarter), half));
      const third = i32x4.trunc_sat_f64x2_u_zero(f64x2.add(f64x2.mul(blue, quarter), half));
      store<u8>(to, <u8>i32x4.extract_lane(first, 0));
      store<u8>(to, <u8>i32x4.extract_lane(first, 1), 1);
      store<u8>(to, <u8>i32x4.extract_lane(third, 0), 2);
    }
  }
}

/** Returns the weighted sum of two pixels. */
function mix(p: v128, left: v128, q: v128, right: v128): v128 {
  return f64x2.add(
    f64x2.mul(p, f64x2.convert_low_i32x4_s(left)),
    f64x2.mul(q, f64x2.convert_low_i32x4_s(right)),
  );
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
