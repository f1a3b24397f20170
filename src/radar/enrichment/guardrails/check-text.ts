// The guard rails: what a model wrote is held against what its source says, before anybody uses it.
// Pure functions; what is wrong is said in words that the one repair attempt can follow.

import { strangeClaims } from './check-claims.ts';
import { unknownFigures } from './check-figures.ts';
import {
  type Bounds,
  echoes,
  notPlain,
  strangeQuotes,
  wrongLanguage,
  wrongLength,
} from './check-form.ts';
import { unknownNames } from './check-names.ts';
import { foldName, type KnownNames } from './known-names.ts';
import type { Ground } from './source-text.ts';

export type GuardFault = {
  readonly rule: 'length' | 'language' | 'plain' | 'echo' | 'quote' | 'figure' | 'name' | 'claim';
  /** What is wrong, in words. */
  readonly what: string;
};

export type Guarded = {
  readonly text: string;
  /** What it is called in what is said of it: `title`. */
  readonly field: string;
  readonly bounds: Bounds;
  readonly ground: Ground;
  readonly language: 'en' | 'zh-CN';
  /** The system message by which it was asked for. */
  readonly told: string;
};

export type Guard = (asked: Guarded) => readonly GuardFault[];

/** What a guard needs to know once. */
export function openGuard(known: KnownNames): Guard {
  return ({ text, field, bounds, ground, language, told }) => {
    const faults: GuardFault[] = [];
    const add = (rule: GuardFault['rule'], what: string | null) => {
      if (what !== null) faults.push({ rule, what: `${field}: ${what}` });
    };
    add('plain', notPlain(text, ground));
    add('length', wrongLength(text, bounds));
    add('language', wrongLanguage(text, language));
    add('echo', echoes(text, told, ground));
    add('quote', listed('not in the text in these words', strangeQuotes(text, ground)));
    add('figure', listed('not in the text', unknownFigures(text, ground)));
    add('claim', listed('claimed or advised in the text', strangeClaims(foldName(text), ground)));
    add('name', listed('not named in the text', unknownNames(text, ground, known)));
    return faults;
  };
}

/** Null when there is nothing wrong: what the one repair attempt is told. */
export function sayFaults(faults: readonly GuardFault[]): string | null {
  return faults.length === 0 ? null : faults.map(({ what }) => what).join('; ');
}

function listed(what: string, parts: readonly string[]): string | null {
  if (parts.length === 0) return null;
  return `${parts
    .slice(0, 6)
    .map((part) => JSON.stringify(part.slice(0, 80)))
    .join(', ')} ${parts.length === 1 ? 'is' : 'are'} ${what}`;
}
