// Starts a model call: authentication, rate limit, validation, the permitted model, idempotency
// key, upstreams, price, hold, upstream request. The request is not stored.
import { codes } from '../../../kernel/errors/codes.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import type { World } from '../../../kernel/world.ts';
import type { Caller } from '../../calls/admit.ts';
import { fingerprintOfText, hasPreference, readIdempotencyKey } from '../../calls/idempotency.ts';
import { MAX_CHARGE_PROBLEM, parseMaxCharge } from '../../calls/read-request.ts';
import {
  duplicateFault,
  priceTooHighFault,
  refusalOf,
  switchedOffFault,
} from '../../calls/refusals.ts';
import type { Key } from '../../keys/key.ts';
import {
  mayUseModel,
  mayUseRelay,
  refuseOtherModels,
  unknownModelFault,
} from '../../relay/allow-models.ts';
import { allDialects } from '../../relay/dialects/all-dialects.ts';
import type { ApiDialect, ModelRequest } from '../../relay/dialects/dialect.ts';
import { invalidField, refuseLongOutput } from '../../relay/dialects/request-fields.ts';
import type { ModelPriceList } from '../../relay/prices/model-prices.ts';
import {
  type CallPrice,
  heldTokens,
  priceCall,
  refuseUnpriced,
} from '../../relay/prices/price-call.ts';
import { type AttemptLog, type CallRecord, storedAttempts } from '../../relay/receipt.ts';
import { routeOfHold } from '../../relay/relay-config.ts';
import type { ForwardedHeaders } from '../../relay/run-attempt.ts';
import {
  type FailoverPlan,
  type PreparedResponse,
  prepareResponse,
  type StartResult,
} from '../../relay/start-response.ts';
import type { ResumeStream } from '../../relay/stream/forward-stream.ts';
import { ANTHROPIC_VERSION } from '../../relay/upstream/model-list.ts';
import type { Upstream } from '../../relay/upstream/upstream.ts';
import type { AuthorizeRequest, AuthorizeResult } from '../../wallet/ledger/wallet.ts';
import { NO_STORE, oneHeader } from '../http-response.ts';
import type { CallAccounting } from './call-accounting.ts';
import { readApiKey } from './read-api-key.ts';
import type { RelayContext, RelayRequest, RelayResponse } from './relay-context.ts';

/** The text of a request, for the relay's own count of its tokens. */
export type PromptHolder = {
  /** Returns the text. Null: the request is not kept during its stream, to limit the memory. */
  readonly read: (() => string) | null;
  readonly bytes: number;
  /** Ends the reservation of the text's memory. */
  release(): void;
};

/** Facts about a request during its response. */
export type CallFacts = {
  readonly requestId: string;
  readonly key: Pick<Key, 'id' | 'accountId' | 'livemode'>;
  readonly model: string;
  readonly isStream: boolean;
  readonly wantsUsage: boolean;
  /** The call has an idempotency key, which is released when the call delivers nothing. */
  readonly isClaimed: boolean;
  readonly prompt: PromptHolder;
  /** Changes to the request that the response reports. */
  readonly warnings: readonly string[];
  readonly price: CallPrice;
  /** The original hold of a stream with a price per token; set when the stream has ended. */
  readonly firstHold?: bigint;
  /** The request to raise the hold had no reply, so the stored hold may be larger than `price`. */
  readonly isHoldUncertain?: boolean;
  /** Epoch ms. */
  readonly startedAt: number;
};

export type StartedCall =
  | {
      readonly kind: 'begun';
      /** Rejects with a Fault after the hold is released. */
      readonly startPromise: Promise<StartResult>;
      readonly facts: CallFacts;
      readonly accounting: CallAccounting;
      readonly resume: ResumeStream | null;
      readonly attempts: PreparedResponse['attempts'];
    }
  | { readonly kind: 'responded'; readonly response: RelayResponse };

