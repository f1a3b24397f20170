// Adds, lists, switches and removes channels for operators. A channel is stored after all its
// fields are validated, and it is shown without its secrets.
import { seal, unseal } from '../kernel/crypto/seal.ts';
import { formatWebhookSecret, SECRET_BYTES } from '../kernel/crypto/sign-webhook.ts';
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import {
  type ChannelRow,
  deleteChannel,
  findChannelRow,
  insertChannel,
  listChannelRows,
  setChannelState,
} from '../store/notifications/channels.ts';
import { raiseSubscriptionRevision } from '../store/notifications/subscriptions.ts';
import { inTransaction } from '../store/platform/db.ts';
import { readSharedSecret } from '../store/platform/secrets.ts';
import type { ChannelField, ChannelFields, ChannelKind } from './channel-kind.ts';
import { channelKindOf } from './channel-kinds.ts';

export type Channel = {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** The host, and the last four characters of the secret, or of the address without a secret. */
  readonly label: string;
  readonly state: ChannelRow['state'];
  readonly reason: string | null;
  readonly whenUnsure: ChannelRow['when_unsure'];
  readonly version: number;
  readonly createdAt: number;
};

export type ChannelInput = {
  readonly kind: string;
  readonly name: string;
  readonly whenUnsure?: 'send' | 'drop';
  readonly fields: ChannelFields;
};

/** The invalid field and its problem. */
export type ChannelProblem = {
  readonly field: string;
  readonly problem: 'missing' | 'malformed' | 'unknown' | 'refused_address' | 'no_smtp';
};

export type AddChannelResult =
  | {
      readonly kind: 'added';
      readonly id: string;
      /** A generated secret, which is shown once. */
      readonly secret: string | null;
    }
  | { readonly kind: 'invalid'; readonly problems: readonly ChannelProblem[] };

/** Characters. */
const NAME_MAX = 80;
/** Characters. */
const FIELD_MAX = 2_000;
const SECRET_NAME = 'channels';
const CHECK_TIMEOUT_MS = 5_000;

export async function addChannel(
  world: World,
  db: Db,
  input: ChannelInput,
  { hasSmtp }: { readonly hasSmtp: boolean },
): Promise<AddChannelResult> {
  const check = await checkChannel(world, input, { hasSmtp });
  return check.kind === 'valid' ? storeChannel(world, db, check.channel) : check;
}

/** A channel whose fields and address are valid. */
export type CheckedChannel = Omit<ChannelInput, 'kind'> & { readonly kind: ChannelKind };

type ChannelCheck =
  | { readonly kind: 'valid'; readonly channel: CheckedChannel }
  | Extract<AddChannelResult, { readonly kind: 'invalid' }>;

/**
 * Sends one request to the address of a channel with valid fields, so callers run it outside of
 * transactions.
 */
export async function checkChannel(
  world: World,
  input: ChannelInput,
  { hasSmtp }: { readonly hasSmtp: boolean },
): Promise<ChannelCheck> {
  const kind = channelKindOf(input.kind);
  if (kind === null) {
    return { kind: 'invalid', problems: [{ field: 'kind', problem: 'unknown' }] };
  }
  const problems = [...nameProblems(input.name), ...fieldProblems(kind, input.fields)];
  if (kind.name === 'email' && !hasSmtp) problems.push({ field: 'kind', problem: 'no_smtp' });
  if (problems.length === 0)
    problems.push(...(await findAddressProblems(world, kind, input.fields)));
  if (problems.length > 0) return { kind: 'invalid', problems };
  return { kind: 'valid', channel: { ...input, kind } };
}

export async function storeChannel(
  world: World,
  db: Db,
  { kind, ...input }: CheckedChannel,
): Promise<Extract<AddChannelResult, { readonly kind: 'added' }>> {
  const createdSecret =
    kind.name === 'webhook' && input.fields.secret === undefined
      ? formatWebhookSecret(world.random.bytes(SECRET_BYTES))
      : null;
  const fields = { ...input.fields, ...(createdSecret !== null && { secret: createdSecret }) };
  const id = `chn_${world.ids.next()}`;
  await insertChannel(db, {
    id,
    kind: kind.name,
    name: input.name.trim(),
    secret: await encryptFields(world, db, id, fields),
    label: createLabel(kind, fields),
    state: 'on',
    reason: null,
    broken_at: null,
    resumed_at: null,
    when_unsure: input.whenUnsure ?? 'send',
    dead_letters: 0,
    arrivals: [],
    next_at: null,
    version: 1,
    created_at: world.clock.now(),
  });
  return { kind: 'added', id, secret: createdSecret };
}

