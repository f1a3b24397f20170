// Describes the relay's endpoints in OpenAPI 3.1: as a part of the gateway's document, and as a
// document of the relay's own port. Request bodies have the formats of the named client libraries.
// Only the members that the relay reads are described.
import { z } from 'zod';
import type { Code } from '../../../kernel/errors/codes.ts';
import { codes, gatewayCodeByStatus } from '../../../kernel/errors/codes.ts';
import type { ApiDialect } from '../../relay/dialects/dialect.ts';
import { jsonSchema } from './json-schema.ts';
import { commonHeaders, errorHeaders, headerRef, headers, limitHeaderRefs } from './responses.ts';
import { amount, count, text } from './values.ts';

type DialectName = ApiDialect['name'];
type RelayStatus = keyof typeof gatewayCodeByStatus;
type ErrorForm = 'RelayError' | 'RelayMessagesError';

const maxCharge = amount('Maximum charge. A call that may cost more is refused.').meta({
  pattern: String.raw`^(0|[1-9]\d*)(\.\d{1,8})?$`,
});

const commonMembers = {
  model: z.string().min(1).max(200).describe('Identifier of a model from the list of models.'),
  max_charge: maxCharge.optional(),
};
const stream = z.boolean().optional().describe('True for a stream of events.');
const turns = z.array(z.looseObject({ role: z.string() })).min(1);
const length = (description: string) => z.int().min(1).optional().describe(description);

const requestSchemas: Readonly<Record<DialectName, z.ZodType>> = {
  chat: z.looseObject({
    ...commonMembers,
    stream,
    messages: turns.describe('Messages of the conversation.'),
    n: z.int().min(1).max(128).optional().describe('Number of responses; each is charged.'),
    max_completion_tokens: length('Maximum tokens of a response.'),
    max_tokens: length('Former name of max_completion_tokens.'),
  }),
  responses: z.looseObject({
    ...commonMembers,
    stream,
    input: z
      .union([z.string().min(1), z.array(z.looseObject({})).min(1)])
      .describe('A text or a list of items. References to stored state are refused.'),
    max_output_tokens: length('Maximum tokens of the response.'),
    store: z.boolean().optional().describe('The relay always sends false.'),
  }),
  messages: z.looseObject({
    ...commonMembers,
    stream,
    messages: turns.describe('Messages of the conversation.'),
    max_tokens: z.int().min(1).describe('Maximum tokens of the response.'),
  }),
  embeddings: z.looseObject({
    ...commonMembers,
    input: z
      .union([z.string().min(1), z.array(z.unknown()).min(1).max(2_048)])
      .describe('A text, a list of texts, or tokens.'),
  }),
};

const tokenUsage = z.looseObject({}).describe('Token usage in the form of the dialect.');

const responseSchemas: Readonly<Record<DialectName, z.ZodType>> = {
  chat: z.looseObject({
    id: z.string(),
    object: z.string(),
    model: z.string(),
    choices: z.array(z.looseObject({ index: z.int() })),
    usage: tokenUsage.optional(),
  }),
  responses: z.looseObject({
    id: z.string(),
    status: z.string(),
    output: z.array(z.looseObject({})),
    usage: tokenUsage.nullable().optional(),
  }),
  messages: z.looseObject({
    id: z.string(),
    type: z.literal('message'),
    content: z.array(z.looseObject({ type: z.string() })),
    stop_reason: z.string().nullable(),
    usage: tokenUsage,
  }),
  embeddings: z.looseObject({
    data: z.array(z.looseObject({ index: z.int() })),
    model: z.string(),
    usage: tokenUsage.optional(),
  }),
};

const model = z.looseObject({ id: z.string(), object: z.literal('model'), owned_by: z.string() });
const anthropicModel = z.looseObject({
  id: z.string(),
  type: z.literal('model'),
  display_name: z.string(),
});

const errors = {
  RelayError: z.object({
    error: z.looseObject({
      message: text('Description of the error in this request.'),
      type: z.string(),
      param: z.string().nullable().describe('Invalid member of the body.'),
      code: z.string().nullable().describe('Error code for programs.'),
    }),
  }),
  RelayMessagesError: z.object({
    type: z.literal('error'),
    error: z.looseObject({
      type: z.string(),
      message: text('Description of the error in this request.'),
    }),
    request_id: z.string(),
  }),
} as const;

const nameOf = (dialect: DialectName) => `Relay${dialect[0]?.toUpperCase()}${dialect.slice(1)}`;
const dialects = Object.keys(requestSchemas) as readonly DialectName[];