/** Throws a Fault when the call does not begin. */
export async function startCall(
  context: RelayContext,
  dialect: ApiDialect,
  received: RelayRequest,
): Promise<StartedCall> {
  const { admission, wallet, accounting, world } = context;
  // Kill switches and prices are refreshed while the key is loaded.
  if (!context.switches.isFresh()) context.switches.refresh().catch(() => {});
  const models = context.prices.models();
  // The rejection is handled below, where the promise is awaited.
  models.catch(() => {});
  const { client, knownLimits } = received;
  const caller = await admission.admit({
    authorization: readApiKey(received),
    client,
    knownLimits,
  });
  const list = await models;
  requireKeyForRelay(caller.key, isCharged(context, list));
  const { accountId, livemode } = caller.key;

  // The body is read after authentication.
  const reading = received.readText(dialect.maxBytes);
  const text = reading instanceof Promise ? await reading : reading;
  await admission.admitBody(caller.key, text);
  const request = dialect.readRequest(text);
  refuseOtherModels(caller.key.scopes, request.model);
  const pendingClaim = readClaim(received, request);
  const claim = pendingClaim instanceof Promise ? await pendingClaim : pendingClaim;
  const conflict =
    claim === null ? null : await wallet.findIdempotencyKey({ accountId, livemode, ...claim });
  if (conflict !== null)
    return respondToRefusal(context, received, { caller, request, refused: conflict });

  if (!context.switches.isFresh()) await context.switches.refresh();
  if (context.switches.isOff('capability', 'chat')) throw switchedOffFault('The chat relay');
  const selected = upstreamsFor(context, dialect, caller.key, request.model);
  const upstreams = selected instanceof Promise ? await selected : selected;
  const maxCharge = readMaxCharge(request);
  const price = priceOf(context, dialect, caller.key, { request, list });
  refuseUnpriced(dialect, request, price);
  if (price.kind === 'per_call') {
    const { maxOutput } = context.upstreams.routeOf(request.model);
    refuseLongOutput(request, dialect.lengthFields, maxOutput);
  }
  const { choices } = request;
  const startedAt = world.clock.now();
  const createAuthorizeRequest = () =>
    authorizeRequestOf(caller, {
      received,
      claim,
      longestMs: context.upstreams.longestCallMs,
      maxCharge,
      choices,
      price,
      startedAt,
    });
  const createFacts = (prompt: PromptHolder) =>
    factsOf(received.requestId, caller.key, request, {
      prompt,
      isClaimed: claim !== null,
      price,
      startedAt,
    });
  const routePlan = { dialect, key: caller.key, request, upstreams, list };
  const prepareCall = () => prepareResponse(world, planRoute(context, received, routePlan));
  if (claim === null && price.kind === 'free') {
    // The upstream request and the recording run concurrently; the upstream request starts first.
    accounting.refuseExhausted(caller.key);
    const prepared = prepareCall();
    const started = prepared.begin();
    const callAccounting = accounting.authorizeInBackground(createAuthorizeRequest());
    const prompt = openPromptHolder(context, dialect, request);
    const callFacts = createFacts(prompt);
    const resume = toResume(context, received, { ...routePlan, prompt }, prepared);
    const { attempts } = prepared;
    return startWithHold(
      dialect,
      { facts: callFacts, accounting: callAccounting, resume, attempts },
      () => started,
    );
  }
  const authorizeRequest = createAuthorizeRequest();
  const pendingAuthorization = accounting.authorize(authorizeRequest);
  const takeEarlyResponse = prepareConcurrently(
    world,
    accounting.wasRefused(authorizeRequest) ? null : prepareCall,
  );
  const authorization = await pendingAuthorization.catch((error) => {
    takeEarlyResponse()?.drop();
    throw error;
  });
  const earlyResponse = takeEarlyResponse();
  if ('quotas' in authorization) received.knownLimits.quotaUse = authorization.quotas;
  if (authorization.kind !== 'authorized') {
    earlyResponse?.drop();
    return respondToRefusal(context, received, { caller, request, refused: authorization });
  }
  const callAccounting = accounting.accountingOf(authorizeRequest);
  const unsentRequest = { dialect: dialect.name, model: request.model, attempts: [] };
  const prepared = await releaseOnFailure(
    callAccounting,
    unsentRequest,
    async () => earlyResponse ?? prepareCall(),
  );
  const prompt = openPromptHolder(context, dialect, request);
  const resume = toResume(context, received, { ...routePlan, prompt }, prepared);
  const { attempts } = prepared;
  const acceptedCall = { facts: createFacts(prompt), accounting: callAccounting, resume, attempts };
  return startWithHold(dialect, acceptedCall, () => prepared.begin());
}

