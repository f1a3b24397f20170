// Reads the inputs of test mode: `sandbox:` and a word, as keyword, prompt or last URL segment,
// select the outcome of a call. Source: the capability contract, "Test mode".
import { type Code, codes, findCode } from '../../kernel/errors/codes.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { World } from '../../kernel/world.ts';
import type { FailureCode, Outcome } from './capability.ts';

export type SandboxInput =
  | { readonly kind: 'none' }
  | { readonly kind: 'fails'; readonly outcome: Outcome }
  | { readonly kind: 'empty' };

const failureCodes: readonly FailureCode[] = [
  'media_unavailable',
  'upstream_error',
  'upstream_timeout',
  'capability_unavailable',
];
/** Codes of the contract's error table that a capability cannot cause. */
const thrownCodes: readonly Code[] = [
  ...(['invalid_request', 'invalid_api_key', 'max_charge_exceeded'] as const),
  ...(['key_budget_exceeded', 'key_not_allowed'] as const),
  ...(['not_found', 'method_not_allowed', 'duplicate_idempotency_key'] as const),
  ...(['idempotency_in_progress', 'payload_too_large', 'unsupported_media_type'] as const),
  ...(['idempotency_key_reused', 'rate_limited', 'quota_exceeded'] as const),
  'temporarily_unavailable',
];
const maxWaitSeconds = 30;

/**
 * The outcome that `text` requests, after the delay of `sandbox:slow-<seconds>`. In a link the last
 * path segment counts. Throws a Fault for codes that a capability cannot return.
 */
export async function readSandboxInput(
  { world, signal }: { readonly world: Pick<World, 'clock'>; readonly signal: AbortSignal },
  text: string,
): Promise<SandboxInput> {
  const word = sandboxWord(text);
  if (word === null) return { kind: 'none' };
  if (word === 'empty') return { kind: 'empty' };
  const slowMatch = /^slow-(\d{1,4})$/.exec(word);
  if (slowMatch) {
    await world.clock.sleep(Math.min(Number(slowMatch[1]), maxWaitSeconds) * 1000, signal);
    return { kind: 'none' };
  }
  const code = findCode(word);
  if (code === 'insufficient_balance') return { kind: 'fails', outcome: { kind: 'insufficient' } };
  const message = `The sandbox received a request for ${code}.`;
  const failure = failureCodes.find((knownCode) => knownCode === code);
  if (failure) return { kind: 'fails', outcome: { kind: 'failed', code: failure, message } };
  const thrownCode = thrownCodes.find((knownCode) => knownCode === code);
  const canRetry = thrownCode !== undefined && [429, 503].includes(codes[thrownCode].status);
  if (thrownCode) throw new Fault(thrownCode, message, canRetry ? { retryAfterSeconds: 1 } : {});
  const knownCodes = [...failureCodes, 'insufficient_balance', ...thrownCodes].join(', ');
  const problem = `"sandbox:${word}" is no input of the sandbox.`;
  throw new Fault(
    'invalid_request',
    `${problem} Known: ${knownCodes}, their statuses, slow-<seconds>, empty.`,
  );
}

/** The word after `sandbox:`; null: the text selects no outcome. */
export function sandboxWord(text: string): string | null {
  const path = /^https?:\/\//i.test(text) ? URL.parse(text)?.pathname : undefined;
  let lastSegment = (path ?? text).split('/').filter(Boolean).at(-1) ?? '';
  try {
    lastSegment = decodeURIComponent(lastSegment);
  } catch {
    // Invalid percent-encoding: the text is used as it is.
  }
  return /^sandbox:([a-z0-9_-]+)$/.exec(lastSegment.trim())?.[1] ?? null;
}
