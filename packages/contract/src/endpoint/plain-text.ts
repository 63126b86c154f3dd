import { z } from "zod";

/**
 * A short text of one line, such as a title: trimmed, 1 to `longest` characters. Control characters, line
 * breaks and text without visible characters are rejected, and, unless `mayChangeDirection`, invisible characters that
 * change the text direction and could disguise the text.
 */
export function plainText(options: { longest: number; mayChangeDirection?: boolean }) {
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
    .refine((value) => hasVisibleCharacter(value), "has no visible characters");
  if (options.mayChangeDirection) return text;
  return text.refine(
    (value) => stripBidiControls(value) === value,
    "must not have characters that change the text direction",
  );
}

/** Removes the invisible characters that change the text direction. */
export function stripBidiControls(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
}

// Combining marks are visible only with a base character. Unicode does not classify the empty braille pattern
// as a space, but it is invisible.
function hasVisibleCharacter(text: string): boolean {
  return /[^\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}