type AcceptedCall = Omit<Extract<StartedCall, { kind: 'begun' }>, 'kind' | 'startPromise'>;

function startWithHold(
  { name }: ApiDialect,
  acceptedCall: AcceptedCall,
  begin: () => Promise<StartResult>,
): StartedCall {
  const { facts, accounting: callAccounting, attempts } = acceptedCall;
  const failedCall = { dialect: name, model: facts.model, attempts };
  const startPromise = releaseOnFailure(callAccounting, failedCall, begin).catch((error) => {
    facts.prompt.release();
    throw error;
  });
  return { kind: 'begun', startPromise, ...acceptedCall };
}

/** When a hold commits within this time, the preparation starts only afterwards. */
const FAST_HOLD_MS = 1;

/**
 * Connects to the upstream while the hold is written to disk. No byte is sent before the hold
 * exists. The work starts in a later event-loop turn, because work in the same turn delays the
 * ledger's statement (decision 17).
 *
 * Returns a function that stops the preparation and returns its result; null: nothing was prepared.
 * `prepare` null: nothing will be prepared.
 */
function prepareConcurrently(world: World, prepare: (() => PreparedResponse) | null) {
  let prepared: PreparedResponse | null = null;
  let isFinished = false;
  const prepareAfterPause = async (prepareNow: () => PreparedResponse) => {
    await world.clock.sleep(FAST_HOLD_MS);
    if (!isFinished) prepared = prepareNow();
  };
  // The caller receives a preparation error later, after the result of the hold.
  if (prepare !== null) prepareAfterPause(prepare).catch(() => {});
  return () => {
    isFinished = true;
    return prepared;
  };
}

type FailingCall = Pick<CallRecord, 'dialect' | 'model'> & {
  readonly attempts: readonly AttemptLog[];
};

async function releaseOnFailure<T>(
  callAccounting: CallAccounting,
  { attempts, ...callIdentity }: FailingCall,
  begin: () => Promise<T>,
): Promise<T> {
  try {
    return await begin();
  } catch (error) {
    const code = error instanceof Fault ? error.code : 'temporarily_unavailable';
    const record = {
      ...callIdentity,
      ended: 'failed',
      attempts: storedAttempts(attempts),
    } as const;
    await callAccounting.release({ status: codes[code].status, code, record });
    throw error;
  }
}

/** Whether calls have a price. */
export const isCharged = ({ price }: RelayContext, list: ModelPriceList | null): boolean =>
  list !== null || (price?.perCall ?? 0n) > 0n;

type PricedRequest = { readonly request: ModelRequest; readonly list: ModelPriceList | null };

/** Throws when only other models have prices. Test calls of a model without a price are free. */
function priceOf(
  { price: perResponse, ratios, upstreams }: RelayContext,
  dialect: ApiDialect,
  { livemode }: Pick<Key, 'livemode'>,
  { request, list }: PricedRequest,
): CallPrice {
  const route = routeOfHold(upstreams.routeOf, request.model);
  const price = priceCall({ dialect, request, route, list, perResponse, ratios });
  if (price !== null) return price;
  if (livemode) throw unknownModelFault();
  return { kind: 'free' };
}

