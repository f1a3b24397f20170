// Creates, changes and lists the webhook endpoints of an account. The secret of an endpoint is
// returned once, at its creation or replacement.

import { formatWebhookSecret, SECRET_BYTES } from '../../kernel/crypto/sign-webhook.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import {
  deleteEndpoint,
  type EndpointOwner,
  type EndpointRow,
  findEndpointRow,
  insertEndpoint,
  listEndpointRows,
  updateEndpoint,
} from '../../store/gateway/webhook-endpoints.ts';
import {
  type DeliveryView,
  listDeliveries,
  raiseEvent,
  restartDelivery,
} from '../../store/gateway/webhook-events.ts';
import { takeAttempt } from '../../store/operators/sign-in-attempts.ts';
import { sealEndpointSecret } from './endpoint-secrets.ts';
import { testEventBody, type WebhookEvent, webhookEvents } from './event-bodies.ts';

export type { DeliveryView, EndpointOwner };

export type Endpoint = {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly state: EndpointRow['state'];
  readonly version: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
};

export type EndpointInput = { readonly url: string; readonly events: readonly string[] };
/** `https`: the address is not https. `port`: the port is not allowed. */
export type EndpointProblem = 'url' | 'https' | 'port' | 'events';

const MAX_ENDPOINTS = 10;
const MAX_URL_LENGTH = 500;
/** The empty text stands for 443, the default port of https. */
const ALLOWED_PORTS: readonly string[] = ['', '8443'];
const OLD_SECRET_VALID_MS = DAY_MS;

/**
 * Null: the address and the events are valid. Plain http and other ports are allowed only for this
 * machine, because a customer could otherwise scan the ports of other servers.
 */
function findProblem({ url, events }: EndpointInput): EndpointProblem | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (
    parsed === null ||
    url.length > MAX_URL_LENGTH ||
    parsed.username !== '' ||
    parsed.password !== ''
  ) {
    return 'url';
  }
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(parsed.hostname);
  if (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && isLocal)) return 'https';
  if (!isLocal && !ALLOWED_PORTS.includes(parsed.port)) return 'port';
  const isKnown = events.every((event) => webhookEvents.some((eventType) => eventType === event));
  return events.length > 0 && isKnown ? null : 'events';
}

export type EndpointCreation =
  | { readonly kind: 'added'; readonly id: string; readonly secret: string }
  | { readonly kind: 'invalid'; readonly problem: EndpointProblem }
  /** The endpoint already exists. Its secret was shown at its creation. */
  | { readonly kind: 'known' }
  | { readonly kind: 'too_many'; readonly max: number };

export async function addEndpoint(
  world: World,
  db: Db,
  { owner, ...input }: EndpointInput & { readonly owner: EndpointOwner },
): Promise<EndpointCreation> {
  const problem = findProblem(input);
  if (problem !== null) return { kind: 'invalid', problem };
  const id = `hook_${world.ids.next()}`;
  const secret = Buffer.from(world.random.bytes(SECRET_BYTES));
  const row: EndpointRow = {
    id,
    account_id: owner.accountId,
    livemode: owner.livemode,
    url: new URL(input.url).href,
    events: [...new Set(input.events)],
    state: 'on',
    version: 1,
    secret: await sealEndpointSecret(world, db, { id, secret }),
    old_secret: null,
    old_secret_until: null,
    created_at: world.clock.now(),
  };
  const result = await insertEndpoint(db, row, MAX_ENDPOINTS);
  if (result === 'inserted') return { kind: 'added', id, secret: formatWebhookSecret(secret) };
  return result === 'known' ? { kind: 'known' } : { kind: 'too_many', max: MAX_ENDPOINTS };
}

/** Lists the endpoints, oldest first. */
export async function listEndpoints(db: Db, owner: EndpointOwner): Promise<readonly Endpoint[]> {
  return (await listEndpointRows(db, owner)).map(toEndpoint);
}

export async function findEndpoint(
  db: Db,
  owner: EndpointOwner,
  id: string,
): Promise<Endpoint | null> {
  const row = await findEndpointRow(db, owner, id);
  return row === null ? null : toEndpoint(row);
}

