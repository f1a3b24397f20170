// Writes the canonical JSON of a JSON text in one pass over the text, with the digits of its
// numbers. A parse that keeps digits takes 5 µs for each number, and a canonical text of values
// copies the innermost text once for each level.
import { endOfJsonString } from './end-of-json-string.ts';

type OpenObject = {
  /** The canonical text before the object. */
  readonly before: string;
  /** The canonical value of each member; the last one of a repeated name. */
  readonly members: Map<string, string>;
  /** The name of the current member; null: no name was read yet. */
  name: string | null;
};

/** Numbers, literals, commas and white space of a list, up to the end of a number. */
const LIST_RUN = /[^"[\]{}]{1,32768}(?=[,"[\]{}])|,|[^"[\]{},]+/y;
const MEMBER_RUN = /[^"[\]{},]+/y;
const WHITE_SPACE = /[ \t\n\r]+/g;
const TOKENS_PER_STEP = 4_096;

/**
 * Equals `canonicalJson` of the parsed text, with one exception. When any number of the text may
 * lose digits, a number that JavaScript writes in another form, such as 1.0, becomes
 * `{"rawJSON":"1.0"}`. `text` is valid JSON. Yields after small steps; only an object of many
 * members is one step.
 */
export function* canonicalText(text: string): Generator<undefined, string> {
  const writeRun = openRunWriter(text);
  const containers: (OpenObject | null)[] = [];
  let written = '';
  let position = 0;
  for (let tokens = 1; position < text.length; tokens += 1) {
    if (tokens % TOKENS_PER_STEP === 0) yield;
    const container = containers.at(-1) ?? null;
    switch (text[position]) {
      case '"': {
        const end = endOfJsonString(text, position);
        const source = text.slice(position, end);
        const isName = container !== null && container.name === null;
        if (isName) container.name = JSON.parse(source) as string;
        else written += HAS_OTHER_ESCAPES.test(source) ? yield* rewriteString(source) : source;
        position = isName ? text.indexOf(':', end) + 1 : end;
        break;
      }
      case '{':
        containers.push({ before: written, members: new Map(), name: null });
        written = '';
        position += 1;
        break;
      case '}':
        if (container !== null) {
          endMember(container, written);
          written = container.before + writeObject(container.members);
        }
        containers.pop();
        position += 1;
        break;
      case '[':
      case ']':
        written += text[position];
        if (text[position] === '[') containers.push(null);
        else containers.pop();
        position += 1;
        break;
      default: {
        if (container !== null && text[position] === ',') {
          endMember(container, written);
          written = '';
          position += 1;
          break;
        }
        const run = container === null ? LIST_RUN : MEMBER_RUN;
        run.lastIndex = position;
        const [source = ''] = run.exec(text) ?? [];
        written += writeRun(source);
        position += source.length;
        if (source.length >= TOKENS_PER_STEP) yield;
      }
    }
  }
  return written;
}

function endMember(object: OpenObject, value: string): void {
  if (object.name !== null) object.members.set(object.name, value);
  object.name = null;
}

/** Members are sorted by UTF-16 code units (RFC 8785, 3.2.3). Concatenation copies nothing yet. */
function writeObject(members: ReadonlyMap<string, string>): string {
  let written = '{';
  for (const [name, value] of [...members].sort(([a], [b]) => (a < b ? -1 : 1))) {
    written += `${written === '{' ? '' : ','}${JSON.stringify(name)}:`;
    written += value;
  }
  return `${written}}`;
}

/** Canonical JSON has no escaped solidus, and only some characters as `\u`. */
const HAS_OTHER_ESCAPES = /\\[/u]/;
/** A part of a string that ends neither inside of an escape nor between two surrogates. */
const STRING_PART = /(?:\\u[dD][89abAB].{2}\\u[dD][c-fC-F].{2}|\\u.{4}|\\.|[^\\]){1,8192}/uy;

function* rewriteString(source: string): Generator<undefined, string> {
  const inner = source.slice(1, -1);
  let written = '"';
  for (let position = 0; position < inner.length; ) {
    // Set at each step, because other texts use the pattern between the steps.
    STRING_PART.lastIndex = position;
    const [part = inner.slice(position)] = STRING_PART.exec(inner) ?? [];
    written += JSON.stringify(JSON.parse(`"${part}"`)).slice(1, -1);
    position += part.length;
    yield;
  }
  return `${written}"`;
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
/** Integers of at most 15 digits have one form. */
const HAS_OTHER_FORMS = /\.|\d[eE]|\d{16}|-0/;

/**
 * Finds texts with numbers that JavaScript may write in another form: many digits, an exponent, a
 * last decimal zero, or a minus zero.
 */
const mayLoseDigits = /\d{16}|\d[eE]|\.\d*0(?!\d)|-0/;

function openRunWriter(text: string): (source: string) => string {
  let isExact: boolean | null = null;
  const writeNumber = (source: string): string => {
    const written = String(Number(source));
    if (written === source) return source;
    isExact ??= mayLoseDigits.test(source) || mayLoseDigits.test(text);
    return isExact ? `{"rawJSON":"${source}"}` : written;
  };
  return (source) => {
    const tokens = source.replace(WHITE_SPACE, '');
    return HAS_OTHER_FORMS.test(tokens) ? tokens.replace(NUMBER, writeNumber) : tokens;
  };
}
