// Runs a capability within its hold. A measured quantity adjusts the hold, and the outcome
// determines the captured amount. Synchronous calls and jobs use this function.
import { assert } from '../../kernel/errors/assert.ts';
import { codes } from '../../kernel/errors/codes.ts';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { MicroFen } from '../../kernel/money.ts';
import type { World } from '../../kernel/world.ts';
import type { Capability, RunContext } from '../capabilities/capability.ts';
import type { Allocation } from '../wallet/ledger/allocate-capture.ts';
import type { InsufficientFunds, Wallet } from '../wallet/ledger/wallet.ts';
import {
  insufficientBalanceFault,
  priceTooHighFault,
  providerFault,
  refusalOf,
} from './refusals.ts';
import { runWithDeadline } from './run-with-deadline.ts';

export type Hold = {
  readonly requestId: string;
  readonly accountId: string;
  readonly livemode: boolean;
  readonly capability: Capability;
  readonly input: unknown;
  /** Price of one unit: a call or a second. */
  readonly unitPrice: MicroFen;
  readonly maxCharge: MicroFen | null;
  allocations: readonly Allocation[];
  /** False: the wallet refused an adjustment and released the hold. */
  isHeld: boolean;
};

export type RunOptions = {
  /** Time limit in the World's time. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Receives the completed share, 0 to 1. */
  readonly progress: (share: number) => void;
  /** Creates the error for a balance that does not cover the measured price. */
  readonly uncoveredFault?: (refused: InsufficientFunds) => Promise<Fault>;
};

/** Throws the Fault of the failure. */
export async function runOnHold(
  { world, wallet }: { readonly world: World; readonly wallet: Wallet },
  hold: Hold,
  { timeoutMs, signal: stop, progress, uncoveredFault }: RunOptions,
): Promise<{ readonly data: object; readonly quantity: number }> {
  const { requestId, accountId, livemode, capability, input, maxCharge } = hold;
  let refusal: Fault | null = null;
  const adjustHold = async (quantity: number) => {
    const amount = priceOfQuantity(hold, quantity);
    const now = world.clock.now();
    if (maxCharge !== null && amount > maxCharge) {
      refusal = priceTooHighFault(amount, maxCharge, now);
      return 'insufficient';
    }
    const adjusted = await wallet.adjust(requestId, { quantity, amount });
    if (adjusted.kind === 'held') {
      hold.allocations = adjusted.allocations;
      return 'held';
    }
    hold.isHeld = false;
    refusal = (await uncoveredFault?.(adjusted)) ?? refusalOf(adjusted, now);
    return 'insufficient';
  };
  const outcome = await runWithDeadline(world, timeoutMs, (deadlineSignal) => {
    const signal = stop === undefined ? deadlineSignal : AbortSignal.any([deadlineSignal, stop]);
    const owner = { requestId, accountId, livemode };
    const context: RunContext = { world, ...owner, signal, adjustHold, progress };
    return livemode ? capability.run(context, input) : capability.sandbox(context, input);
  });
  if (outcome.kind === 'failed') throw providerFault(outcome);
  if (outcome.kind === 'insufficient') {
    const { quantity } = capability.quote(input);
    const shortage = { required: priceOfQuantity(hold, quantity), available: 0n };
    throw refusal ?? insufficientBalanceFault(shortage, world.clock.now());
  }
  return outcome;
}

/**
 * Releases the hold and the idempotency key after an error. When the release fails, recovery
 * repeats it after the deadline.
 */
export async function releaseHold(
  { world, wallet }: { readonly world: World; readonly wallet: Wallet },
  requestId: string,
  error: unknown,
): Promise<void> {
  const code = error instanceof Fault ? error.code : 'temporarily_unavailable';
  await wallet.release({ requestId, status: codes[code].status, code }).catch((failure) => {
    world.log.error(
      { requestId, error: messageOf(failure) },
      'a hold was not released; recovery will resolve it',
    );
  });
}

/** `quantity` is a number of calls or of seconds. */
export function priceOfQuantity(
  { unitPrice }: Pick<Hold, 'unitPrice'>,
  quantity: number,
): MicroFen {
  assert(
    Number.isSafeInteger(quantity) && quantity >= 0,
    `the quantity must be a whole number, not ${quantity}`,
  );
  return unitPrice * BigInt(quantity);
}

/** 30 minutes for transcription of long audio; two minutes otherwise. */
export const deadlineMsOf = ({ id }: Capability) => (id === 'transcribe' ? 30 : 2) * 60_000;
