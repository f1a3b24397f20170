// Finds a member of a JSON text whose name occurs twice in its object. Parsers disagree about the
// value of such a member (RFC 8259, 4), and canonical JSON excludes it (RFC 8785, 3.1).
import { endOfJsonString } from './end-of-json-string.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** An object or a list that contains the current position. */
type Container = {
  /** Null: a list. */
  readonly names: Set<string> | null;
  /** The name or index of the current value. */
  current: string | number;
};

/** Returns the path of the first repeated member; null: there is none. `text` is valid JSON. */
export function findRepeatedMember(text: string): readonly (string | number)[] | null {
  const containers: Container[] = [];
  let isNameNext = false;
  for (let position = 0; position < text.length; position += 1) {
    const container = containers.at(-1);
    switch (text.charCodeAt(position)) {
      case QUOTE: {
        const end = endOfJsonString(text, position);
        if (isNameNext && container !== undefined) {
          const name = JSON.parse(text.slice(position, end)) as string;
          container.current = name;
          if (container.names?.has(name)) return containers.map(({ current }) => current);
          container.names?.add(name);
          isNameNext = false;
        }
        position = end - 1;
        break;
      }
      case OPEN_BRACE:
        containers.push({ names: new Set(), current: '' });
        isNameNext = true;
        break;
      case OPEN_BRACKET:
        containers.push({ names: null, current: 0 });
        isNameNext = false;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        containers.pop();
        isNameNext = false;
        break;
      case COMMA:
        isNameNext = container !== undefined && container.names !== null;
        if (typeof container?.current === 'number') container.current += 1;
        break;
      default:
    }
  }
  return null;
}
