import { InvalidArgumentError } from "commander";

/** Parses the value of an option that is a whole number from 1. */
export function positiveInteger(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("It must be a whole number from 1.");
  return value;
}

/** Parses the value of an option that is a whole number from 0. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
