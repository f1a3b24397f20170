// Validates the gateway's responses by its OpenAPI document: a declared status, its declared
// headers, and a body that matches the schema. Undeclared fields are violations too.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { sendRequest, type TestRequest, type TestResponse } from './http-request.ts';

type Schema = Record<string, unknown>;
type Header = { readonly required?: boolean; readonly schema: Schema };
type Response = {
  readonly headers?: Record<string, Header>;
  readonly content?: Record<string, { readonly schema: Schema }>;
};
type Operation = { readonly operationId: string; readonly responses: Record<string, Response> };
export type GatewayDocument = {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
    readonly responses: Record<string, Response>;
  };
};

export type GatewayContract = {
  readonly document: GatewayDocument;
  /** Violations in the response to this request; an empty list when there are none. */
  faultsOf(request: TestRequest, response: TestResponse): readonly string[];
};

export async function readGatewayContract(origin: string): Promise<GatewayContract> {
  const document: GatewayDocument = JSON.parse(
    (await sendRequest(origin, { path: '/openapi.json' })).text,
  );
  return { document, faultsOf: openChecker(document) };
}

function openChecker(document: GatewayDocument): GatewayContract['faultsOf'] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...(forbidUndeclaredFields(document) as object), $id: 'openapi' });
  const validators = new Map<string, ValidateFunction>();
  const faultsOfValue = (schema: Schema, value: unknown): readonly string[] => {
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
    return parts.reduce<unknown>((node, part) => (node as Schema)[part], document) as T;
  };
  const headerFaults = (response: Response, { headers }: TestResponse) =>
    Object.entries(response.headers ?? {}).flatMap(([name, reference]) => {
      const header = resolve(reference);
      const headerValue = headers[name.toLowerCase()];
      if (headerValue === undefined) return header.required ? [`header ${name} is missing`] : [];
      const value = header.schema.type === 'integer' ? Number(headerValue) : headerValue;
      return faultsOfValue(header.schema, value).map((fault) => `header ${name}: ${fault}`);
    });
  const bodyFaults = (response: Response, { headers, bytes, text }: TestResponse) => {
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    if (response.content === undefined) return bytes.length === 0 ? [] : ['an undeclared body'];
    const content = response.content[type];
    if (content === undefined) return [`undeclared content type "${type}"`];
    return faultsOfValue(content.schema, JSON.parse(text)).map((fault) => `body${fault}`);
  };
  const anyProblem = resolve(document.components.responses.Problem400 as Response);
  return ({ path, method = 'GET' }, testResponse) => {
    if (method === 'OPTIONS' && testResponse.status === 204) return commonFaults(testResponse);
    const [pathname = ''] = path.split('?');
    const operation = operationAt(document, pathname, method === 'HEAD' ? 'GET' : method);
    const declared = operation?.responses[String(testResponse.status)];
    if (operation !== null && declared === undefined)
      return [`${testResponse.status} is not declared`];
    const response = declared === undefined ? anyProblem : resolve(declared);
    const body = method === 'HEAD' ? [] : bodyFaults(response, testResponse);
    return [...headerFaults(response, testResponse), ...body, ...commonFaults(testResponse)];
  };
}

/** Violations of the rules that apply to every response. */
function commonFaults({ status, headers, text }: TestResponse): readonly string[] {
  const faults: string[] = [];
  if (headers['access-control-allow-origin'] !== '*') faults.push('no CORS');
  if (!/^req_[0-9a-f]{24}$/.test(String(headers['x-request-id']))) faults.push('no X-Request-Id');
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('no "nosniff"');
  if (status < 400 || text === '') return faults;
  const problem = JSON.parse(text);
  if (problem.request_id !== headers['x-request-id']) faults.push('request_id differs from header');
  if (problem.status !== status) faults.push('status differs in the body');
  const needsRetryAfter = status === 429 || status === 503;
  if (needsRetryAfter !== (problem.retry_after !== undefined))
    faults.push(`retry_after on ${status}`);
  if (needsRetryAfter && String(problem.retry_after) !== headers['retry-after'])
    faults.push('retry_after differs from header');
  return faults;
}

function operationAt(document: GatewayDocument, path: string, method: string): Operation | null {
  const segments = path.split('/');
  const matchesPath = ([template]: [string, unknown]) => {
    const parts = template.split('/');
    const matchesPart = (part: string, index: number) =>
      part.startsWith('{') ? segments[index] !== '' : part === segments[index];
    return parts.length === segments.length && parts.every(matchesPart);
  };
  const matchingEntry = Object.entries(document.paths).find(matchesPath);
  return matchingEntry?.[1][method.toLowerCase()] ?? null;
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
