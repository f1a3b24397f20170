// Removes the names and numbers from a sentence, to find templates that repeat.
import { readFileSync } from 'node:fs';
import { places } from './cast.ts';
import type { Company } from './world-model.ts';

const masks = new WeakMap<readonly Company[], RegExp>();

function maskOf(companies: readonly Company[]): RegExp {
  const cachedMask = masks.get(companies);
  if (cachedMask !== undefined) return cachedMask;
  const list = readFileSync(new URL('topics/pairs.txt', import.meta.url), 'utf8').split('\n');
  const strings = [companies, places, list.map((line) => line.split(' || ').slice(0, 2))];
  const names = new Set(strings.flatMap(stringsOf).filter((name) => name.length > 1));
  const longestFirst = [...names].sort((a, b) => b.length - a.length);
  const escaped = longestFirst.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const mask = new RegExp(escaped.join('|'), 'g');
  masks.set(companies, mask);
  return mask;
}

/** Every string in a value, except sentences about companies, which are fixed texts. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return /[.。]$/.test(value) ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

/**
 * The skeletons of a text, sentence by sentence. Skeletons of fewer than six characters are
 * ignored.
 */
export function skeletonsOf(text: string, companies: readonly Company[]): readonly string[] {
  return text
    .replace(maskOf(companies), 'X')
    .replace(/\b[A-Z][a-z]+day\b/g, 'D')
    .replace(/\d[\d.,]*/g, '#')
    .split(/(?<=[.?!])["”]?\s+|(?<=[。？！])|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= 6);
}