/** Agent API keys work on every route. Secret keys work only where a call has a price. */
export function requireKeyForRelay({ kind, scopes }: Key, isPriced: boolean): void {
  if (kind !== 'ak' && !isPriced) {
    throw new Fault(
      'key_not_allowed',
      'The chat relay must be called with an Agent API key (ak-…).',
    );
  }
  if (mayUseRelay(scopes)) return;
  throw new Fault('key_not_allowed', 'This API key may not call the chat relay.');
}

type PlanInput = {
  readonly dialect: ApiDialect;
  readonly key: Key;
  readonly request: ModelRequest;
  readonly upstreams: readonly Upstream[];
  /** Null: no model has a price by token. */
  readonly list: ModelPriceList | null;
};

/** Fallbacks are for live keys, and only for models that the key may use. */
function planRoute(
  context: RelayContext,
  received: RelayRequest,
  { dialect, key, request, upstreams, list }: PlanInput,
): FailoverPlan {
  const { routeOf, deadlineMs } = context.upstreams;
  // Vectors of different models are not comparable, so embeddings have no fallback.
  const isComparable = dialect.name !== 'embeddings';
  const canFallBack =
    key.livemode && isComparable && !isOptionForbidden(received, 'x-relay-fallback');
  return {
    dialect,
    request,
    upstreams,
    accountId: key.accountId,
    route: routeOf(request.model),
    mayUse: (model) => canFallBack && mayUseModel(key.scopes, model),
    upstreamsOf: async (model) => ofKind(await context.upstreams.upstreamsOf(model), dialect),
    routeOf,
    isPriced: (model) => list === null || list.models.has(model),
    signals: received.signals,
    headers: readForwardedHeaders(received, dialect),
    deadlineMs,
  };
}

function openPromptHolder(
  { keptRequestBudget }: RelayContext,
  dialect: ApiDialect,
  request: ModelRequest,
): PromptHolder {
  const bytes = Buffer.byteLength(request.text);
  const readPrompt = () => dialect.promptText(request);
  if (!request.isStream) return { read: readPrompt, bytes, release: () => {} };
  const release = keptRequestBudget.reserve(request.text.length);
  return release === null
    ? { read: null, bytes, release: () => {} }
    : { read: readPrompt, bytes, release };
}

const isOptionForbidden = (received: RelayRequest, name: string) =>
  oneHeader(received, name)?.trim().toLowerCase() === 'never';

/** Null: a broken stream of this call is not continued, and its request is not kept. */
function toResume(
  context: RelayContext,
  received: RelayRequest,
  { dialect, key, request, prompt }: PlanInput & { readonly prompt: PromptHolder },
  prepared: PreparedResponse,
): ResumeStream | null {
  const route = context.upstreams.routeOf(request.model);
  const { continuation } = dialect;
  const isPermittedByClient = key.mayContinue && !isOptionForbidden(received, 'x-relay-continue');
  // Output in a requested format continues only from the model's own last turn (prefill). If this
  // model has no prefill, a fallback may have it.
  const canPrefill = route.continue === 'across' || route.prefill;
  const isPermitted =
    isPermittedByClient &&
    request.isStream &&
    prompt.read !== null &&
    route.continue !== 'never' &&
    continuation?.mayContinue(request) === true &&
    (canPrefill || !continuation.needsPrefill(request));
  return isPermitted ? (...broken) => prepared.resume(...broken) : null;
}

/** The session headers of clients, and OpenAI's header for beta features. Relay contract, 1.2. */
const sessionHeaders = [
  'x-claude-code-session-id',
  'session_id',
  'conversation_id',
  'openai-beta',
] as const;

