// One of several processes that use the same wallets at random until they are killed or stopped. It
// writes one JSON line to standard output for each acknowledged operation. The checker compares
// these lines with the ledger.
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
const real = runningClock();
// A clock that jumps must not cause a wait of hours.
const world = { ...stoppedWorld, clock: { now: clock.now, sleep: real.sleep } };
const random = seededRandom(Number(seed));
const db = openDb(world.log, JSON.parse(connection), { applicationName: 'radar nemesis' });
const wallet = await openWallet(world, db);
const CALLERS = 24;
const WALLETS = 6;
/** Delay after a failure, like a client. Otherwise fast failures would dominate. */
const BREATH_MS = 40;
let isEnding = false;
process.stdin.resume().on('end', () => process.exit(1));

const upTo = (count: number) => Math.floor(random.next() * count);
const acknowledge = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** The first wallet is the hot one. */
const someone = () => `acct_${random.next() < 0.5 ? 0 : upTo(WALLETS)}`;

async function call(): Promise<void> {
  const accountId = someone();
  const units = 1 + upTo(40);
  const key = random.next() < 0.5 ? `k${upTo(Number(keySpace))}` : null;
  const authorizeRequest = authorizeRequestFor(world, units, {
    accountId,
    livemode: random.next() < 0.8,
    keyId: `key_${upTo(3)}`,
    idempotency: key === null ? null : { key: `${accountId} ${key}`, fingerprint: 'same' },
    budget: upTo(5) === 0 ? { amount: 50n * CNY, period: 'day' } : null,
    deadlineAt: clock.now() + 2_000,
  });
  const { requestId } = authorizeRequest;
  if ((await wallet.authorize(authorizeRequest)).kind !== 'authorized') return;
  let heldUnits = units;
  if (upTo(4) === 0) {
    heldUnits = 1 + upTo(40);
    const measured = authorizeRequestFor(world, heldUnits);
    const next = { quantity: heldUnits, amount: measured.amount };
    if ((await wallet.adjust(requestId, next)).kind !== 'held') return;
  }
  // A stream that outgrows its hold; an uncovered raise leaves the hold unchanged.
  if (upTo(4) === 0) {
    const more = heldUnits + 1 + upTo(40);
    const next = { quantity: more, amount: authorizeRequestFor(world, more).amount };
    if ((await wallet.extend(requestId, next)) === 'held') heldUnits = more;
  }
  const choice = random.next();
  // The hold stays open until recovery.
  if (choice < 0.05) return;
  if (choice < 0.15) {
    const status = upTo(2) === 0 ? 502 : 422;
    await wallet.release({ requestId, status, code: 'upstream_error' });
    if (upTo(2) === 0) await wallet.capture(captureRequestOf(requestId, heldUnits));
    return;
  }
  const response = captureRequestOf(requestId, upTo(3) === 0 ? upTo(heldUnits + 1) : heldUnits);
  const { kind } = await wallet.capture(response).catch((error) => {
    if (messageOf(error).includes('Nothing was charged')) acknowledge({ free: requestId });
    throw error;
  });
  if (kind === 'settled') acknowledge({ settled: requestId, captured: String(response.captured) });
  // Repeats a settled call, with the same and with the opposite outcome.
  if (upTo(4) === 0) await wallet.capture(captureRequestOf(requestId, heldUnits));
  if (upTo(4) === 0) await wallet.release({ requestId, status: 503, code: 'lost' });
}

async function pay(): Promise<void> {
  const reference = `pay-${upTo(1_000_000)}`;
  const paid = { accountId: someone(), livemode: true, amount: CNY, reference, reason: null };
  const moved = await topUp(world, db, { ...paid, actor: 'nemesis' });
  if (moved.kind === 'posted') acknowledge({ paid: reference, accountId: paid.accountId });
}

async function caller(): Promise<void> {
  for (let done = 0; !isEnding; ) {
    try {
      if (upTo(12) === 0) await pay();
      else await call().catch(reportUnknown);
      done += 1;
      if (done % 20 === 0) acknowledge({ operations: 20 });
    } catch {
      // Only the ledger shows whether it happened.
      await real.sleep(BREATH_MS);
    }
  }
}

/** During any database failure a caller of the wallet receives "try again" with a delay. */
function reportUnknown(error: unknown): never {
  const isSoon = error instanceof Fault && (error.retryAfterSeconds ?? 0) >= 1;
  const isKept = isSoon && error.code === 'temporarily_unavailable';
  if (!isKept) acknowledge({ wrong: messageOf(error) });
  throw error;
}

/** Clocks of nodes differ and jump, also across midnight and back. */
async function jumpClock(): Promise<never> {
  for (;;) {
    await real.sleep(20);
    clock.advance(upTo(40) === 0 ? (upTo(3) - 1) * 5 * 3_600_000 : 20);
    if (upTo(25) === 0) await recoverHolds(world, db).catch(() => {});
  }
}

/** Every call has ended, and the ledger responds again. */
async function stopProcess(callers: Promise<unknown>): Promise<never> {
  await callers;
  for (;;) {
    const authorized = await wallet.authorize(authorizeRequestFor(world, 1)).catch(() => null);
    if (authorized !== null) process.exit(0);
    await real.sleep(BREATH_MS);
  }
}

process.on('SIGTERM', () => {
  isEnding = true;
});
void jumpClock();
await stopProcess(Promise.all(Array.from({ length: CALLERS }, caller)));
