// A process that uses wallets at random, together with other such processes, until it is killed or
// stopped. It writes one JSON line to standard output for each acknowledged operation. The checker
// compares the lines of all processes with the ledger.
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { recoverHolds } from '../../src/gateway/wallet/integrity/recover-holds.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { Fault, messageOf } from '../../src/kernel/errors/fault.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { openDb } from '../../src/store/platform/db.ts';
import { testWorld } from '../support/test-world.ts';
import { authorizeRequestFor, CNY, captureRequestOf } from './wallet-values.ts';

const [connection = '', seed = '', keySpace = '', startAt = ''] = process.argv.slice(2);
const { world: stoppedWorld, clock } = testWorld(Number(seed), Number(startAt));
const realClock = runningClock();
// A clock that jumps must not cause a wait of hours.
const world = { ...stoppedWorld, clock: { now: clock.now, sleep: realClock.sleep } };
const random = seededRandom(Number(seed));
const db = openDb(world.log, JSON.parse(connection), { applicationName: 'radar faulted' });
const wallet = await openWallet(world, db);
const CALLERS = 24;
const WALLETS = 6;
/**
 * The delay after a failure, as a client waits. Without it, fast failures would outnumber other
 * calls.
 */
const PAUSE_MS = 40;
let isEnding = false;
process.stdin.resume().on('end', () => process.exit(1));

const randomBelow = (count: number) => Math.floor(random.next() * count);
const acknowledge = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** Half of the calls use the first wallet. */
const randomAccount = () => `acct_${random.next() < 0.5 ? 0 : randomBelow(WALLETS)}`;

async function makeCall(): Promise<void> {
  const accountId = randomAccount();
  const units = 1 + randomBelow(40);
  const key = random.next() < 0.5 ? `k${randomBelow(Number(keySpace))}` : null;
  const authorizeRequest = authorizeRequestFor(world, units, {
    accountId,
    livemode: random.next() < 0.8,
    keyId: `key_${randomBelow(3)}`,
    idempotency: key === null ? null : { key: `${accountId} ${key}`, fingerprint: 'same' },
    budget: randomBelow(5) === 0 ? { amount: 50n * CNY, period: 'day' } : null,
    deadlineAt: clock.now() + 2_000,
  });
  const { requestId } = authorizeRequest;
  if ((await wallet.authorize(authorizeRequest)).kind !== 'authorized') return;
  let heldUnits = units;
  if (randomBelow(4) === 0) {
    heldUnits = 1 + randomBelow(40);
    const measuredRequest = authorizeRequestFor(world, heldUnits);
    const adjustment = { quantity: heldUnits, amount: measuredRequest.amount };
    if ((await wallet.adjust(requestId, adjustment)).kind !== 'held') return;
  }
  // A stream uses more than its hold. A raise that the balance does not cover changes nothing.
  if (randomBelow(4) === 0) {
    const raisedUnits = heldUnits + 1 + randomBelow(40);
    const adjustment = {
      quantity: raisedUnits,
      amount: authorizeRequestFor(world, raisedUnits).amount,
    };
    if ((await wallet.extend(requestId, adjustment)) === 'held') heldUnits = raisedUnits;
  }
  const ending = random.next();
  // The hold stays open until recovery.
  if (ending < 0.05) return;
  if (ending < 0.15) {
    const status = randomBelow(2) === 0 ? 502 : 422;
    await wallet.release({ requestId, status, code: 'upstream_error' });
    if (randomBelow(2) === 0) await wallet.capture(captureRequestOf(requestId, heldUnits));
    return;
  }
  const response = captureRequestOf(
    requestId,
    randomBelow(3) === 0 ? randomBelow(heldUnits + 1) : heldUnits,
  );
  const { kind } = await wallet.capture(response).catch((error) => {
    if (messageOf(error).includes('Nothing was charged')) acknowledge({ free: requestId });
    throw error;
  });
  if (kind === 'captured') {
    acknowledge({ captureOf: requestId, captured: String(response.captured) });
  }
  // Repeats the capture, or releases the captured call.
  if (randomBelow(4) === 0) await wallet.capture(captureRequestOf(requestId, heldUnits));
  if (randomBelow(4) === 0) await wallet.release({ requestId, status: 503, code: 'lost' });
}

async function makePayment(): Promise<void> {
  const reference = `pay-${randomBelow(1_000_000)}`;
  const payment = {
    accountId: randomAccount(),
    livemode: true,
    amount: CNY,
    reference,
    reason: null,
  };
  const transfer = await topUp(world, db, { ...payment, actor: 'test' });
  if (transfer.kind === 'posted') acknowledge({ paid: reference, accountId: payment.accountId });
}

async function runCaller(): Promise<void> {
  for (let callsMade = 0; !isEnding; ) {
    try {
      if (randomBelow(12) === 0) await makePayment();
      else await makeCall().catch(reportUnknown);
      callsMade += 1;
      if (callsMade % 20 === 0) acknowledge({ operations: 20 });
    } catch {
      // The outcome is unknown; only the ledger shows whether the call was made.
      await realClock.sleep(PAUSE_MS);
    }
  }
}

/**
 * During any database failure, a caller of the wallet receives an error that it can retry after a
 * delay.
 */
function reportUnknown(error: unknown): never {
  const hasRetryDelay = error instanceof Fault && (error.retryAfterSeconds ?? 0) >= 1;
  const isRetryable = hasRetryDelay && error.code === 'temporarily_unavailable';
  if (!isRetryable) acknowledge({ wrong: messageOf(error) });
  throw error;
}

/** Clocks of nodes differ and jump, also across midnight and back. */
async function jumpClock(): Promise<never> {
  for (;;) {
    await realClock.sleep(20);
    clock.advance(randomBelow(40) === 0 ? (randomBelow(3) - 1) * 5 * 3_600_000 : 20);
    if (randomBelow(25) === 0) await recoverHolds(world, db).catch(() => {});
  }
}

/** Waits until every call has ended and the ledger responds again. */
async function stopProcess(callers: Promise<unknown>): Promise<never> {
  await callers;
  for (;;) {
    const authorized = await wallet.authorize(authorizeRequestFor(world, 1)).catch(() => null);
    if (authorized !== null) process.exit(0);
    await realClock.sleep(PAUSE_MS);
  }
}

process.on('SIGTERM', () => {
  isEnding = true;
});
void jumpClock();
await stopProcess(Promise.all(Array.from({ length: CALLERS }, runCaller)));
