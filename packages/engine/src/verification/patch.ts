/** A grid of samples; samples whose `valid` is 0 instead of 1 are not compared. */
export type Patch = { width: number; height: number; values: Float32Array; valid: Float32Array };
