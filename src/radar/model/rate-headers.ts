// Reads rate limits: `Retry-After` (RFC 9110, 10.2.3) and the `x-ratelimit-*` fields of
// chat-completions servers, such as `x-ratelimit-reset-requests: 1m30s`.

type Headers = Readonly<Record<string, string>>;

/** Upper limit for a server's requested delay. */
const mostMs = 3_600_000;

/** Milliseconds to wait; null when absent or unreadable. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const inMs = headers['retry-after-ms'];
  if (inMs !== undefined && /^\d+(\.\d+)?$/.test(inMs)) return bounded(Number(inMs));
  const after = headers['retry-after']?.trim();
  if (after === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(after)) return bounded(Number(after) * 1000);
  const at = Date.parse(after);
  return Number.isNaN(at) ? null : bounded(at - now);
}

/** Delay until an exhausted limit resets; 0 without one. */
export function exhaustedMs(headers: Headers): number {
  let wait = 0;
  for (const what of ['requests', 'tokens']) {
    const left = headers[`x-ratelimit-remaining-${what}`];
    const reset = headers[`x-ratelimit-reset-${what}`];
    if (left === undefined || reset === undefined) continue;
    if (/^\d+$/.test(left.trim()) && Number(left) === 0) wait = Math.max(wait, spanMs(reset));
  }
  return wait;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `6m0s`, `20ms`, `1.5s`, or a number of seconds; 0 for other text. */
export function spanMs(text: string): number {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return bounded(Number(trimmed) * 1000);
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(trimmed)) return 0;
  let sum = 0;
  for (const [, amount = '0', unit = 's'] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    sum += Number(amount) * (units[unit] ?? 0);
  }
  return bounded(sum);
}

const bounded = (ms: number) => Math.max(0, Math.min(mostMs, Math.round(ms)));
