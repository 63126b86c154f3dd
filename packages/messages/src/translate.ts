import type { Language } from "./language.ts";
import type { English } from "./languages/en/index.ts";
import type { Placeholders, PluralCategories, PluralCategory, Texts, WithoutForm } from "./texts.ts";

/**
 * One area of one language. The compiler refuses a key that English lacks, one that is missing, a placeholder that
 * differs from English, and a plural without a form that the language has.
 */
export function translate<L extends Language, Area extends keyof English, const T extends Texts>(
  _language: L,
  area: Area,
  texts: T & Checked<English[Area], T, PluralCategories[L]>,
): Record<Area, Texts> {
  const checked: Texts = texts;
  return { [area]: checked } as Record<Area, Texts>;
}

type Checked<Source, T, Form extends PluralCategory> = {
  readonly [Key in KeysIn<Source, Form>]: Key extends keyof Source
    ? Source[Key] extends string
      ? IsForm<Key> extends true
        ? CheckedForm<Source, Key, Key extends keyof T ? T[Key] : never>
        : CheckedText<Source[Key], Key extends keyof T ? T[Key] : never>
      : Checked<Source[Key], Key extends keyof T ? T[Key] : never, Form>
    : CheckedForm<Source, Key, Key extends keyof T ? T[Key] : never>;
} & { readonly [Key in Exclude<keyof T, KeysIn<Source, Form>>]: Unwanted<Key & string> };

/** Objects, since the compiler would make the whole of it `never` where two strings differ. */
type Unwanted<Key extends string> = { readonly "English has no such key": Key };
type Foreign<Placeholder> = { readonly "English has no such placeholder": Placeholder };
type Lacking<Placeholder> = { readonly "a placeholder is missing": Placeholder };

type KeysIn<Source, Form extends PluralCategory> = {
  [Key in keyof Source & string]: IsForm<Key> extends true ? `${WithoutForm<Key>}_${Form}` : Key;
}[keyof Source & string];

type IsForm<Key extends string> = Key extends `${string}_${PluralCategory}` ? true : false;

type CheckedText<Source, T> = [Placeholders<Source>] extends [Placeholders<T>]
  ? [Placeholders<T>] extends [Placeholders<Source>]
    ? string
    : Foreign<Exclude<Placeholders<T>, Placeholders<Source>>>
  : Lacking<Exclude<Placeholders<Source>, Placeholders<T>>>;

/** "One credit" may do without the number; the form that fits any number may not. */
type CheckedForm<Source, Key extends string, T> = Key extends `${string}_other`
  ? CheckedText<OtherForm<Source, Key>, T>
  : CheckedText<OtherForm<Source, Key>, `${T & string}{{count, number}}`>;

type OtherForm<Source, Key extends string> = Source[`${WithoutForm<Key>}_other` & keyof Source];
