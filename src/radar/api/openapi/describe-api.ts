// The public API as an OpenAPI 3.1 document, generated from the schemas of queries and responses.
import type { ApiContext } from '../context.ts';
import { collectSchemas, schemaRef } from './collect-schemas.ts';
import { examplesOf } from './examples.ts';
import { type Operation, tags } from './operation.ts';
import { operationsOf } from './operations.ts';
import {
  pathParameter,
  queryParameters,
  sharedParameterRefs,
  sharedParameters,
} from './parameters.ts';
import { headers, responseRefs, responses, successHeaders } from './responses.ts';

export function describeApi({ site, categories }: ApiContext): object {
  return {
    openapi: '3.1.0',
    info: {
      title: `${site.name} Public API`,
      version: '4.0.0',
      summary: 'A feed of selected news, anonymous and read-only.',
      description,
      contact: { name: site.name, url: `${site.url}/about` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: site.url }],
    security: [],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths: Object.fromEntries(
      operationsOf(categories).map((operation) => [
        operation.path,
        { get: describeOperation(operation, site) },
      ]),
    ),
    components: {
      schemas: collectSchemas(site.hasAihotLinks),
      parameters: sharedParameters,
      headers,
      responses,
    },
  };
}

const description = `Recent news, hot topics, events with their coverage, and daily, weekly and
monthly reports. No key is needed, and none is read. There is no push channel: clients poll at most
once in s-maxage seconds, and send the ETag of their copy in If-None-Match.

Every address supports GET, HEAD and OPTIONS, and may be read from any web page. Unknown or repeated
parameters are errors. Errors are problem+json (RFC 9457) with a request id. Fields may be added to
any object, and values to any string that looks like an enumeration: clients tolerate both.`;

function describeOperation(operation: Operation, site: ApiContext['site']): object {
  const { example, schema, pathParameter: declaredPathParameter } = operation;
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    parameters: [
      ...(declaredPathParameter === undefined ? [] : [pathParameter(declaredPathParameter)]),
      ...queryParameters(operation.query),
      ...sharedParameterRefs,
    ],
    responses: {
      200: {
        description: 'The response.',
        headers: { 'Cache-Control': cachingHeader(operation.caching), ...successHeaders },
        content:
          operation.media === undefined
            ? {
                'application/json': {
                  schema: schema === null ? { type: 'object' } : schemaRef(schema),
                  examples:
                    example === null
                      ? { document: { value: { openapi: '3.1.0' } } }
                      : { example: { value: examplesOf(site)[example] } },
                },
              }
            : {
                [operation.media]: {
                  schema: schema === null ? { type: 'string' } : schemaRef(schema),
                },
              },
      },
      ...responseRefs(operation.otherStatuses),
    },
  };
}

const cachingHeader = (value: string) => ({
  description: 'Cache lifetimes.',
  required: true,
  schema: { type: 'string', const: value },
});
