// Validates a response by the OpenAPI document: a declared status, its declared headers, and a body
// that matches the schema. Undeclared fields are violations too, and so are breaches of the rules
// for all responses of the public addresses.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TestResponse } from '../support/http-request.ts';

type Schema = Record<string, unknown>;
type Header = { readonly required?: boolean; readonly schema: Schema };
type Content = Record<string, { readonly schema: Schema }>;
type Response = { readonly headers?: Record<string, Header>; readonly content?: Content };
type Operation = {
  readonly operationId: string;
  readonly responses: Record<string, Response>;
};
export type OpenApi = {
  readonly paths: Record<string, { readonly get: Operation }>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
    readonly responses: Record<string, Response>;
  };
};

export type Validator = {
  /** The template that matches `path` (without a query); null: the document has no such path. */
  templateOf(path: string): string | null;
  /** Violations of a response to an operation; empty for a valid response. */
  faultsOf(template: string, response: TestResponse, method?: string): readonly string[];
  /** Violations of a problem document, at any address. */
  problemFaults(response: TestResponse, method?: string): readonly string[];
};

export function openValidator(document: OpenApi): Validator {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...(forbidUndeclaredFields(document) as object), $id: 'openapi' });
  const validators = new Map<string, ValidateFunction>();
  const schemaFaults = (schema: Schema, value: unknown): readonly string[] => {
    const key = JSON.stringify(schema);
    const validate =
      validators.get(key) ??
      ajv.compile(absoluteReferences(forbidUndeclaredFields(schema)) as Schema);
    validators.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
  const resolve = <T>(value: T): T => {
    const ref = (value as { $ref?: string }).$ref;
    if (ref === undefined) return value;
    const parts = ref.slice(2).split('/');
    return parts.reduce<unknown>(
      (node, part) => (node as Record<string, unknown>)[part],
      document,
    ) as T;
  };

  const headerFaults = (response: Response, { headers }: TestResponse) =>
    Object.entries(response.headers ?? {}).flatMap(([name, reference]) => {
      const header = resolve(reference);
      const headerValue = headers[name.toLowerCase()];
      if (headerValue === undefined) return header.required ? [`header ${name} is missing`] : [];
      const value = header.schema.type === 'integer' ? Number(headerValue) : headerValue;
      return schemaFaults(header.schema, value).map((fault) => `header ${name}: ${fault}`);
    });

  const bodyFaults = (response: Response, { headers, bytes, text }: TestResponse) => {
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    if (response.content === undefined) {
      return bytes.length === 0 && type === '' ? [] : ['a body where none is declared'];
    }
    const content = response.content[type];
    if (content === undefined) return [`undeclared content type "${type}"`];
    const value = type.endsWith('json') ? JSON.parse(text) : text;
    return schemaFaults(content.schema, value).map((fault) => `body${fault}`);
  };

  const responseFaults = (reference: Response, testResponse: TestResponse, method: string) => {
    const response = resolve(reference);
    const body = method === 'HEAD' ? [] : bodyFaults(response, testResponse);
    return [...headerFaults(response, testResponse), ...body, ...commonFaults(testResponse)];
  };

  return {
    templateOf: (path) => matchTemplate(Object.keys(document.paths), path),
    faultsOf: (template, testResponse, method = 'GET') => {
      const response = document.paths[template]?.get.responses[String(testResponse.status)];
      if (response === undefined) return [`status ${testResponse.status} is not declared`];
      return responseFaults(response, testResponse, method);
    },
    problemFaults: (response, method = 'GET') => {
      const responses = Object.values(document.components.responses);
      const problem = responses.find(({ content }) => content !== undefined);
      if (problem === undefined) return ['no problem is described'];
      const body = method === 'HEAD' ? [] : bodyFaults(problem, response);
      const { 'x-request-id': requestId, 'cache-control': caching } = response.headers;
      return [
        ...body,
        ...(requestId ? [] : ['no X-Request-Id']),
        ...(caching === 'no-store' ? [] : ['an error that may be cached']),
        ...commonFaults(response),
      ];
    },
  };
}

/** Rules for every response of the public addresses. */
function commonFaults({ status, headers, text }: TestResponse): readonly string[] {
  const faults: string[] = [];
  if (headers['access-control-allow-origin'] !== '*') faults.push('no CORS');
  const needsEtag = status === 200 || status === 304;
  if ((headers.etag !== undefined) !== needsEtag) faults.push(`ETag on ${status}`);
  if (status >= 400 && text !== '') {
    const { requestId, status: bodyStatus, retryAfter } = JSON.parse(text);
    if (requestId !== headers['x-request-id']) faults.push('another request id in the header');
    if (bodyStatus !== status) faults.push('another status in the body');
    if (String(retryAfter ?? '') !== (headers['retry-after'] ?? ''))
      faults.push('another Retry-After in the header');
  }
  if (!isShortLived(headers['cache-control'] ?? '')) faults.push('cached too long');
  return faults;
}

/** Feed contract, "Caching": at most 360 s for every response. */
function isShortLived(caching: string): boolean {
  const seconds = (name: string) => {
    const [, value = '0'] = new RegExp(`(?:^|[ ,])${name}=(\\d+)`).exec(caching) ?? [];
    return Number(value);
  };
  return caching !== '' && seconds('max-age') + seconds('stale-while-revalidate') <= 360;
}

function matchTemplate(templates: readonly string[], path: string): string | null {
  const segments = path.split('/');
  const matchesPath = (template: string) => {
    const parts = template.split('/');
    const matchesPart = (part: string, index: number) => {
      const segment = segments[index] ?? '';
      if (!part.startsWith('{')) return part === segment;
      // The address of a feed ends with its format.
      const ending = part.slice(part.indexOf('}') + 1);
      return segment.endsWith(ending) && segment.length > ending.length;
    };
    return parts.length === segments.length && parts.every(matchesPart);
  };
  const [first] = templates
    .filter(matchesPath)
    .sort((a, b) => a.split('{').length - b.split('{').length);
  return first ?? null;
}

/** The same schema, which refuses undeclared fields. */
function forbidUndeclaredFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forbidUndeclaredFields);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, forbidUndeclaredFields(inner)]);
  const isObject = 'properties' in value && 'type' in value && value.type === 'object';
  return { ...Object.fromEntries(entries), ...(isObject && { additionalProperties: false }) };
}

/** Makes references to the document absolute, for a schema outside of the document. */
function absoluteReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absoluteReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, `openapi${inner}`]
        : [key, absoluteReferences(inner)],
    ),
  );
}
