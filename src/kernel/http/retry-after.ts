// Reads Retry-After (RFC 9110, section 10.2.3) and its millisecond form `retry-after-ms`.

type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

// The three formats of HTTP-date (RFC 9110, section 5.6.7), the last of which has no zone.
const httpDate = /^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}/;

/**
 * The requested delay in milliseconds, at most `longestMs`; null when absent or unreadable. A date
 * is compared with the response's `Date` field, because the clock of the server may differ.
 */
export function retryAfterMs(
  headers: ResponseHeaders,
  now: number,
  longestMs: number,
): number | null {
  const milliseconds = Number.parseFloat(fieldText(headers['retry-after-ms']));
  if (milliseconds >= 0) return clampWait(milliseconds, longestMs);
  const text = fieldText(headers['retry-after']);
  const seconds = Number.parseFloat(/^\d[\d.]*/.exec(text)?.[0] ?? '');
  if (seconds >= 0) return clampWait(seconds * 1_000, longestMs);
  const retryAt = parseHttpDate(text);
  if (Number.isNaN(retryAt)) return null;
  const serverNow = parseHttpDate(fieldText(headers.date));
  return clampWait(retryAt - (Number.isNaN(serverNow) ? now : serverNow), longestMs);
}

const fieldText = (field: ResponseHeaders[string]) => String(field ?? '').trim();

const clampWait = (ms: number, longestMs: number) =>
  Math.min(longestMs, Math.max(0, Math.round(ms)));

function parseHttpDate(text: string): number {
  if (!httpDate.test(text)) return Number.NaN;
  return Date.parse(/(GMT|UTC|[+-]\d{4})$/i.test(text) ? text : `${text} GMT`);
}
