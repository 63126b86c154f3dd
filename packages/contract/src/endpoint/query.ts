import { z } from "zod";

/** A whole number in decimal digits, in a query or a form field. */
export function decimalInteger(range: { minimum: number; maximum: number }) {
  return z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number")
    .transform(Number)
    .pipe(boundedInteger(range.minimum, range.maximum));
}

/** A whole number between two numbers, both included. */
export function boundedInteger(minimum: number, maximum: number) {
  return z.int().min(minimum, `must be at least ${minimum}`).max(maximum, `must be at most ${maximum}`);
}

/** The text `true` or `false`. */
export function writtenBoolean() {
  return z
    .enum(["true", "false"], "must be true or false")
    .transform((written) => written === "true")
    .pipe(z.boolean());
}

/** A part of a text to search for, in a query. */
export function searchText(description: string) {
  return z
    .string()
    .regex(/^\P{Cc}{0,200}$/u, "must have at most 200 characters, none of them a control character")
    .default("")
    .describe(description);
}

/** A part of the title of an anime, in a query. */
export function titleText() {
  return z
    .string()
    .max(200, "must have at most 200 characters")
    .regex(/^\P{Cc}*$/u, "must not have control characters")
    .default("")
    .describe("A part of any title; empty: all anime.");
}