export function readForwardedHeaders(
  received: RelayRequest,
  { kind }: ApiDialect,
): ForwardedHeaders {
  const presentHeaders = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const headerValue = oneHeader(received, name);
        return headerValue === undefined ? [] : [[name, headerValue]];
      }),
    );
  const isAnthropic = kind === 'anthropic-messages';
  return {
    dialect: isAnthropic
      ? {
          'anthropic-version': ANTHROPIC_VERSION,
          ...presentHeaders(['anthropic-version', 'anthropic-beta']),
        }
      : {},
    session: presentHeaders(sessionHeaders),
    traceparent: readTraceparent(received),
    hops: readHops(received) + 1,
  };
}

const MAX_HOPS = 3;

/** Throws a Fault `relay_loop` for a request that passed too many relays. */
function readHops(request: RelayRequest): number {
  const text = oneHeader(request, 'x-relay-hops')?.trim() ?? '0';
  if (!/^\d{1,9}$/.test(text)) {
    throw new Fault('invalid_request', 'The header "X-Relay-Hops" must be a whole number.');
  }
  const hops = Number(text);
  if (hops < MAX_HOPS) return hops;
  const message = `This request passed ${hops} relays: one of them sends it back.`;
  throw new Fault('relay_loop', message);
}

/** W3C Trace Context, 3.2: null unless it is well-formed. */
function readTraceparent(request: RelayRequest): string | null {
  const text = oneHeader(request, 'traceparent') ?? '';
  return /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(text) ? text : null;
}

type IdempotencyClaim = AuthorizeRequest['idempotency'];

/** Null: the call has no idempotency key. */
function readClaim(
  { headers, path, query }: RelayRequest,
  { text }: ModelRequest,
): IdempotencyClaim | Promise<IdempotencyClaim> {
  const key = readIdempotencyKey(oneHeader({ headers }, 'idempotency-key'));
  if (key === null) return null;
  const identity = { method: 'POST', path, query };
  return fingerprintOfText(identity, text).then((fingerprint) => ({ key, fingerprint }));
}

/** Throws when no upstream of the dialect's kind offers the model. */
export function upstreamsFor(
  { upstreams, sandboxOf }: RelayContext,
  dialect: ApiDialect,
  { livemode }: Pick<Key, 'livemode'>,
  model: string,
): readonly Upstream[] | Promise<readonly Upstream[]> {
  if (!livemode) return [sandboxOf(dialect)];
  if (!upstreams.isConfigured) throw notConfigured();
  const selectUpstreams = (allUpstreams: readonly Upstream[]) => {
    const usableUpstreams = ofKind(allUpstreams, dialect);
    if (usableUpstreams.length === 0) throw modelNotFoundFault(allUpstreams);
    return usableUpstreams;
  };
  const selectedUpstreams = upstreams.upstreamsOf(model);
  return selectedUpstreams instanceof Promise
    ? selectedUpstreams.then(selectUpstreams)
    : selectUpstreams(selectedUpstreams);
}

const ofKind = (upstreams: readonly Upstream[], { kind }: ApiDialect) =>
  upstreams.filter(({ rules }) => rules.kind === kind);

/** `others`: upstreams that offer the model in other dialects. */
function modelNotFoundFault(others: readonly Upstream[]): Fault {
  const paths = allDialects
    .filter(({ kind }) => others.some(({ rules }) => rules.kind === kind))
    .map(({ path }) => `/relay/v1${path}`);
  if (paths.length === 0) return unknownModelFault();
  const endpoints = paths.join(' or ');
  const message = `This model is not served at this endpoint: send the request to ${endpoints}.`;
  return new Fault('not_found', message, { members: { param: 'model' } });
}

export const notConfigured = () =>
  new Fault(
    'capability_unavailable',
    'Chat completions are not available on this service. Nothing was charged.',
    { internal: 'relay.upstreams is empty in radar.config.json', retryAfterSeconds: null },
  );

/**
 * Time between the longest possible response and the recovery of the holds of a crashed process.
 */
const RECOVERY_DELAY_MS = 30_000;

