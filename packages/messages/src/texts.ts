import type { Language } from "./language.ts";

/** Texts by key, as deep as they need to be. */
export interface Texts {
  readonly [key: string]: string | Texts;
}

/** A form of a plural, as CLDR names it. */
export type PluralCategory = "zero" | "one" | "two" | "few" | "many" | "other";

/** The forms that a language's cardinal numbers need (CLDR). */
export interface PluralCategories extends Record<Language, PluralCategory> {
  en: "one" | "other";
  ja: "other";
  "zh-Hans": "other";
  "zh-Hant": "other";
  ko: "other";
  es: "one" | "many" | "other";
  "pt-BR": "one" | "many" | "other";
}

/** What a placeholder takes, by the format behind its comma: `{{at, time}}`. Without one: text or a bare number. */
interface FormatValues {
  number: number;
  percent: number;
  time: number;
  relative: Date;
  moment: Date;
  date: Date;
  list: readonly string[];
}

/** The placeholders in a text, as they are written between the braces. */
export type Placeholders<Text> = Text extends `${string}{{${infer Inside}}}${infer Rest}`
  ? Inside | Placeholders<Rest>
  : never;

/** The text behind a dotted key; of a plural, all its forms. */
type TextAt<T, Key> = Key extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T
    ? TextAt<T[Head], Rest>
    : never
  : Key extends keyof T
    ? T[Key]
    : Key extends string
      ? T[Extract<`${Key}_${PluralCategory}`, keyof T>]
      : never;

/** Every dotted key; a plural has one, without its forms. */
export type KeysOf<T> = {
  [Key in keyof T & string]: T[Key] extends string ? WithoutForm<Key> : `${Key}.${KeysOf<T[Key]>}`;
}[keyof T & string];

/** What `say` takes besides the key: nothing where the text has no placeholder. */
export type ParametersOf<T, Key> = [ParameterName<T, Key>] extends [never]
  ? []
  : [parameters: { readonly [Name in ParameterName<T, Key>]: ParameterValue<Inside<T, Key>, Name> }];

type Inside<T, Key> =
  | Exclude<Placeholders<TextAt<T, Key>>, `command.${string}`>
  | (Key extends string ? (IsPlural<T, Key> extends true ? "count, number" : never) : never);
type ParameterName<T, Key> = NameOf<Inside<T, Key>>;
type NameOf<Written> = Written extends `${infer Name}, ${string}` ? Name : Written & string;
type ParameterValue<Written, Name extends string> = Written extends Name
  ? string | number
  : Written extends `${Name}, ${infer Format extends keyof FormatValues}`
    ? FormatValues[Format]
    : never;

type IsPlural<T, Key extends string> = Key extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T
    ? IsPlural<T[Head], Rest>
    : false
  : `${Key}_other` extends keyof T
    ? true
    : false;

/** The key without the form of its plural. */
export type WithoutForm<Key extends string> = Key extends `${infer Base}_${PluralCategory}` ? Base : Key;
