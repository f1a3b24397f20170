// The `relay` section of `radar.config.json`: the upstreams, their selection, and the behaviour
// when a client disconnects.
import { z } from 'zod';
import { parseCny } from '../../kernel/money.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import { upstreamKinds } from './dialects/dialect.ts';
import { isTokenClass, type TokenClass } from './prices/token-classes.ts';

const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

const cnyAmount = z
  .string()
  .refine((text) => (parseCny(text) ?? -1n) >= 0n, 'must be an amount in CNY, like "0.01"')
  .transform((text) => parseCny(text) ?? 0n);

const timeLimit = z.int().min(100).max(3_600_000);
const timeout = (ms: number) => timeLimit.default(ms);

const upstreamPrice = z.strictObject({
  class: z
    .string()
    .refine(isTokenClass, 'must be a token class, like "input", "cache_read" or "tool:web_search"')
    .transform((text) => text as TokenClass)
    .describe('Token class, as in radar prices set'),
  from: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(0)
    .describe('The price applies from this number of input tokens'),
  variant: z
    .string()
    .regex(/^[a-z]{0,20}$/)
    .default('')
    .describe('Service tier of the provider; empty: the standard tier'),
  cny: cnyAmount.describe('CNY per million tokens; for request and tools per call'),
});

/** Converts a configured price to the type of price lists. */
const toModelPrice = ({ class: name, from, variant, cny }: z.output<typeof upstreamPrice>) => {
  return { class: name, from, variant, microFen: cny };
};

const upstreamFields = z.strictObject({
  name: z.string().min(1).max(60).describe('The name of the upstream in logs and usage records'),
  publicName: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .describe('Name of the upstream in the usage records of customers; absent: none'),
  kind: z
    .enum(upstreamKinds)
    .default('openai-chat')
    .describe('API format of the upstream, which serves only clients of this format'),
  url: url.describe('Base address of the upstream, the part before /chat/completions or /messages'),
  key: z
    .string()
    .min(1)
    .optional()
    .describe('A secret, sent as a bearer token, and as x-api-key to anthropic-messages'),
  models: z
    .record(z.string().min(1), z.string().min(1))
    .optional()
    .describe('Model ids here, each with the upstream’s id; absent: all listed models'),
  priority: z.int().min(0).max(1000).default(0).describe('Lower values are used first'),
  weight: z
    .number()
    .min(0.001)
    .max(1000)
    .default(1)
    .describe('Share of the calls among upstreams of equal priority'),
  firstTokenMs: timeLimit
    .optional()
    .describe('Longest wait for the first token of a stream; 60 s when absent'),
  stallMs: timeLimit
    .optional()
    .describe('Time limit between two events of a stream; 30 s when absent'),
  firstByteMs: timeLimit.optional().describe('Former name of firstTokenMs'),
  idleMs: timeLimit.optional().describe('Former name of stallMs'),
  responseTimeoutMs: timeout(600_000).describe('Time limit for a response that is not a stream'),
  maxMs: timeout(1_800_000).describe('Time limit for a whole stream'),
  onClientDisconnect: z
    .enum(['drain', 'estimate', 'free'])
    .default('estimate')
    .describe(
      'After a disconnect: read to the end for the usage, stop and estimate, ' +
        'or stop without a charge',
    ),
  traceparent: z.boolean().default(false).describe('Forward the caller’s traceparent header'),
  forwardSession: z
    .boolean()
    .default(false)
    .describe('Forward the caller’s session headers: session_id, conversation_id and others'),
  includeUsage: z
    .boolean()
    .default(true)
    .describe('Request usage in streams; false for servers that refuse stream_options'),
  upstreamPrices: z
    .record(
      z.string().min(1).max(200),
      z.array(upstreamPrice.transform(toModelPrice)).min(1).max(100),
    )
    .default({})
    .describe(
      'Prices that the operator pays, by model id here; costs and margins are calculated from them',
    ),
});

const FIRST_TOKEN_MS = 60_000;
const STALL_MS = 30_000;

/** Limits with their former names. */
const renamedLimits = [
  ['firstTokenMs', 'firstByteMs'],
  ['stallMs', 'idleMs'],
] as const;

const upstream = upstreamFields
  .superRefine((fields, context) => {
    for (const [name, former] of renamedLimits) {
      if (fields[name] === undefined || fields[former] === undefined) continue;
      const message = `is the former name of ${name}: leave it out`;
      context.addIssue({ code: 'custom', path: [former], message });
    }
  })
  .transform(({ firstByteMs, idleMs, firstTokenMs, stallMs, ...fields }) => ({
    ...fields,
    firstTokenMs: firstTokenMs ?? firstByteMs ?? FIRST_TOKEN_MS,
    stallMs: stallMs ?? idleMs ?? STALL_MS,
  }));

const tokens = z.int().min(1).max(100_000_000);
/** Tokens of one image, page or second. */
const tokensPerUnit = (count: number) => z.int().min(1).max(1_000_000).default(count);

