// The wallet of a process: its requests go to the ledger in natural batches over one connection.
import { present } from '../../../kernel/errors/assert.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { openCalls } from '../../../store/ledger/authorize.ts';
import { type Line, openLine } from '../../../store/ledger/connection.ts';
import { findTaken } from '../../../store/ledger/find-idempotency-key.ts';
import type { Moment } from '../../../store/ledger/parameters.ts';
import type { Resolution } from '../../../store/ledger/resolution.ts';
import { remeasureHold, resolveHolds } from '../../../store/ledger/resolve.ts';
import { type Lane, openLane } from './batch-queue.ts';
import { openMoments } from './batch-time.ts';
import { followTwins } from './coalesce-duplicates.ts';
import {
  allocationsOf,
  budgetExceededOf,
  insufficientOf,
  openedOf,
  takenOf,
} from './decode-result.ts';
import { askLedger, unavailable } from './execute-batch.ts';
import type { Failpoint } from './failpoint.ts';
import { type HoldMemory, openHolds } from './hold-cache.ts';
import { AWAY, SHORT_PAUSES_MS, unknownCharge, untilAnswered } from './retry-unacknowledged.ts';
import type { BudgetPeriod, Opened, Opening, Wallet } from './wallet.ts';

/** Longer batches bring nothing more and hold their wallets longer. */
const MOST = 256;

export type WalletOptions = { readonly failpoint?: Failpoint };

type Remeasure = { readonly requestId: string; readonly quantity: number; readonly amount: bigint };

export async function openWallet(
  world: World,
  db: Db,
  { failpoint }: WalletOptions = {},
): Promise<Wallet> {
  const line = openLine(world.log, db);
  const lane = openLane();
  const moments = openMoments();
  const holds = openHolds();
  const ways: Ways = {
    ...{ world, line, lane, holds },
    momentNow: () => moments(world.clock.now()),
    around: (name, ask) => (failpoint === undefined ? ask() : askAround(failpoint, name, ask)),
  };
  const open = openingWay(ways);
  const resolve = resolvingWay(ways);
  const remeasure = measuringWay(ways);
  return {
    lookUp: (query) => findTaken(db, query).then((fields) => fields && takenOf(fields)),
    open,
    remeasure: async (requestId, next) => {
      const hold = holds.take(requestId);
      const fields = await remeasure({ requestId, ...next });
      const measured = measuredOf(ways.momentNow(), requestId, fields);
      if (hold !== null && measured.kind === 'held') {
        holds.keep(requestId, { ...hold, amount: next.amount }, measured.allocations);
      }
      return measured;
    },
    settle: async (done) => {
      const hold = holds.take(done.requestId);
      const capture = { ...done, outcome: 'captured', code: null, hold } as const;
      const answer = await untilAnswered(world, () => resolve(capture));
      if (answer === AWAY) throw unknownCharge(done.requestId);
      return { kind: answer === 'done' ? 'settled' : 'lost' };
    },
    release: async (failed) => {
      holds.take(failed.requestId);
      const release = { ...failed, ...nothing, outcome: 'released' } as const;
      const answer = await untilAnswered(world, () => resolve(release), SHORT_PAUSES_MS);
      if (answer === AWAY) throw unavailable(`${failed.requestId} was not released`);
      if (answer !== 'done') world.log.warn({ request: failed.requestId }, 'released by recovery');
    },
    close: async () => {
      await lane.idle();
      await line.close();
    },
  };
}

/** What the ways into the lane share. */
type Ways = {
  readonly world: World;
  readonly line: Line;
  readonly lane: Lane;
  readonly holds: HoldMemory;
  readonly momentNow: () => Moment;
  readonly around: <T>(name: Asking, ask: () => Promise<T>) => Promise<T>;
};

