import { z } from "zod";

/**
 * A short text that people read on one line, such as a title: trimmed, 1 to `longest` characters. Refused are control
 * characters and line breaks, text of which nothing can be seen, and, unless `mayTurn`, the invisible characters that turn the
 * direction of a text and so make it read as another.
 */
export function plainText(options: { longest: number; mayTurn?: boolean }) {
  const text = z
    .string()
    .trim()
    .refine(
      (value) => Array.from(value).length <= options.longest,
      `has more than ${options.longest} characters`,
    )
    .refine(
      (value) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(value),
      "must not have control characters or line breaks",
    )
    .refine((value) => hasSomethingToSee(value), "has nothing that can be seen");
  if (options.mayTurn) return text;
  return text.refine(
    (value) => stripBidiControls(value) === value,
    "must not have characters that turn the direction of the text",
  );
}

/** A text without the invisible characters that turn its direction. */
export function stripBidiControls(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
}

// Marks need something to stand on; the braille pattern without dots is no space to Unicode, but to the eye.
function hasSomethingToSee(text: string): boolean {
  return /[^\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}
