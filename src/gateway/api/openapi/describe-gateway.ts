// Generates the OpenAPI 3.1 document of the gateway's API from the validation schemas.
import type { z } from 'zod';
import type { Capability } from '../../capabilities/capability.ts';
import type { GatewayContext } from '../context.ts';
import { callsQuery } from '../routes/calls.ts';
import { jobQuery, jobsQuery } from '../routes/jobs.ts';
import { chatUsageQuery, usageQuery } from '../routes/usage.ts';
import { dataOf } from './data.ts';
import {
  bearerSecurity,
  RELAY_TAG,
  relayPaths,
  relayResponses,
  relaySchemas,
  relaySecurity,
} from './describe-relay.ts';
import {
  account,
  calls,
  callWithResponse,
  catalog,
  chatUsageReport,
  jobOf,
  jobs,
  modelPrices,
  modelQuote,
  modelQuoteRequest,
  modelReceipt,
  platforms,
  problem,
  success,
  usageReport,
} from './envelopes.ts';
import { jsonSchema } from './json-schema.ts';
import {
  commonHeaders,
  headerRef,
  headers,
  limitHeaderRefs,
  type ProblemStatus,
  problemRefs,
  responses,
} from './responses.ts';
import { amount } from './values.ts';

type DescriptionContext = Pick<GatewayContext, 'site' | 'capabilities'>;

export function describeGateway({ site, capabilities }: DescriptionContext): object {
  return {
    openapi: '3.1.0',
    info: {
      title: `${site.name} Capability API`,
      version: '1.0.0',
      summary: 'Capabilities that are called with an API key and charged per call.',
      description,
      contact: { name: site.name, url: site.url },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: site.url }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths: { ...pathsOf(capabilities), ...relayPaths(relayServers(site.relayUrl)) },
    components: {
      securitySchemes: { ...bearerSecurity, ...relaySecurity },
      schemas: { ...schemasOf(capabilities), ...relaySchemas() },
      headers,
      responses: { ...responses, ...relayResponses() },
    },
  };
}

/** The server of the relay's paths. Without a known address, the paths use the gateway's server. */
const relayServers = (url: string | undefined) => (url === undefined ? undefined : [{ url }]);

const description = `Each capability has one address. A paid call draws on the daily free allowance
first, then on vouchers, then on cash; when these do not cover the call, nothing is charged and
nothing runs. With an Idempotency-Key a retry is never charged twice. Keys that start with sk-test-
or ak-test- run the same way with separate balances, without any provider.`;

const tags = {
  capabilities: 'Calls of capabilities.',
  catalog: 'Public catalog and prices.',
  account: 'Balances, calls and usage of the account.',
  relay: RELAY_TAG,
  description: 'The OpenAPI document.',
} as const;

const schemaName = (id: string) =>
  id.replaceAll(/(?:^|-)(\w)/g, (_, initial: string) => initial.toUpperCase());

function schemasOf(capabilities: readonly Capability[]): Record<string, object> {
  const resultSchemas = capabilities.flatMap(({ id, isAsync }) => [
    ...(isAsync ? [] : [[`${schemaName(id)}Answer`, success(dataOf(id))]]),
    [`${schemaName(id)}Accepted`, success(jobOf(dataOf(id)))],
  ]);
  const components = {
    Problem: problem,
    Account: account,
    Calls: calls,
    Call: callWithResponse,
    Job: jobOf(dataOf('any')),
    Jobs: jobs,
    Usage: usageReport,
    ChatUsage: chatUsageReport,
    Catalog: catalog,
    Platforms: platforms,
    ModelPrices: modelPrices,
    ModelReceipt: modelReceipt,
    ModelQuote: modelQuote,
    ModelQuoteRequest: modelQuoteRequest,
  };
  const outputs = [...Object.entries(components), ...resultSchemas] as [string, z.ZodType][];
  return Object.fromEntries([
    ...outputs.map(([name, schema]) => [name, jsonSchema(schema)]),
    ...capabilities
      .filter(({ method }) => method === 'POST')
      .map(({ id, input }) => [`${schemaName(id)}Request`, requestSchema(input)]),
  ]);
}

const maxCharge = amount('Maximum charge. A call with a higher price is refused.').meta({
  pattern: String.raw`^(0|[1-9]\d*)(\.\d{1,8})?$`,
});

function requestSchema(input: z.ZodType): object {
  const json = jsonSchema(input);
  const properties = json.properties as Record<string, unknown> | undefined;
  if (properties === undefined) return json;
  return { ...json, properties: { ...properties, max_charge: jsonSchema(maxCharge) } };
}

