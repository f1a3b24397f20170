// Downloads a price file, and parses the numbers that an operator enters for an import.
import { Fault } from '../../kernel/errors/fault.ts';
import type { World } from '../../kernel/world.ts';

const MAX_FILE_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** Throws a Fault `invalid_request` with the reason of a failure. */
export async function fetchPriceFile({ net }: World, url: string): Promise<string> {
  const outcome = await net.request({ url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_FILE_BYTES });
  if (outcome.kind === 'failed') {
    throw new Fault('invalid_request', `The price file was not received: ${outcome.message}`);
  }
  if (outcome.status !== 200) {
    const cause = `its server returned the status ${outcome.status}`;
    throw new Fault('invalid_request', `The price file was not received: ${cause}.`);
  }
  return Buffer.from(outcome.body).toString('utf8');
}

/**
 * Parses a decimal into millionths. `shift`: the text is 10^`shift` times the value, so 2 for a
 * percentage. Null: the text is not a decimal, or has too many digits.
 */
export function parseMillionths(text: string, shift: number): bigint | null {
  const [, integerPart, fraction = ''] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (integerPart === undefined || fraction.length > 6 - shift) return null;
  return BigInt(integerPart + fraction.padEnd(6 - shift, '0'));
}