export type EndpointChangeResult =
  /** `secret`: the new secret; null: the secret is unchanged. */
  | { readonly kind: 'changed'; readonly secret: string | null }
  | { readonly kind: 'invalid'; readonly problem: EndpointProblem }
  /** The endpoint changed after the form was loaded. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'not_found' };

type EndpointVersion = {
  readonly owner: EndpointOwner;
  readonly id: string;
  readonly version: number;
};

export async function changeEndpoint(
  db: Db,
  { owner, id, version }: EndpointVersion,
  input: EndpointInput & { readonly isOn: boolean },
): Promise<EndpointChangeResult> {
  const problem = findProblem(input);
  if (problem !== null) return { kind: 'invalid', problem };
  if ((await findEndpointRow(db, owner, id)) === null) return { kind: 'not_found' };
  const isChanged = await updateEndpoint(db, id, version, {
    url: new URL(input.url).href,
    events: [...new Set(input.events)],
    state: input.isOn ? 'on' : 'off',
  });
  return isChanged ? { kind: 'changed', secret: null } : { kind: 'conflict' };
}

/**
 * Creates a new secret. For one day, messages are also signed with the old secret, so that
 * receivers have time to replace it.
 */
export async function changeSecret(
  world: World,
  db: Db,
  { owner, id, version }: EndpointVersion,
): Promise<EndpointChangeResult> {
  const row = await findEndpointRow(db, owner, id);
  if (row === null) return { kind: 'not_found' };
  const secret = Buffer.from(world.random.bytes(SECRET_BYTES));
  const isChanged = await updateEndpoint(db, id, version, {
    secret: await sealEndpointSecret(world, db, { id, secret }),
    old_secret: row.secret,
    old_secret_until: world.clock.now() + OLD_SECRET_VALID_MS,
  });
  return isChanged
    ? { kind: 'changed', secret: formatWebhookSecret(secret) }
    : { kind: 'conflict' };
}

/** False: the endpoint does not exist. */
export async function removeEndpoint(db: Db, owner: EndpointOwner, id: string): Promise<boolean> {
  if ((await findEndpointRow(db, owner, id)) === null) return false;
  await deleteEndpoint(db, id);
  return true;
}

/** Limit per account: five at once, then one in 12 s. */
const TEST_RATE = { perSecond: 1 / 12, burst: 5 };

export type SendTestResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'too_many'; readonly waitMs: number };

/** Sends a test event, also while the endpoint is off. */
export async function sendTest(
  world: World,
  db: Db,
  owner: EndpointOwner,
  id: string,
): Promise<SendTestResult> {
  if ((await findEndpointRow(db, owner, id)) === null) return { kind: 'not_found' };
  const key = `webhook tests of ${owner.accountId}`;
  const limitResult = await takeAttempt(db, world.clock.now(), key, TEST_RATE);
  if (!limitResult.isAllowed) return { kind: 'too_many', waitMs: limitResult.waitMs };
  const eventId = `msg_${world.ids.next()}`;
  const now = world.clock.now();
  const body = testEventBody({ now, livemode: owner.livemode });
  const event = { ...owner, id: eventId, type: 'test', subject: eventId, body, now } as const;
  await raiseEvent(db, { ...event, endpointId: id });
  return { kind: 'sent' };
}

const PAGE_SIZE = 50;

/**
 * Lists deliveries, newest first. Null: the endpoint does not exist. `before`: the last event of
 * the previous page.
 */
export async function listEndpointDeliveries(
  db: Db,
  owner: EndpointOwner,
  { id, before }: { readonly id: string; readonly before: string | null },
): Promise<{ readonly deliveries: readonly DeliveryView[]; readonly hasMore: boolean } | null> {
  if ((await findEndpointRow(db, owner, id)) === null) return null;
  const deliveries = await listDeliveries(db, id, { before, limit: PAGE_SIZE + 1 });
  return { deliveries: deliveries.slice(0, PAGE_SIZE), hasMore: deliveries.length > PAGE_SIZE };
}

/** False: no finished delivery with this id exists. */
export async function repeatDelivery(
  world: World,
  db: Db,
  owner: EndpointOwner,
  { id, eventId }: { readonly id: string; readonly eventId: string },
): Promise<boolean> {
  if ((await findEndpointRow(db, owner, id)) === null) return false;
  return restartDelivery(db, { eventId, endpointId: id }, world.clock.now());
}

function toEndpoint(row: EndpointRow): Endpoint {
  const { id, url, state, version, created_at: createdAt } = row;
  const events = webhookEvents.filter((event) => row.events.includes(event));
  return { id, url, events, state, version, createdAt };
}