function pathsOf(capabilities: readonly Capability[]): Record<string, object> {
  return {
    ...Object.fromEntries(
      capabilities.map((capability) => [
        capability.path,
        { [capability.method.toLowerCase()]: capabilityOperation(capability) },
      ]),
    ),
    '/capabilities/catalog': { get: publicOperation('readCatalog', 'Read the catalog', 'Catalog') },
    '/api/v1/capabilities/catalog': {
      get: publicOperation('readCatalogUnderApi', 'Read the catalog', 'Catalog'),
    },
    '/api/v1/capabilities/social/platforms': {
      get: publicOperation('listPlatforms', 'List the platforms of social data', 'Platforms'),
    },
    '/api/v1/account': {
      get: accountOperation('readAccount', 'Read balances and limits', 'Account'),
    },
    '/api/v1/calls': {
      get: accountOperation('listCalls', 'List calls, newest first', 'Calls', queryOf(callsQuery)),
    },
    '/api/v1/calls/{request_id}': {
      get: accountOperation(
        'readCall',
        'Read a call and its response',
        'Call',
        [requestIdParameter],
        [404],
      ),
    },
    '/api/v1/jobs': {
      get: accountOperation('listJobs', 'List jobs, newest first', 'Jobs', queryOf(jobsQuery)),
    },
    '/api/v1/jobs/{id}': {
      get: accountOperation(
        'readJob',
        'Read a job, or wait for its state to change',
        'Job',
        [jobIdParameter, ...queryOf(jobQuery)],
        [404],
      ),
      delete: accountOperation('cancelJob', 'Cancel a job', 'Job', [jobIdParameter], [404]),
    },
    '/api/v1/usage': {
      get: accountOperation(
        'readUsage',
        'Read usage by day, capability or key',
        'Usage',
        queryOf(usageQuery),
      ),
    },
    '/api/v1/usage/chat': {
      get: accountOperation(
        'readChatUsage',
        'Read chat usage in tokens, by day, model or key',
        'ChatUsage',
        queryOf(chatUsageQuery),
      ),
    },
    '/api/v1/relay/prices': {
      get: publicOperation(
        'readModelPrices',
        'Read the prices of models by token class',
        'ModelPrices',
      ),
    },
    '/api/v1/relay/quote': { post: quoteOperation },
    '/api/v1/relay/receipts/{request_id}': {
      get: accountOperation(
        'readModelReceipt',
        'Read the receipt of a relay call',
        'ModelReceipt',
        [requestIdParameter],
        [404],
      ),
    },
    '/openapi.json': { get: publicOperation('readOpenApi', 'Read this document', null) },
  };
}

const requestIdParameter = {
  name: 'request_id',
  in: 'path',
  required: true,
  description: 'Identifier of the call, from its response.',
  schema: { type: 'string' },
  example: 'req_019a9d4f2c1b5e6f7a8b9c0d',
};

const jobIdParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Identifier of the job, from the response with status 202.',
  schema: { type: 'string' },
  example: 'job_019a9d4f2c1b5e6f7a8b9c0d',
};

const parameterDescriptions: Readonly<Record<string, string>> = {
  q: 'Search text.',
  limit: 'Maximum number of results.',
  page: 'Number of the page, from 1.',
  cursor: 'next_cursor of the previous page, unchanged.',
  wait: 'Maximum seconds to wait for a change of state before the response.',
  from: 'First day, YYYY-MM-DD in Asia/Shanghai. Default: the first day of the month of `to`.',
  to: 'Last day, inclusive. Default: today. The range has at most 366 days.',
  group_by: 'Grouping of the rows.',
  max_charge: 'Maximum charge. A call with a higher price is refused.',
};

function queryOf(schema: z.ZodType): readonly object[] {
  const { properties = {}, required = [] } = jsonSchema(schema) as {
    properties?: Record<string, Record<string, unknown>>;
    required?: readonly string[];
  };
  const { shape = {} } = schema as { readonly shape?: Readonly<Record<string, z.ZodType>> };
  return Object.entries(properties).map(([name, { pattern: _pattern, ...allowed }]) => {
    const defaultValue = shape[name]?.safeParse(undefined).data;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description: parameterDescriptions[name] ?? name,
      // Numbers are validated as text, and the generated schema of such a parameter has no default.
      schema: { ...allowed, ...(defaultValue !== undefined && { default: defaultValue }) },
    };
  });
}

