// Values of options, checked where they are given.
import { InvalidArgumentError } from 'commander';

/** A whole number of minutes, seconds or the like. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

export function commaSeparated(text: string): readonly string[] {
  return [...new Set(text.split(',').map((part) => part.trim()))].filter(Boolean);
}
