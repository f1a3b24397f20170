// Opens top-ups through a hosted checkout. A webhook, the customer's return and the periodic sync
// all read the provider's session. Concurrent syncs credit a payment once.
import { createHash } from 'node:crypto';
import { Fault, messageOf } from '../../../kernel/errors/fault.ts';
import { MICRO_FEN_PER_FEN, type MicroFen } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import {
  claimTopUps,
  findTopUp,
  findTopUpByPayment,
  insertTopUp,
  type TopUpRow,
  updateTopUp,
} from '../../../store/gateway/top-ups.ts';
import { takeAttempts } from '../../../store/operators/sign-in-attempts.ts';
import { readSharedSecret } from '../../../store/platform/secrets.ts';
import { type Checkout, openCheckout } from './checkout-client.ts';
import { listSelectedTopUps } from './list-top-ups.ts';
import { nextSyncAt } from './next-sync.ts';
import { type Hint, readEvent } from './read-event.ts';
import { reclaimAllDebts } from './reclaim-funds.ts';
import { checkSignature } from './signature.ts';
import { type TopUp, topUpOf } from './top-up.ts';
import type { TopUpsConfig } from './top-ups-config.ts';
import { updateFromProvider } from './update-from-provider.ts';

export type TopUpRequest = {
  readonly accountId: string;
  readonly amount: MicroFen;
  readonly email: string | null;
  readonly language: 'en' | 'zh-CN';
};

/** Amounts in whole CNY. */
export type Offer = {
  readonly minimum: number;
  readonly maximum: number;
  readonly amounts: readonly number[];
};

export type TopUps = {
  /** False: no checkout is configured, so no top-up can begin. */
  readonly isConfigured: boolean;
  readonly offer: Offer;
  /** Starts a top-up. Throws a Fault: invalid_request, rate_limited, temporarily_unavailable. */
  begin(request: TopUpRequest): Promise<TopUp>;
  /**
   * Reads the provider's state; null: the top-up does not exist. Throws temporarily_unavailable.
   */
  sync(id: string): Promise<TopUp | null>;
  /** The stored state; null: the account has no such top-up. */
  find(id: string, accountId: string): Promise<TopUp | null>;
  /** Newest first. */
  list(accountId: string, limit: number): Promise<readonly TopUp[]>;
  /** Processes a webhook's raw body. `refused`: the signature or the body is invalid. */
  receiveEvent(body: Uint8Array, signature: string | undefined): Promise<WebhookEventResult>;
  /** Reclaims debts from cash, and syncs at most 20 due top-ups. Returns the number of syncs. */
  syncDue(): Promise<number>;
};

export type WebhookEventResult =
  | { readonly kind: 'synced'; readonly topUp: TopUp }
  | { readonly kind: 'ignored' | 'refused'; readonly reason: string };

export type TopUpOptions = {
  readonly config: TopUpsConfig;
  /** A function, because with port 0 the address is unknown before the server listens. */
  readonly siteUrl: () => string;
  readonly siteName: string;
};

const MAX_CLAIMED = 20;
/** The lease of a sync: no other process syncs the top-up within this time. */
const CLAIM_MS = 2 * 60_000;
const MICRO_FEN_PER_CNY = 100n * MICRO_FEN_PER_FEN;
/** Each top-up creates a session at the provider: ten at once, then one in two minutes. */
const ATTEMPTS_PER_ACCOUNT = { perSecond: 1 / 120, burst: 10 };

export async function openTopUps(world: World, db: Db, options: TopUpOptions): Promise<TopUps> {
  const { config } = options;
  const installation = await readInstallationId(world, db);
  const checkout = config.checkout === undefined ? null : openCheckout(world, config.checkout);
  const context: TopUpContext = { world, db, installation, checkout, options };
  return {
    isConfigured: checkout !== null,
    offer: offerOf(config),
    begin: (request) => beginTopUp(context, request),
    sync: async (id) => {
      const row = await findTopUp(db, id);
      return row === null ? null : syncTopUp(context, row);
    },
    find: async (id, accountId) => {
      const row = await findTopUp(db, id);
      return row === null || row.account_id !== accountId ? null : topUpOf(row);
    },
    list: (accountId, limit) => listSelectedTopUps(db, { accountId }, limit),
    receiveEvent: (body, signature) => receiveEvent(context, body, signature),
    syncDue: () => syncDueTopUps(context),
  };
}