const publicStatuses: readonly ProblemStatus[] = [400, 405, 503];
const keyStatuses: readonly ProblemStatus[] = [...publicStatuses, 401, 403, 429];
const chargedStatuses: readonly ProblemStatus[] = [
  ...keyStatuses,
  402,
  409,
  413,
  415,
  422,
  502,
  504,
];

const json = (schema: object) => ({ 'application/json': { schema } });
const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function capabilityOperation({ id, name, key, method, input, isAsync }: Capability): object {
  const isPost = method === 'POST';
  const request = schemaRef(`${schemaName(id)}Request`);
  const agentSecurity = key === 'ak' ? { security: [{ agentKey: [] }] } : {};
  const successfulCall = successResponse(
    'The call succeeded; `charge` is its charge.',
    schemaRef(`${schemaName(id)}Answer`),
  );
  const accepted = successResponse(
    'Accepted as a job; `charge` is held, and charged when the job succeeds.',
    schemaRef(`${schemaName(id)}Accepted`),
    {
      Location: headerRef('JobLocation'),
      'Preference-Applied': headerRef('PreferenceApplied'),
    },
  );
  return {
    operationId: `call${schemaName(id)}`,
    tags: ['capabilities'],
    summary: name,
    description: `Calls the capability ${id}. The catalog has its price.`,
    ...agentSecurity,
    parameters: isPost ? headerParameters : [...queryOf(input), preferParameter],
    ...(isPost && { requestBody: { required: true, content: json(request) } }),
    responses: {
      ...(!isAsync && { 200: successfulCall }),
      202: accepted,
      ...problemRefs(chargedStatuses),
    },
  };
}

const quoteOperation = {
  operationId: 'quoteModelCall',
  tags: ['account'],
  summary: 'Quote the hold of a relay call',
  description: 'Computes the hold of a relay call by its whole body. Nothing runs or is held.',
  security: [{ apiKey: [] }, { agentKey: [] }],
  requestBody: { required: true, content: json(schemaRef('ModelQuoteRequest')) },
  responses: {
    200: {
      description: 'The quote.',
      headers: { ...commonHeaders, 'Cache-Control': headerRef('NoStore'), ...limitHeaderRefs },
      content: json(schemaRef('ModelQuote')),
    },
    ...problemRefs([...keyStatuses, 404, 413, 415]),
  },
};

const successResponse = (description: string, schema: object, extraHeaders: object = {}) => ({
  description,
  headers: {
    ...commonHeaders,
    'Cache-Control': headerRef('NoStore'),
    ...limitHeaderRefs,
    'Idempotent-Replayed': headerRef('Replayed'),
    ...extraHeaders,
  },
  content: json(schema),
});

const preferParameter = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    'respond-async: the response is a job. idempotent-replay: a repeated key receives the stored ' +
    'response instead of 409.',
  schema: { type: 'string' },
};

const headerParameters = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A retry with the same key is never charged twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: String.raw`^[\x21-\x7e]+$` },
  },
  preferParameter,
];

function publicOperation(operationId: string, summary: string, schema: string | null): object {
  return {
    operationId,
    tags: [schema === null ? 'description' : 'catalog'],
    summary,
    description: `${summary}. No key is needed. To check for changes, send If-None-Match.`,
    security: [],
    responses: {
      200: {
        description: 'The response.',
        headers: {
          ...commonHeaders,
          'Cache-Control': headerRef('Kept'),
          ETag: headerRef('ETag'),
          Vary: headerRef('Vary'),
        },
        content: json(schema === null ? { type: 'object' } : schemaRef(schema)),
      },
      304: {
        description: 'The copy of the client is current. No body.',
        headers: { ...commonHeaders, ETag: headerRef('ETag') },
      },
      ...problemRefs(publicStatuses),
    },
  };
}

function accountOperation(
  operationId: string,
  summary: string,
  schema: string,
  parameters: readonly object[] = [],
  extraStatuses: readonly ProblemStatus[] = [],
): object {
  return {
    operationId,
    tags: ['account'],
    summary,
    description: `${summary}, with any key of the account, in the key's own mode.`,
    security: [{ apiKey: [] }, { agentKey: [] }],
    parameters,
    responses: {
      200: {
        description: 'The response.',
        headers: { ...commonHeaders, 'Cache-Control': headerRef('NoStore'), ...limitHeaderRefs },
        content: json(schemaRef(schema)),
      },
      ...problemRefs([...keyStatuses, ...extraStatuses]),
    },
  };
}
