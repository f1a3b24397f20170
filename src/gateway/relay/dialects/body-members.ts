// Finds the top-level members of a JSON body as spans of its text, and edits them. The relay copies
// the client's bytes and changes only some members: relay contract, 1.2.
import { Fault } from '../../../kernel/errors/fault.ts';
import { parseJson } from '../../../kernel/http/read-json-body.ts';
import { endOfJsonString } from '../../../kernel/text/end-of-json-string.ts';
import { indexOfStructure, LONG_RUN } from '../../../kernel/text/json-limits.ts';

export type BodyMember = {
  readonly name: string;
  /** Index of the first character of the name's quotation mark. */
  readonly start: number;
  readonly valueStart: number;
  /** Index after the last character of the value. */
  readonly valueEnd: number;
};

/**
 * Returns the members of the object at `from` in a JSON text; in an invalid text, any spans. Throws
 * a Fault `invalid_request` for a repeated name: the relay could charge for one value, while the
 * upstream uses the other value.
 */
export function readMembers(text: string, from = 0): readonly BodyMember[] {
  const members: BodyMember[] = [];
  const names = new Set<string>();
  let position = skipSpace(text, skipSpace(text, from) + 1);
  while (text[position] === '"') {
    const start = position;
    const nameEnd = endOfJsonString(text, start);
    const source = text.slice(start, nameEnd);
    const name = source.includes('\\') ? (parseJson(source) as string) : source.slice(1, -1);
    if (names.has(name)) {
      const param = name.slice(0, MAX_NAME_LENGTH);
      throw new Fault('invalid_request', `The field "${param}" occurs twice.`, {
        members: { param },
      });
    }
    names.add(name);
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const valueEnd = findEndOfValue(text, valueStart);
    members.push({ name, start, valueStart, valueEnd });
    position = skipSpace(text, valueEnd);
    if (text[position] === ',') position = skipSpace(text, position + 1);
  }
  return members;
}

export type TextSpan = { readonly start: number; readonly end: number };

/** Returns the spans of the entries of the list at `from` in a valid JSON text. */
export function readEntries(text: string, from: number): readonly TextSpan[] {
  const entries: TextSpan[] = [];
  let position = skipSpace(text, from + 1);
  while (text[position] !== ']') {
    const end = findEndOfValue(text, position);
    entries.push({ start: position, end });
    position = skipSpace(text, end);
    if (text[position] === ',') position = skipSpace(text, position + 1);
  }
  return entries;
}

/** Returns the text of a list without the removed entries. All other characters are copied. */
export function removeEntries(
  text: string,
  { start, end }: TextSpan,
  entries: readonly TextSpan[],
  isRemoved: (entry: TextSpan) => boolean,
): string {
  const remaining = entries.filter((entry) => !isRemoved(entry));
  if (remaining.length === entries.length) return text.slice(start, end);
  return `[${remaining.map((entry) => text.slice(entry.start, entry.end)).join(',')}]`;
}

const MAX_NAME_LENGTH = 100;

export type MemberEdits = {
  /** JSON text of the new value by name; a member that is absent is added at the end. */
  readonly values: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
};

/** Returns the text with changed members. All other characters are copied. */
export function editMembers(
  text: string,
  members: readonly BodyMember[],
  { values, removed }: MemberEdits,
): string {
  const remaining = members.filter(({ name }) => !removed.includes(name));
  // Concatenation is cheap: JavaScript copies the characters only when the text is sent.
  let edited = '';
  let copiedUntil = 0;
  for (const [index, member] of members.entries()) {
    if (removed.includes(member.name)) {
      const next = members[index + 1];
      const before = members[index - 1];
      // When the last member is removed, the preceding comma is also removed.
      if (next === undefined && before !== undefined)
        edited += text.slice(copiedUntil, before.valueEnd);
      else edited += text.slice(copiedUntil, member.start);
      copiedUntil = next === undefined ? member.valueEnd : next.start;
      continue;
    }
    const value = Object.hasOwn(values, member.name) ? values[member.name] : undefined;
    if (value === undefined) continue;
    edited += text.slice(copiedUntil, member.valueStart) + value;
    copiedUntil = member.valueEnd;
  }
  const addedMembers = Object.entries(values).filter(
    ([name]) => !remaining.some((member) => member.name === name),
  );
  if (addedMembers.length > 0) {
    const end = text.lastIndexOf('}');
    edited += text.slice(copiedUntil, end);
    for (const [index, [name, value]] of addedMembers.entries()) {
      const comma = index === 0 && remaining.length === 0 ? '' : ',';
      edited += `${comma}${JSON.stringify(name)}:${value}`;
    }
    copiedUntil = end;
  }
  return edited + text.slice(copiedUntil);
}

/** In valid JSON, every character up to U+0020 between tokens is white space. */
function skipSpace(text: string, from: number): number {
  if (text.charCodeAt(from) > 32) return from;
  AFTER_SPACE.lastIndex = from;
  return AFTER_SPACE.test(text) ? AFTER_SPACE.lastIndex - 1 : text.length;
}

const AFTER_SPACE = /[^\0- ]/g;

function findEndOfValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return endOfJsonString(text, from);
  if (first === '{' || first === '[') return findEndOfNested(text, from);
  END_OF_SCALAR.lastIndex = from;
  return END_OF_SCALAR.test(text) ? END_OF_SCALAR.lastIndex - 1 : text.length;
}

function findEndOfNested(text: string, from: number): number {
  let depth = 0;
  let otherCharacters = 0;
  for (let position = from; position < text.length; position += 1) {
    switch (text.charCodeAt(position)) {
      case QUOTE:
        position = endOfJsonString(text, position) - 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        if (depth === 0) return position + 1;
        break;
      default:
        otherCharacters += 1;
        if (otherCharacters < LONG_RUN) continue;
        position = indexOfStructure(text, position) - 1;
    }
    otherCharacters = 0;
  }
  return text.length;
}

const END_OF_SCALAR = /[\s,}\]]/g;

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