type TopUpContext = {
  readonly world: World;
  readonly db: Db;
  readonly installation: string;
  readonly checkout: Checkout | null;
  readonly options: TopUpOptions;
};

/** Identifies this installation on a provider's account that several installations may share. */
async function readInstallationId(world: World, db: Db): Promise<string> {
  const secret = await readSharedSecret(world, db, 'installation');
  return createHash('sha256').update(secret).digest('hex').slice(0, 24);
}

function offerOf({ minimumCny: minimum, maximumCny: maximum, suggestedCny }: TopUpsConfig): Offer {
  const amounts = suggestedCny.filter((amount) => amount >= minimum && amount <= maximum);
  return { minimum, maximum, amounts };
}

async function beginTopUp(context: TopUpContext, request: TopUpRequest): Promise<TopUp> {
  const { world, db, installation, options } = context;
  const checkout = requireCheckout(context);
  const { minimum, maximum } = offerOf(options.config);
  const { amount } = request;
  const isWithinLimits =
    amount >= BigInt(minimum) * MICRO_FEN_PER_CNY && amount <= BigInt(maximum) * MICRO_FEN_PER_CNY;
  if (!isWithinLimits || amount % MICRO_FEN_PER_FEN !== 0n) {
    const message = `A top-up is between ${minimum} and ${maximum} CNY, in whole fen.`;
    throw new Fault('invalid_request', message);
  }
  const waitMs = await takeAttempts(db, world.clock.now(), [
    [`top-ups account ${request.accountId}`, ATTEMPTS_PER_ACCOUNT],
  ]);
  if (waitMs > 0) {
    const retryAfterSeconds = Math.ceil(waitMs / 1_000);
    throw new Fault('rate_limited', 'Too many top-ups were begun.', { retryAfterSeconds });
  }
  const id = `tu_${world.ids.next()}`;
  const now = world.clock.now();
  const look_at = nextSyncAt('begun', now, now) ?? now;
  // Stored before the request, so that a payment can always be matched to its top-up.
  await insertTopUp(db, { id, account_id: request.accountId, amount, begun_at: now, look_at });
  const returnUrl = `${options.siteUrl()}/console/top-up/${id}`;
  const session = await checkout.createSession({
    topUpId: id,
    installation,
    amount,
    email: request.email,
    language: request.language,
    product:
      request.language === 'zh-CN' ? `${options.siteName} 余额充值` : `${options.siteName} balance`,
    successUrl: `${returnUrl}?from=checkout`,
    cancelUrl: `${returnUrl}?from=canceled`,
  });
  const topUp = await updateFromProvider(world, db, {
    id,
    installation,
    providerState: { ...session, hasFailed: false, disputes: [], refunds: [] },
  });
  if (topUp?.payUrl != null) return topUp;
  throw new Fault('temporarily_unavailable', 'The checkout returned no payment page. Try again.', {
    internal: `top-up ${id} is ${topUp?.state}: ${topUp?.problem ?? 'without an address'}`,
  });
}

