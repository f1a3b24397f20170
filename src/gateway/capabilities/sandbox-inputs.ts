// Magic inputs of test mode: a word in the place of a keyword, a prompt or a link's last segment
// makes a call end as any call may end. Source: the capability contract, "Test mode".
import { Fault } from '../../kernel/fault.ts';
import type { FailureCode, Outcome, RunContext } from './capability.ts';

export type Magic =
  | { readonly kind: 'none' }
  | { readonly kind: 'fails'; readonly outcome: Outcome }
  | { readonly kind: 'empty' };

const failureCodes: readonly FailureCode[] = [
  'media_unavailable',
  'upstream_error',
  'upstream_timeout',
  'capability_unavailable',
];
const maxWaitSeconds = 30;

/**
 * What `text` asks for, after the wait of `sandbox:slow-<seconds>`. A link's last path segment
 * counts, whatever its query. Throws Fault for codes that are refused before a call runs.
 */
export async function askMagic(
  { world, signal }: Pick<RunContext, 'world' | 'signal'>,
  text: string,
): Promise<Magic> {
  const word = magicWord(text);
  if (word === null) return { kind: 'none' };
  if (word === 'empty') return { kind: 'empty' };
  const slow = /^slow-(\d{1,4})$/.exec(word);
  if (slow) {
    await world.clock.sleep(Math.min(Number(slow[1]), maxWaitSeconds) * 1000, signal);
    return { kind: 'none' };
  }
  if (word === 'insufficient_balance') return { kind: 'fails', outcome: { kind: 'insufficient' } };
  const code = failureCodes.find((known) => known === word);
  const message = `The sandbox was asked for ${word}.`;
  if (code) return { kind: 'fails', outcome: { kind: 'failed', code, message } };
  if (word === 'temporarily_unavailable') {
    throw new Fault('temporarily_unavailable', message, { retryAfterSeconds: 1 });
  }
  const known = [...failureCodes, 'insufficient_balance', 'temporarily_unavailable'];
  throw new Fault(
    'invalid_request',
    `"sandbox:${word}" is no magic input. Known: ${known.join(', ')}, slow-<seconds>, empty.`,
  );
}

export function magicWord(text: string): string | null {
  const path = /^https?:\/\//i.test(text) ? URL.parse(text)?.pathname : undefined;
  let last = (path ?? text).split('/').filter(Boolean).at(-1) ?? '';
  try {
    last = decodeURIComponent(last);
  } catch {
    // Not an encoded text: it stands for itself.
  }
  return /^sandbox:([a-z0-9_-]+)$/.exec(last.trim())?.[1] ?? null;
}
