// The top-level members of a JSON body as spans of its text. The relay copies the client's bytes
// and changes only some members: relay contract, 1.2.
import { Fault } from '../../../kernel/errors/fault.ts';

export type BodyMember = {
  readonly name: string;
  /** Index of the first character of the name's quotation mark. */
  readonly start: number;
  readonly valueStart: number;
  /** Index after the last character of the value. */
  readonly valueEnd: number;
};

/**
 * Members of the object at `from` in a valid JSON text. Throws a Fault `invalid_request` for a
 * repeated name: one parser could charge the first value and another one execute the second.
 */
export function readMembers(text: string, from = 0): readonly BodyMember[] {
  const members: BodyMember[] = [];
  const names = new Set<string>();
  let at = skipSpace(text, skipSpace(text, from) + 1);
  while (text[at] === '"') {
    const start = at;
    const nameEnd = endOfString(text, start);
    const name = JSON.parse(text.slice(start, nameEnd)) as string;
    if (names.has(name)) {
      const param = name.slice(0, NAME_MAX);
      throw new Fault('invalid_request', `The field "${param}" occurs twice.`, {
        members: { param },
      });
    }
    names.add(name);
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    members.push({ name, start, valueStart, valueEnd });
    at = skipSpace(text, valueEnd);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

export type TextSpan = { readonly start: number; readonly end: number };

/** The entries of the list at `from` in a valid JSON text. */
export function readEntries(text: string, from: number): readonly TextSpan[] {
  const entries: TextSpan[] = [];
  let at = skipSpace(text, from + 1);
  while (text[at] !== ']') {
    const end = endOfValue(text, at);
    entries.push({ start: at, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return entries;
}

/** The text of a list without some of its entries; every other character is copied. */
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

const NAME_MAX = 100;
/** Parsers of providers overflow at some thousands of levels. No client sends a hundred. */
const DEPTH_MAX = 500;

export type MemberEdits = {
  /** JSON text of the new value by name; a member that is absent is added at the end. */
  readonly values: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
};

/** The text with some members changed; every other character is copied. */
export function editMembers(
  text: string,
  members: readonly BodyMember[],
  { values, removed }: MemberEdits,
): string {
  const remaining = members.filter(({ name }) => !removed.includes(name));
  // A concatenation copies nothing before the text is sent.
  let edited = '';
  let copied = 0;
  for (const [index, member] of members.entries()) {
    if (removed.includes(member.name)) {
      const next = members[index + 1];
      const before = members[index - 1];
      // When the last member is removed, the comma before it is removed too.
      if (next === undefined && before !== undefined) edited += text.slice(copied, before.valueEnd);
      else edited += text.slice(copied, member.start);
      copied = next === undefined ? member.valueEnd : next.start;
      continue;
    }
    const value = Object.hasOwn(values, member.name) ? values[member.name] : undefined;
    if (value === undefined) continue;
    edited += text.slice(copied, member.valueStart) + value;
    copied = member.valueEnd;
  }
  const added = Object.entries(values).filter(
    ([name]) => !remaining.some((member) => member.name === name),
  );
  if (added.length > 0) {
    const end = text.lastIndexOf('}');
    edited += text.slice(copied, end);
    for (const [index, [name, value]] of added.entries()) {
      const comma = index === 0 && remaining.length === 0 ? '' : ',';
      edited += `${comma}${JSON.stringify(name)}:${value}`;
    }
    copied = end;
  }
  return edited + text.slice(copied);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** `from`: the opening quotation mark. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function endOfValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return endOfString(text, from);
  if (first === '{' || first === '[') return endOfNested(text, from);
  let at = from;
  while (!/[\s,}\]]/.test(text[at] ?? '}')) at += 1;
  return at;
}

function endOfNested(text: string, from: number): number {
  let depth = 0;
  for (let at = from; ; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at) - 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        if (depth > DEPTH_MAX) {
          throw new Fault('invalid_request', 'The body is nested too deeply.');
        }
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        if (depth === 0) return at + 1;
    }
  }
}

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
