// Parsers of option values, which reject invalid values.
import { InvalidArgumentError } from 'commander';
import { Fault } from '../kernel/errors/fault.ts';
import { parseWireTime } from '../kernel/time/calendar.ts';

/** A parser of whole numbers from 1 to `max`. */
export const wholeNumberUpTo =
  (max: number) =>
  (text: string): number => {
    if (/^[1-9]\d*$/.test(text) && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
  };

/** A whole number of minutes, seconds or similar units; at least 1. */
export const wholeNumber = wholeNumberUpTo(9_999_999);

/** A whole number; at least 0. */
export function wholeNumberFromZero(text: string): number {
  return text === '0' ? 0 : wholeNumber(text);
}

/** Epoch milliseconds; a day begins at midnight UTC. */
export function timeOrDay(text: string): number {
  const at = parseWireTime(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (at === null) throw new InvalidArgumentError('It must be an RFC 3339 time or a day.');
  return at;
}

/** Collects the values of a repeated option. */
export const collectValues = (
  value: string,
  previousValues: readonly string[] = [],
): readonly string[] => [...previousValues, value];

export function commaSeparated(text: string): readonly string[] {
  return [...new Set(text.split(',').map((part) => part.trim()))].filter(Boolean);
}

/**
 * Throws a Fault that names all missing options at once. Mandatory options of the library name only
 * the first one.
 */
export function requireOptions(options: object, flags: Readonly<Record<string, string>>): void {
  const supplied = new Map(Object.entries(options));
  const missing = Object.keys(flags).filter((name) => supplied.get(name) === undefined);
  if (missing.length === 0) return;
  const names = missing.map((name) => flags[name]).join(' and ');
  throw new Fault('invalid_request', `Missing: ${names}.`);
}
