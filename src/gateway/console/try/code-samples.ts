// The same request as curl, with the SDK, and in Python, to copy, without the key. Input is quoted
// by the rules of each language, so it stays text there.

export type SampleOf = {
  readonly capability: string;
  readonly method: 'GET' | 'POST';
  readonly baseUrl: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/** In a shell, a quote within single quotes ends them, is escaped, and opens them again. */
const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const json = (value: unknown) => JSON.stringify(value, null, 2);
/** U+2028 and U+2029 are valid in JSON and not in older scripts. */
const script = (value: unknown) =>
  json(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

const queryOf = (body: SampleOf['body']) =>
  new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]),
  );

export function curlSample({ method, baseUrl, path, body }: SampleOf): string {
  const key = '-H "Authorization: Bearer $GATEWAY_KEY"';
  if (method === 'GET') {
    const parts = [...queryOf(body)].map(([name, value]) => shell(`${name}=${value}`));
    const data = parts.map((part) => `  --data-urlencode ${part}`).join(' \\\n');
    return `curl -G ${shell(baseUrl + path)} \\\n  ${key} \\\n${data}`;
  }
  const lines = [`curl ${shell(baseUrl + path)}`, key, '-H "Content-Type: application/json"'];
  // A retry with the same Idempotency-Key is never charged twice.
  lines.push('-H "Idempotency-Key: $(uuidgen)"', `-d ${shell(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** Names of the SDK's methods by capability. */
const methods: Readonly<Record<string, string>> = {
  social: 'social',
  transcribe: 'transcribe',
  ocr: 'ocr',
  'svc-image': 'image',
  'svc-video': 'video',
  search: 'search',
};

export function typescriptSample(
  { capability, baseUrl, body }: SampleOf,
  relayUrl: string,
): string {
  const key = 'process.env.GATEWAY_KEY';
  if (capability === 'chat') {
    return `import { createGateway } from 'content-radar-sdk/gateway';

const { chat } = createGateway({
  baseUrl: ${script(baseUrl)},
  relayUrl: ${script(relayUrl)},
  agentKey: ${key},
});
for await (const chunk of chat.stream(${script(body)})) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
}`;
  }
  const client = `createGateway({ baseUrl: ${script(baseUrl)}, apiKey: ${key} })`;
  const isSearch = capability === 'search';
  const method = methods[capability] ?? 'run';
  return `import { createGateway } from 'content-radar-sdk/gateway';

const gateway = ${client};
const ${isSearch ? 'answer' : '{ data, charge }'} = await gateway.${method}(${script(body)});
console.log(${isSearch ? 'answer' : 'data, charge.total'});`;
}

export function pythonSample({ method, baseUrl, path, body }: SampleOf): string {
  const sent = method === 'GET' ? 'params' : 'json';
  const headers = ['"Authorization": f"Bearer {os.environ[\'GATEWAY_KEY\']}"'];
  if (method === 'POST') headers.push('"Idempotency-Key": str(uuid.uuid4())');
  return `import os${method === 'POST' ? ', uuid' : ''}
import requests

answer = requests.${method.toLowerCase()}(
    ${JSON.stringify(baseUrl + path)},
    headers={${headers.join(', ')}},
    ${sent}=${python(body)},
)
answer.raise_for_status()
print(answer.json())`;
}

/** JSON is valid Python except for three words. */
function python(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).map(
      ([name, field]) => `${JSON.stringify(name)}: ${python(field)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value);
}