/** Component schemas by name. */
export function relaySchemas(): Record<string, object> {
  const components: Record<string, z.ZodType> = {
    ...errors,
    RelayModel: z
      .union([model, anthropicModel])
      .describe('A model in the form of OpenAI or Anthropic.'),
    RelayModels: z.looseObject({ data: z.array(z.union([model, anthropicModel])) }),
    RelayTokenCount: z.object({ input_tokens: count('Tokens of the conversation.') }),
  };
  for (const dialect of dialects) {
    components[`${nameOf(dialect)}Request`] = requestSchemas[dialect];
    components[`${nameOf(dialect)}Answer`] = responseSchemas[dialect];
  }
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => [name, jsonSchema(schema)]),
  );
}

/** Component responses by name. */
export function relayResponses(): Record<string, object> {
  const forms = Object.keys(errors) as readonly ErrorForm[];
  return Object.fromEntries(
    forms.flatMap((form) =>
      Object.entries(gatewayCodeByStatus).map(([status, code]) => [
        `${form}${status}`,
        errorResponse(form, code),
      ]),
    ),
  );
}

function errorResponse(form: ErrorForm, code: Code): object {
  const { status, title } = codes[code];
  return {
    description: `${title}.`,
    headers: errorHeaders(status),
    content: json(schemaRef(form)),
  };
}

export const relaySecurity = {
  relayKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The same key in the header of Anthropic’s libraries.',
  },
} as const;

const security = [{ agentKey: [] }, { apiKey: [] }, { relayKey: [] }];