type AuthorizeInput = {
  readonly received: RelayRequest;
  readonly claim: IdempotencyClaim;
  readonly longestMs: number;
  readonly maxCharge: AuthorizeRequest['maxCharge'];
  readonly choices: number;
  readonly price: CallPrice;
  readonly startedAt: number;
};

function authorizeRequestOf(
  { key, quotas, isRateCertain }: Caller,
  { received, claim, longestMs, maxCharge, choices, price, startedAt: now }: AuthorizeInput,
): AuthorizeRequest {
  const amount = price.kind === 'free' ? 0n : price.amount;
  if (maxCharge !== null && amount > maxCharge) throw priceTooHighFault(amount, maxCharge, now);
  if (amount > 0n && !isRateCertain) {
    const message = 'Paid calls cannot be admitted right now. Try again soon.';
    throw new Fault('temporarily_unavailable', message, {
      internal: 'the shared limiter is unavailable, so paid calls are refused',
      retryAfterSeconds: 2,
    });
  }
  const { accountId, livemode, id: keyId, budget } = key;
  return {
    requestId: received.requestId,
    accountId,
    livemode,
    keyId,
    capability: 'chat',
    sku: amount > 0n ? 'chat' : null,
    priceVersion: versionOf(price),
    unit: price.kind === 'per_token' ? 'per_token' : 'per_call',
    quantity: price.kind === 'per_token' ? heldTokens(price) : choices,
    amount,
    maxCharge,
    budget,
    quotas,
    idempotency: claim,
    deadlineAt: now + longestMs + RECOVERY_DELAY_MS,
  };
}

/** Version of the price list of a call; 0: the call is free. */
export function versionOf(price: CallPrice): number {
  switch (price.kind) {
    case 'free':
      return 0;
    case 'per_call':
      return price.version;
    case 'per_token':
      return price.list.version;
  }
}

function readMaxCharge({ body }: ModelRequest): AuthorizeRequest['maxCharge'] {
  const maxCharge = parseMaxCharge(body.max_charge);
  if (maxCharge === 'invalid') throw invalidField('max_charge', MAX_CHARGE_PROBLEM);
  return maxCharge;
}

function factsOf(
  requestId: string,
  { id, accountId, livemode }: Key,
  { model, isStream, wantsUsage, warnings }: ModelRequest,
  details: Pick<CallFacts, 'prompt' | 'isClaimed' | 'price' | 'startedAt'>,
): CallFacts {
  const key = { id, accountId, livemode };
  return { requestId, key, model, isStream, wantsUsage, warnings, ...details };
}

type RefusedCall = {
  readonly caller: Caller;
  readonly request: ModelRequest;
  readonly refused: Exclude<AuthorizeResult, { kind: 'authorized' }>;
};

/** Responds when the hold is refused or the Idempotency-Key exists. Streams are never replayed. */
async function respondToRefusal(
  { world, findResponse }: RelayContext,
  received: RelayRequest,
  { caller, request, refused }: RefusedCall,
): Promise<StartedCall> {
  if (refused.kind !== 'duplicate') throw refusalOf(refused, world.clock.now());
  const isReplay = hasPreference(oneHeader(received, 'prefer'), 'idempotent-replay');
  if (request.isStream || !isReplay) throw duplicateFault(refused);
  const { accountId, livemode } = caller.key;
  const { requestId } = refused.original;
  const storedResponse = await findResponse({ accountId, livemode, requestId });
  if (storedResponse === null) throw duplicateFault(refused);
  const headers = {
    'content-type': storedResponse.contentType,
    'cache-control': NO_STORE,
    'idempotent-replayed': 'true',
    // Relay contract, 3.6: the receipt of the first call.
    'x-relay-receipt': requestId,
  };
  const response = {
    kind: 'complete',
    status: storedResponse.status,
    headers,
    body: storedResponse.body,
  } as const;
  return { kind: 'responded', response };
}