function nameProblems(name: string): ChannelProblem[] {
  const length = name.trim().length;
  if (length === 0) return [{ field: 'name', problem: 'missing' }];
  return length > NAME_MAX ? [{ field: 'name', problem: 'malformed' }] : [];
}

function fieldProblems(kind: ChannelKind, fields: ChannelFields): readonly ChannelProblem[] {
  const unknownNames = Object.keys(fields).filter(
    (name) => !kind.fields.some((field) => field.name === name),
  );
  return [
    ...unknownNames.map((field): ChannelProblem => ({ field, problem: 'unknown' })),
    ...kind.fields.flatMap((field) => problemsOfField(field, fields[field.name])),
  ];
}

function problemsOfField(field: ChannelField, value: string | undefined): ChannelProblem[] {
  const { name, type, isRequired, pattern } = field;
  if (value === undefined || value === '') {
    return isRequired ? [{ field: name, problem: 'missing' }] : [];
  }
  const isWellFormed = value.length <= FIELD_MAX && (pattern?.test(value) ?? true);
  const isValid = isWellFormed && (type !== 'url' || isWebAddress(value));
  return isValid ? [] : [{ field: name, problem: 'malformed' }];
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    url.hash === ''
  );
}

/**
 * The guarded network checks the address here and again at every delivery. A webhook that redirects
 * is refused.
 */
async function findAddressProblems(
  { net }: World,
  kind: ChannelKind,
  fields: ChannelFields,
): Promise<readonly ChannelProblem[]> {
  const url = addressOf(kind, fields);
  if (url === null) return [];
  const outcome = await net.request({
    url,
    method: 'HEAD',
    timeoutMs: CHECK_TIMEOUT_MS,
    maxBytes: 65_536,
    maxRedirects: 0,
    isPolite: false,
  });
  const isRefused = outcome.kind === 'failed' && outcome.reason === 'address_refused';
  const isRedirect = outcome.kind === 'response' && outcome.headers.location !== undefined;
  // Chat services redirect GET and HEAD requests to their documentation.
  const isMoved = isRedirect && kind.name === 'webhook';
  return isRefused || isMoved ? [{ field: 'url', problem: 'refused_address' }] : [];
}

/** The address that receives requests; null: mail. */
function addressOf(kind: ChannelKind, fields: ChannelFields): string | null {
  const field = kind.fields.find(({ type }) => type === 'url');
  return field === undefined ? null : (fields.url ?? field.preset ?? null);
}

function createLabel(kind: ChannelKind, fields: ChannelFields): string {
  const secretField = kind.fields.find(({ type }) => type === 'secret')?.name ?? 'url';
  const address = addressOf(kind, fields);
  const host = address === null ? 'mail' : new URL(address).host;
  const lastCharacters = (fields[secretField] ?? fields.url ?? '').slice(-4);
  return `${host} …${lastCharacters}`;
}

export async function encryptFields(
  world: World,
  db: Db,
  id: string,
  fields: ChannelFields,
): Promise<Buffer> {
  const key = await readSharedSecret(world, db, SECRET_NAME);
  return seal(world, key, id, Buffer.from(JSON.stringify(fields)));
}

/** Null: the secret was encrypted with the key of another installation. */
export async function decryptFields(
  world: World,
  db: Db,
  { id, secret }: Pick<ChannelRow, 'id' | 'secret'>,
): Promise<ChannelFields | null> {
  const key = await readSharedSecret(world, db, SECRET_NAME);
  const text = unseal(key, id, secret);
  return text === null ? null : (JSON.parse(text.toString()) as ChannelFields);
}

/** Oldest first. */
export async function listChannels(db: Db): Promise<readonly Channel[]> {
  return (await listChannelRows(db)).map(channelFromRow);
}

export async function findChannel(db: Db, id: string): Promise<Channel | null> {
  const row = await findChannelRow(db, id);
  return row === null ? null : channelFromRow(row);
}

const channelFromRow = (row: ChannelRow): Channel => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  label: row.label,
  state: row.state,
  reason: row.reason,
  whenUnsure: row.when_unsure,
  version: row.version,
  createdAt: row.created_at,
});

/**
 * Deletes the channel with its subscriptions and notifications. False: the channel does not exist.
 */
export function removeChannel(db: Db, id: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const isRemoved = await deleteChannel(tx, id);
    if (isRemoved) await raiseSubscriptionRevision(tx);
    return isRemoved;
  });
}

/**
 * Switches a channel on or off. `on` also retries a broken channel. False: its version has changed,
 * or it does not exist.
 */
export function switchChannel(
  { clock }: World,
  db: Db,
  target: { readonly id: string; readonly version: number },
  state: 'on' | 'off',
): Promise<boolean> {
  return setChannelState(db, target, state, clock.now());
}
