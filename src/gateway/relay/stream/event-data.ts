// Reads the data of a server-sent event (HTML, "9.2.6 Interpreting an event stream").

const LF = 10;
const START = 'data: ';

/** Returns the joined `data` lines; null: the event has no `data` line. */
export function dataOf(event: Buffer): string | null {
  const text = event.toString('utf8');
  // Nearly every event is one line between `data: ` and two line feeds.
  const isSingleLine = text.startsWith(START) && event.indexOf(LF) === event.length - 2;
  if (isSingleLine && !text.includes('\r')) return text.slice(START.length, -2);
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => /^data(:|$)/.test(line));
  return lines.length === 0 ? null : lines.map((line) => line.replace(/^data:? ?/, '')).join('\n');
}

export type ParsedEvent =
  | { readonly kind: 'comment' }
  | { readonly kind: 'broken'; readonly problem: string }
  | { readonly kind: 'value'; readonly value: Readonly<Record<string, unknown>> };

/** Parses an event whose data is a JSON object. */
export function parseEvent(event: Buffer): ParsedEvent {
  const data = dataOf(event);
  if (data === null) return { kind: 'comment' };
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { kind: 'value', value: value as Readonly<Record<string, unknown>> };
    }
    return { kind: 'broken', problem: 'an event that is no object' };
  } catch {
    return { kind: 'broken', problem: 'an event that is not JSON' };
  }
}
