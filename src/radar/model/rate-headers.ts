// Reads the `x-ratelimit-*` fields of chat-completions servers, such as
// `x-ratelimit-reset-requests: 1m30s`.

import { HOUR_MS } from '../../kernel/time/durations.ts';

type Headers = Readonly<Record<string, string>>;

/** Milliseconds until all exhausted limits reset; 0 when no limit is exhausted. */
export function resetDelayMs(headers: Headers): number {
  let waitMs = 0;
  for (const unit of ['requests', 'tokens']) {
    const remaining = headers[`x-ratelimit-remaining-${unit}`];
    const reset = headers[`x-ratelimit-reset-${unit}`];
    if (remaining === undefined || reset === undefined) continue;
    if (/^\d+$/.test(remaining.trim()) && Number(remaining) === 0)
      waitMs = Math.max(waitMs, parseDurationMs(reset));
  }
  return waitMs;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `6m0s`, `20ms`, `1.5s`, or a number of seconds; 0 for other text. */
export function parseDurationMs(text: string): number {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return clampWait(Number(trimmed) * 1000);
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(trimmed)) return 0;
  let sum = 0;
  for (const [, amount = '0', unit = 's'] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    sum += Number(amount) * (units[unit] ?? 0);
  }
  return clampWait(sum);
}

const clampWait = (ms: number) => Math.max(0, Math.min(HOUR_MS, Math.round(ms)));
