// Values of options, checked where they are given.
import { InvalidArgumentError } from 'commander';

/** A whole number of minutes, seconds or the like; none of them means something as 0. */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 9999999.');
}

export function commaSeparated(text: string): readonly string[] {
  return [...new Set(text.split(',').map((part) => part.trim()))].filter(Boolean);
}