const json = (schema: object) => ({ 'application/json': { schema } });
const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const refsTo = (form: ErrorForm, statuses: readonly RelayStatus[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${form}${status}` }]),
  );

const keyStatuses: readonly RelayStatus[] = [400, 401, 403, 405, 429, 503];
const bodyStatuses: readonly RelayStatus[] = [...keyStatuses, 404, 413, 415];
const callStatuses: readonly RelayStatus[] = [...bodyStatuses, 402, 409, 422, 502, 504];

const summaries: Readonly<Record<DialectName, string>> = {
  chat: 'Call a model in the format of OpenAI’s Chat Completions',
  responses: 'Call a model in the format of OpenAI’s Responses, without stored state',
  messages: 'Call a model in the format of Anthropic’s Messages',
  embeddings: 'Compute embeddings in the format of OpenAI’s Embeddings',
};

const paths: Readonly<Record<DialectName, string>> = {
  chat: '/relay/v1/chat/completions',
  responses: '/relay/v1/responses',
  messages: '/relay/v1/messages',
  embeddings: '/relay/v1/embeddings',
};

/** `servers` are set when the paths are on another server than the document. */
export function relayPaths(servers?: readonly object[]): Record<string, object> {
  const serverFields = servers === undefined ? {} : { servers };
  return {
    ...Object.fromEntries(
      dialects.map((dialect) => [
        paths[dialect],
        { ...serverFields, post: callOperation(dialect) },
      ]),
    ),
    '/relay/v1/messages/count_tokens': { ...serverFields, post: countTokens },
    '/relay/v1/models': {
      ...serverFields,
      get: readOperation('listModels', 'List the models that the key may call', 'RelayModels'),
    },
    '/relay/v1/models/{model}': {
      ...serverFields,
      get: {
        ...readOperation('readModel', 'Read one model', 'RelayModel', [404]),
        parameters: [
          {
            name: 'model',
            in: 'path',
            required: true,
            description: 'Id of the model.',
            schema: { type: 'string' },
            example: 'sandbox',
          },
        ],
      },
    },
  };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A retry with the same key is never charged twice. Streams are not replayed.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: String.raw`^[\x21-\x7e]+$` },
};

const receiptHeader = {
  name: 'X-Relay-Receipt',
  in: 'header',
  required: false,
  description: '1: a stream has a comment `: relay-receipt {…}` before its last event.',
  schema: { type: 'string', enum: ['1'] },
};

const neverHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', enum: ['never'] },
});
const fallbackHeader = neverHeader('X-Relay-Fallback', 'never: no other model may respond.');
const continueHeader = neverHeader(
  'X-Relay-Continue',
  'never: a stream that breaks ends with an error and is not continued.',
);

const preferHeader = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: 'idempotent-replay: a repeated Idempotency-Key receives the stored response.',
  schema: { type: 'string' },
};

function callOperation(dialect: DialectName): object {
  const form = dialect === 'messages' ? 'RelayMessagesError' : 'RelayError';
  const isStreamed = dialect !== 'embeddings';
  return {
    operationId: `call${nameOf(dialect)}`,
    tags: ['relay'],
    summary: summaries[dialect],
    description:
      `${summaries[dialect]}. Unknown members pass to the upstream. The same address without ` +
      '`/relay` is served too. The body may be compressed with gzip, deflate, br or zstd.',
    security,
    parameters: [
      idempotencyKey,
      preferHeader,
      fallbackHeader,
      ...(isStreamed ? [continueHeader, receiptHeader] : []),
    ],
    requestBody: { required: true, content: json(schemaRef(`${nameOf(dialect)}Request`)) },
    responses: {
      200: {
        description: isStreamed ? 'The response, complete or as events.' : 'The response.',
        headers: responseHeaders,
        content: {
          ...json(schemaRef(`${nameOf(dialect)}Answer`)),
          ...(isStreamed && { 'text/event-stream': { schema: { type: 'string' } } }),
        },
      },
      ...refsTo(form, callStatuses),
    },
  };
}

const responseHeaders = {
  ...commonHeaders,
  'Cache-Control': headerRef('NoStore'),
  ...limitHeaderRefs,
  'Idempotent-Replayed': headerRef('Replayed'),
  'X-Relay-Warning': headerRef('RelayWarning'),
  'X-Relay-Hold': headerRef('RelayHold'),
  'X-Relay-Price-Version': headerRef('RelayPriceVersion'),
  'X-Relay-Charge': headerRef('RelayCharge'),
  'X-Relay-Attempts': headerRef('RelayAttempts'),
  'X-Relay-Receipt': headerRef('RelayReceipt'),
  'X-Relay-Upstream-Request-Id': headerRef('RelayUpstreamRequestId'),
};

const countTokens = {
  operationId: 'countTokens',
  tags: ['relay'],
  summary: 'Count the tokens of a conversation',
  description:
    'Counts the tokens of a conversation in the format of Anthropic’s Messages. It is free. ' +
    'Without an upstream that counts, the number is an estimate, marked in X-Relay-Warning.',
  security,
  requestBody: {
    required: true,
    content: json(jsonSchema(z.looseObject({ model: commonMembers.model, messages: turns }))),
  },
  responses: {
    200: {
      description: 'The count.',
      headers: responseHeaders,
      content: json(schemaRef('RelayTokenCount')),
    },
    ...refsTo('RelayMessagesError', bodyStatuses),
  },
};

function readOperation(
  operationId: string,
  summary: string,
  schema: string,
  extraStatuses: readonly RelayStatus[] = [],
): object {
  return {
    operationId,
    tags: ['relay'],
    summary,
    description: `${summary}. With the header anthropic-version in Anthropic’s form.`,
    security,
    responses: {
      200: {
        description: 'The response.',
        headers: { ...commonHeaders, 'Cache-Control': headerRef('NoStore'), ...limitHeaderRefs },
        content: json(schemaRef(schema)),
      },
      ...refsTo('RelayError', [...keyStatuses, ...extraStatuses]),
    },
  };
}

export const RELAY_TAG =
  'Models of configured upstreams, called in the formats of common libraries.';

/** The document of the relay's own port. Its addresses are relative to the document. */
export function describeRelay(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Model Relay API',
      version: '1.0.0',
      summary: 'Language models, called with an API key in the formats of common libraries.',
      description:
        'The base address of a client library is `/relay/v1`, or `/v1`. Prices and a quote are ' +
        'read on the gateway’s port.',
      contact: { name: 'The operator of this relay' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security,
    tags: [{ name: 'relay', description: RELAY_TAG }],
    paths: {
      ...relayPaths(),
      '/openapi.json': {
        get: {
          operationId: 'readOpenApi',
          tags: ['relay'],
          summary: 'Read this document',
          description: 'The OpenAPI document of this API. No key is needed.',
          security: [],
          responses: {
            200: {
              description: 'The document.',
              headers: {
                ...commonHeaders,
                'Cache-Control': headerRef('Kept'),
                ETag: headerRef('ETag'),
              },
              content: json({ type: 'object' }),
            },
            ...refsTo('RelayError', [405, 503]),
          },
        },
      },
    },
    components: {
      securitySchemes: { ...bearerSecurity, ...relaySecurity },
      schemas: relaySchemas(),
      headers: usedHeaders,
      responses: relayResponses(),
    },
  };
}

/** Headers that only the gateway's port sends. */
const gatewayOnly = ['Location', 'JobLocation', 'PreferenceApplied', 'Vary'];
const usedHeaders = Object.fromEntries(
  Object.entries(headers).filter(([name]) => !gatewayOnly.includes(name)),
);

export const bearerSecurity = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'A key that starts with sk-.' },
  agentKey: { type: 'http', scheme: 'bearer', description: 'A key that starts with ak-.' },
} as const;
