// Checks the size and depth of a JSON text before a parser reads it. `text` may be invalid JSON.
import { endOfJsonString } from './end-of-json-string.ts';

export type JsonLimits = {
  /** Members of all objects together. */
  readonly members: number;
  /** Commas of all lists and objects together. */
  readonly entries: number;
  /** Lists and objects that contain one another. */
  readonly depth: number;
};

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Returns the first limit that the text exceeds; null: it exceeds none. */
export function findJsonExcess(text: string, limits: JsonLimits): keyof JsonLimits | null {
  let members = 0;
  let entries = 0;
  let depth = 0;
  let otherCharacters = 0;
  for (let position = 0; position < text.length; position += 1) {
    switch (text.charCodeAt(position)) {
      case QUOTE:
        position = endOfJsonString(text, position) - 1;
        break;
      case COLON:
        members += 1;
        if (members > limits.members) return 'members';
        break;
      case COMMA:
        entries += 1;
        if (entries > limits.entries) return 'entries';
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        depth += 1;
        if (depth > limits.depth) return 'depth';
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth -= 1;
        break;
      default:
        otherCharacters += 1;
        if (otherCharacters < LONG_RUN) continue;
        position = indexOfStructure(text, position) - 1;
    }
    otherCharacters = 0;
  }
  return null;
}

/** After this many digits or white space, a search by a pattern is faster than a loop. */
export const LONG_RUN = 24;
const STRUCTURE = /["{}[\],:]/g;

/** Returns the index of the next quotation mark, bracket, comma or colon, or the text's length. */
export function indexOfStructure(text: string, from: number): number {
  STRUCTURE.lastIndex = from;
  return STRUCTURE.test(text) ? STRUCTURE.lastIndex - 1 : text.length;
}