async function syncTopUp(
  context: TopUpContext,
  row: TopUpRow,
  hint: Partial<Hint> = {},
): Promise<TopUp> {
  const { world, db, installation } = context;
  const sessionId = row.session_id ?? hint.sessionId ?? null;
  if (sessionId === null) return postponeSync(context, row);
  const checkout = requireCheckout(context);
  const session = await checkout.readSession(sessionId);
  const { paymentIntent } = session;
  const needsDisputes = session.isDisputed || hint.isDispute === true || row.disputed > 0n;
  const disputes =
    needsDisputes && paymentIntent !== null ? await checkout.listDisputes(paymentIntent) : [];
  const needsRefunds = session.refundedFen > 0 || hint.isRefund === true || row.refunded > 0n;
  const refunds =
    needsRefunds && paymentIntent !== null ? await checkout.listRefunds(paymentIntent) : [];
  const hasFailed = hint.isFailure === true;
  const update = {
    id: row.id,
    installation,
    providerState: { ...session, hasFailed, disputes, refunds },
  };
  return (await updateFromProvider(world, db, update)) ?? topUpOf(row);
}

/** The provider returned no session, so the customer could not pay. A webhook can still arrive. */
async function postponeSync({ world, db }: TopUpContext, row: TopUpRow): Promise<TopUp> {
  const now = world.clock.now();
  const look_at = nextSyncAt(row.state, row.begun_at, now);
  const change = {
    looked_at: now,
    look_at,
    ...(look_at === null && { state: 'expired' as const }),
  };
  await updateTopUp(db, row.id, change);
  return topUpOf({ ...row, ...change });
}

async function receiveEvent(
  context: TopUpContext,
  body: Uint8Array,
  signature: string | undefined,
): Promise<WebhookEventResult> {
  const { world, db, installation, options } = context;
  const secrets = options.config.checkout?.webhookSecrets;
  if (secrets === undefined) return { kind: 'refused', reason: 'no checkout is configured here' };
  const signatureCheck = checkSignature(signature, body, { secrets, now: world.clock.now() });
  if (signatureCheck.kind === 'refused') return signatureCheck;
  const event = readEvent(parseBody(body), installation);
  if (event.kind === 'unreadable') return { kind: 'refused', reason: 'the body is not an event' };
  if (event.kind === 'ignored') return event;
  const hint = await completeHint(context, event.hint);
  const row =
    (hint.topUpId === null ? null : await findTopUp(db, hint.topUpId)) ??
    (hint.paymentIntent === null ? null : await findTopUpByPayment(db, hint.paymentIntent));
  if (row === null) {
    // After a restore of an older backup the top-up is missing, and a customer may have paid
    // without credit.
    if (hint.topUpId !== null)
      world.log.error(hint, 'a checkout event refers to an unknown top-up');
    return { kind: 'ignored', reason: 'its top-up does not exist' };
  }
  return { kind: 'synced', topUp: await syncTopUp(context, row, hint) };
}

/** For an event with an unknown payment, the provider supplies the session. */
async function completeHint(context: TopUpContext, hint: Hint): Promise<Hint> {
  const { paymentIntent } = hint;
  if (hint.topUpId !== null || paymentIntent === null) return hint;
  if ((await findTopUpByPayment(context.db, paymentIntent)) !== null) return hint;
  const session = await requireCheckout(context).findSessionOfPayment(paymentIntent);
  if (session === null || session.installation !== context.installation) return hint;
  return { ...hint, topUpId: session.topUpId, sessionId: session.sessionId };
}

async function syncDueTopUps(context: TopUpContext): Promise<number> {
  const { world, db } = context;
  await reclaimAllDebts(world, db);
  if (context.checkout === null) return 0;
  const now = world.clock.now();
  const ids = await claimTopUps(db, { now, until: now + CLAIM_MS, max: MAX_CLAIMED });
  for (const id of ids) {
    const row = await findTopUp(db, id);
    if (row === null) continue;
    await syncTopUp(context, row).catch((error) => {
      world.log.warn({ topUp: id, error: messageOf(error) }, 'a top-up will be synced later');
    });
  }
  return ids.length;
}

function requireCheckout({ checkout }: TopUpContext): Checkout {
  if (checkout !== null) return checkout;
  throw new Fault('temporarily_unavailable', 'No checkout is configured here.');
}

function parseBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return null;
  }
}