function openingWay({ world, line, lane, holds, momentNow, around }: Ways): Wallet['open'] {
  const again = lane.queue<Opening, Fields | typeof AWAY>({
    most: MOST,
    run: (openings) =>
      askLedger<Opening, Fields | typeof AWAY>(world, openings, {
        ask: (batch) => around('open', () => openCalls(line, momentNow(), batch, true)),
        away: () => AWAY,
      }),
  });
  /** One that may have been opened: nobody else would let go of it before its deadline. */
  const openSurely = async (opening: Opening): Promise<Fields> => {
    const fields = await untilAnswered(world, () => again(opening));
    if (fields === AWAY) throw unavailable(`${opening.requestId} may be held`);
    return fields;
  };
  const openAll = async (leaders: readonly Opening[]) => {
    const moment = momentNow();
    const answers = await askLedger(world, leaders, {
      ask: (batch, isAgain) => around('open', () => openCalls(line, moment, batch, isAgain)),
      away: (one, isAsked) => (isAsked ? openSurely(one) : null),
    });
    return answers.map((answer, n) =>
      keptOf(answer, (fields) =>
        keepOpened(holds, moment, present(leaders[n], 'the opening'), fields),
      ),
    );
  };
  const open: Wallet['open'] = lane.queue<Opening, Opened>({
    most: MOST,
    run: (openings) => followTwins(openings, open, openAll),
  });
  return open;
}

/** Answers `done`, `lost` or `AWAY`. */
function resolvingWay({ world, line, lane, around }: Ways) {
  return lane.queue<Resolution, string>({
    most: MOST,
    weigh: ({ body }) => body?.length ?? 0,
    run: (resolutions) =>
      askLedger(world, resolutions, {
        ask: (batch) => around('resolve', () => resolveHolds(line, world.clock.now(), batch)),
        away: () => AWAY,
      }),
  });
}

function measuringWay({ world, line, lane, momentNow, around }: Ways) {
  return lane.queue<Remeasure, Fields>({
    most: 1,
    run: (one) =>
      askLedger(world, one, {
        ask: ([next]) =>
          around('remeasure', () => remeasureHold(line, momentNow(), present(next, 'a measure'))),
      }),
  });
}

type Fields = Parameters<typeof openedOf>[2];

/**
 * One that cannot be answered fails alone. A promise only where there is one: each costs turns of
 * the queue that answers wait in.
 */
function keptOf(
  answer: Fields | Promise<Fields>,
  keep: (fields: Fields) => Opened,
): Opened | Promise<Opened> {
  if (answer instanceof Promise) return answer.then(keep);
  try {
    return keep(answer);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** What the ledger answered, and remembered if it holds something. */
function keepOpened(
  holds: ReturnType<typeof openHolds>,
  moment: Moment,
  opening: Opening,
  answer: Fields,
): Opened {
  const opened = openedOf(moment, opening, answer);
  const { requestId, accountId, livemode, sku, amount } = opening;
  if (opened.kind === 'opened' && sku !== null) {
    holds.keep(requestId, { accountId, livemode, sku, amount }, opened.allocations);
  }
  return opened;
}

function measuredOf(moment: Moment, requestId: string, fields: readonly string[]) {
  const [kind, books = '', parts = ''] = fields;
  if (kind === 'held') return { kind, allocations: allocationsOf(books, parts) } as const;
  if (kind === 'insufficient') return insufficientOf(moment, fields);
  if (kind === 'budget') return budgetExceededOf(moment, fields, readPeriod(fields[3]));
  throw new Fault('temporarily_unavailable', 'The call took too long. Nothing was charged.', {
    internal: `${requestId} was resolved before it was measured`,
    retryAfterSeconds: 1,
  });
}

function readPeriod(text: string | undefined): BudgetPeriod {
  return text === 'day' || text === 'month' ? text : 'total';
}

type Asking = 'open' | 'resolve' | 'remeasure';

async function askAround<T>(failpoint: Failpoint, name: Asking, ask: () => Promise<T>) {
  await failpoint(`${name}:before`);
  const answer = ask();
  answer.catch(() => {});
  await failpoint(`${name}:sent`);
  const got = await answer;
  await failpoint(`${name}:done`);
  return got;
}

const nothing = { captured: 0n, usage: null, contentType: null, body: null } as const;