const routeSchema = z.strictObject({
  upstreams: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      'Names of the upstreams for this model, in order of use; absent: all that offer the model',
    ),
  space: z
    .record(z.string().min(1), z.string().min(1).max(200))
    .default({})
    .describe(
      'Vector space of embeddings, by upstream; ' +
        'only upstreams with the space of the first upstream are used',
    ),
  fallbacks: z
    .array(z.string().min(1))
    .max(3)
    .default([])
    .describe('Models that are used in this order when no upstream of the model responds'),
  contextFallbacks: z
    .array(z.string().min(1))
    .max(3)
    .default([])
    .describe('Models that are used when the request is too long for the model'),
  contentFallback: z
    .boolean()
    .default(false)
    .describe('Use another upstream when one refuses the content'),
  maxOutput: tokens
    .optional()
    .describe('Maximum tokens of a response; a priced request that allows more is refused'),
  maxInput: tokens.optional().describe('Maximum tokens of a request; limits the hold'),
  holdOutput: tokens
    .default(16_384)
    .describe('Tokens of a response that a hold covers where the request names no limit'),
  mediaTokens: tokensPerUnit(2_000).describe('Tokens that a hold covers for each image'),
  pageTokens: tokensPerUnit(5_000).describe(
    'Tokens that a hold covers for each page of a document',
  ),
  audioTokens: tokensPerUnit(50).describe('Tokens that a hold covers for each second of sound'),
  reasoning: z.boolean().default(false).describe('A reasoning model: 120 s for the first token'),
  firstTokenMs: timeLimit
    .optional()
    .describe('Time limit for the first token while another upstream remains; 10 s when absent'),
  stallMs: timeLimit
    .optional()
    .describe('Time limit between two events of a stream; absent: stallMs of the upstream'),
  prefill: z
    .boolean()
    .default(false)
    .describe('The model continues the last assistant turn of a conversation'),
  continue: z
    .enum(['same', 'across', 'never'])
    .default('same')
    .describe(
      'Upstreams that continue a broken stream: of the same model, also of fallbacks, or none',
    ),
});

const price = z.strictObject({
  perCall: cnyAmount.describe('CNY for one completion'),
  version: z
    .int()
    .min(1)
    .max(2_000_000_000)
    .describe('Version of the price; raise it with every change'),
});

const relaySection = z.strictObject({
  upstreams: z
    .array(upstream)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
      message: 'two upstreams have the same name',
    })
    .default([]),
  models: z
    .record(z.string().min(1).max(200), routeSchema)
    .default({})
    .describe('Special settings of a model, by its id here'),
  deadlineMs: timeout(120_000).describe('Time after which no further attempt of a call begins'),
  modelsTtlMs: z
    .int()
    .min(1_000)
    .max(DAY_MS)
    .default(60_000)
    .describe('Model lists of upstreams are cached for this time'),
  price: price.optional().describe('A fixed price of each completion; absent: none'),
});

type ParsedRelay = z.output<typeof relaySection>;

/** Checks names that refer to other parts of the section. */
export const relaySchema = relaySection.superRefine((relay, context) => {
  for (const { path, message } of findUnknownNames(relay)) {
    context.addIssue({ code: 'custom', path, message });
  }
});

type UnknownName = { readonly path: (string | number)[]; readonly message: string };

function findUnknownNames({ upstreams, models }: ParsedRelay): readonly UnknownName[] {
  const names = new Set(upstreams.map(({ name }) => name));
  const unpriced = upstreams.flatMap(({ models: served, upstreamPrices }, index) =>
    Object.keys(upstreamPrices).flatMap((model) => {
      if (served === undefined || Object.hasOwn(served, model)) return [];
      const path = ['upstreams', index, 'upstreamPrices', model];
      return { path, message: 'the upstream has no such model' };
    }),
  );
  const routedModels = Object.entries(models).flatMap(([model, route]) => {
    const upstreamNames = (route.upstreams ?? []).map(
      (name, index) => ['upstreams', index, name] as const,
    );
    const spaceNames = Object.keys(route.space).map((name) => ['space', name, name] as const);
    return [...upstreamNames, ...spaceNames].flatMap(([member, at, name]) => {
      const path = ['models', model, member, at];
      if (!names.has(name)) return { path, message: `there is no upstream "${name}"` };
      const servedModels = upstreams.find((each) => each.name === name)?.models;
      if (servedModels === undefined || Object.hasOwn(servedModels, model)) return [];
      return { path, message: `the upstream "${name}" does not have the model` };
    });
  });
  return [...unpriced, ...routedModels];
}

export type RelayConfig = z.output<typeof relaySchema>;
export type ModelRouteConfig = RelayConfig['models'][string];
export type UpstreamConfig = RelayConfig['upstreams'][number];

const noRoute = routeSchema.parse({});

/**
 * Returns the route with the input bound of a hold: the largest `maxInput` of the model and its
 * context fallbacks. If one of these models has no `maxInput`, the hold has no input bound. Relay
 * contract, 2.3.
 */
export function routeOfHold(
  routeOf: (model: string) => ModelRouteConfig,
  model: string,
): ModelRouteConfig {
  const route = routeOf(model);
  if (route.contextFallbacks.length === 0) return route;
  const bounds = [route, ...route.contextFallbacks.map(routeOf)].map(({ maxInput }) => maxInput);
  const maxInput = Math.max(...bounds.map((bound) => bound ?? Number.POSITIVE_INFINITY));
  return { ...route, maxInput: Number.isFinite(maxInput) ? maxInput : undefined };
}

/** The settings of a model, completed with defaults. */
export const openRoutes =
  (routes: RelayConfig['models']) =>
  (model: string): ModelRouteConfig =>
    (Object.hasOwn(routes, model) && routes[model]) || noRoute;
