// Runs all guardrails: compares a model's text with its source before the text is used. Each fault
// has a description, which the single repair request contains.

import { findUnsupportedClaims } from './check-claims.ts';
import { findUnsupportedFigures } from './check-figures.ts';
import {
  findEchoFault,
  findLanguageFault,
  findLengthFault,
  findPlainTextFault,
  findUnsupportedQuotes,
  type LengthBounds,
} from './check-form.ts';
import { findUnsupportedNames } from './check-names.ts';
import { foldName, type KnownNames } from './known-names.ts';
import type { SourceText } from './source-text.ts';

export type GuardrailFault = {
  readonly rule: 'length' | 'language' | 'plain' | 'echo' | 'quote' | 'figure' | 'name' | 'claim';
  /** The fault in words. */
  readonly what: string;
};

export type TextToCheck = {
  readonly text: string;
  /** The field's name in fault descriptions, for example `title`. */
  readonly field: string;
  readonly bounds: LengthBounds;
  readonly source: SourceText;
  readonly language: 'en' | 'zh-CN';
  /** The system message of the request. */
  readonly systemMessage: string;
};

export type TextGuard = (input: TextToCheck) => readonly GuardrailFault[];

/** Opens a guard with names and words that are loaded once. */
export function openTextGuard(knownNames: KnownNames): TextGuard {
  return ({ text, field, bounds, source, language, systemMessage }) => {
    const faults: GuardrailFault[] = [];
    const add = (rule: GuardrailFault['rule'], detail: string | null) => {
      if (detail !== null) faults.push({ rule, what: `${field}: ${detail}` });
    };
    add('plain', findPlainTextFault(text, source));
    add('length', findLengthFault(text, bounds));
    add('language', findLanguageFault(text, language));
    add('echo', findEchoFault(text, systemMessage, source));
    add(
      'quote',
      describeParts('not in the text in these words', findUnsupportedQuotes(text, source)),
    );
    add('figure', describeParts('not in the text', findUnsupportedFigures(text, source)));
    add(
      'claim',
      describeParts(
        'neither claimed nor advised in the text',
        findUnsupportedClaims(foldName(text), source),
      ),
    );
    add(
      'name',
      describeParts('not named in the text', findUnsupportedNames(text, source, knownNames)),
    );
    return faults;
  };
}

/** The text of the repair request; null without faults. */
export function formatFaults(faults: readonly GuardrailFault[]): string | null {
  return faults.length === 0 ? null : faults.map(({ what }) => what).join('; ');
}

function describeParts(label: string, parts: readonly string[]): string | null {
  if (parts.length === 0) return null;
  return `${parts
    .slice(0, 6)
    .map((part) => JSON.stringify(part.slice(0, 80)))
    .join(', ')} ${parts.length === 1 ? 'is' : 'are'} ${label}`;
}
