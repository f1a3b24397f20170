// Follows SKILL.md as an agent does: it uses every address, request and example of the served text,
// and the tools of both MCP servers.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { until } from '../support/until.ts';

export type SkillKeys = { readonly sk: string; readonly ak: string };

type SkillRequest = { readonly method: string; readonly url: string; readonly body?: string };
type SkillResponse = { readonly status: number; readonly body: unknown; readonly text: string };

const JOB_POLLS = 20;

async function sendSkillRequest(
  { method, url, body }: SkillRequest,
  key: string | null,
): Promise<SkillResponse> {
  const headers = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, body: isJson ? JSON.parse(text) : null, text };
}

const fetchResponse = async (url: string, key: string | null = null) =>
  sendSkillRequest({ method: 'GET', url }, key);

/** The first value of a field anywhere in a body. */
function fieldIn(body: unknown, name: string): string | null {
  const nestedValue = new RegExp(`"${name}":"([^"]+)"`).exec(JSON.stringify(body));
  return nestedValue?.[1] ?? null;
}

export type SkillMedia = {
  readonly postUrl: string;
  /** Null when this machine has no program that reads sound. */
  readonly videoUrl: string | null;
  readonly imageUrl: string;
};

/**
 * Returns the names of all requests. Every response must have the status that the skill promises.
 */
export async function followSkill(
  radar: string,
  keys: SkillKeys,
  { postUrl, videoUrl, imageUrl }: SkillMedia,
): Promise<readonly string[]> {
  const skill = (await fetchResponse(`${radar}/SKILL.md`)).text;
  expect(skill).not.toMatch(/\{\w+_url\}/);
  const origins = [...new Set(skill.match(/http:\/\/[\d.]+:\d+/g))];
  const gateway = /`POST (\S+)\/api\/v1\/capabilities\/social`/.exec(skill)?.[1] ?? '';
  const relay = /`POST (\S+)\/relay\/v1\/chat\/completions`/.exec(skill)?.[1] ?? '';
  expect(origins.sort()).toEqual([radar, gateway, relay].sort());
  const followedNames: string[] = [];
  const expectStatus = (name: string, { status, text }: SkillResponse, expectedStatus = 200) => {
    followedNames.push(name);
    expect([name, status, status === expectedStatus ? '' : text]).toEqual([
      name,
      expectedStatus,
      '',
    ]);
  };

  // The requests in the table of the radar. The lists come first.
  const api = `${radar}/api/v1`;
  const lists = ['hot-topics', 'dailies?limit=7', 'weeklies', 'monthlies', 'selected/snapshot'];
  const [hot, dailies, weeklies, monthlies, snapshot] = await Promise.all(
    lists.map(async (path) => (await fetchResponse(`${api}/${path}`)).body),
  );
  const values: Readonly<Record<string, string | null>> = {
    '{publicId}':
      fieldIn(hot, 'publicId') ?? /\/stories\/([\w-]{36})/.exec(JSON.stringify(hot))?.[1] ?? null,
    '{date}': fieldIn(dailies, 'date'),
    '{week}': fieldIn(weeklies, 'week'),
    '{month}': fieldIn(monthlies, 'month'),
    'q=X': 'q=release',
    'cursor=C': `cursor=${fieldIn(snapshot, 'cursor')}`,
  };
  for (const [, address = ''] of skill.matchAll(/`GET (\S+?)`/g)) {
    if (!address.startsWith(radar)) continue;
    const listedAddress = address.replace('dailies/latest', 'dailies/{date}');
    const names = Object.keys(values).filter((name) => listedAddress.includes(name));
    // A radar with a short past has no reports.
    if (names.some((name) => values[name] === null)) continue;
    const url = names.reduce((url, name) => url.replace(name, values[name] ?? ''), address);
    expectStatus(address, await fetchResponse(url));
  }
  for (const [, address = ''] of skill.matchAll(/`(http:\S+\/api\/v1\/agent)`/g)) {
    expectStatus(address, await fetchResponse(address));
  }

  // The shell examples, exactly as the skill contains them.
  const examples = [...skill.matchAll(/```sh\n(.+?)```/gs)].map(([, text = '']) => text);
  for (const example of examples) {
    const url = /curl '([^']+)'/.exec(example)?.[1] ?? '';
    const body = /-d '([^']+)'/.exec(example)?.[1];
    const key = body === undefined ? null : keys.sk;
    const received = await sendSkillRequest(
      { method: body === undefined ? 'GET' : 'POST', url, ...(body !== undefined && { body }) },
      key,
    );
    expectStatus(example.trim(), received);
    expect([url, fieldIn(received.body, 'title') === null]).toEqual([url, false]);
  }

  // The requests in the table of the gateway.
  let jobId = '';
  let requestId = '';
  for (const [, url = '', body = ''] of skill.matchAll(/`POST (\S+)` `(\{.*?\})`/g)) {
    const isTranscript = url.endsWith('/transcribe');
    if (url.endsWith('/quote') || (isTranscript && videoUrl === null)) continue;
    const filledBody = body
      .replace('"url":"…"', `"url":"${isTranscript ? videoUrl : postUrl}"`)
      .replace('"image_urls":["…"]', `"image_urls":["${imageUrl}"]`)
      .replace('…', 'first look');
    const received = await sendSkillRequest({ method: 'POST', url, body: filledBody }, keys.sk);
    const isJob = url.endsWith('/svc-video');
    expectStatus(`${url} ${body}`, received, isJob ? 202 : 200);
    if (isJob) jobId = fieldIn(received.body, 'id') ?? '';
    else requestId = fieldIn(received.body, 'request_id') ?? '';
    if (url.endsWith('/ocr')) expect(received.text).toContain('HARBOUR MEDIA');
  }
  for (const [, address = ''] of skill.matchAll(/`GET (\S+?)`/g)) {
    if (!address.startsWith(gateway) || address.includes('/jobs/{id}')) continue;
    if (address.includes('receipts')) continue;
    const url = address.replace('q=X', 'q=first+look').replace('{request_id}', requestId);
    const key = address.includes('/search/') ? keys.ak : keys.sk;
    expectStatus(address, await fetchResponse(url, key));
  }
  let job = await fetchResponse(`${gateway}/api/v1/jobs/${jobId}?wait=30`, keys.sk);
  for (
    let polls = 0;
    polls < JOB_POLLS && fieldIn(job.body, 'status') !== 'succeeded';
    polls += 1
  ) {
    job = await fetchResponse(`${gateway}/api/v1/jobs/${jobId}?wait=30`, keys.sk);
  }
  expectStatus('a job', job);
  expect(fieldIn(job.body, 'status')).toBe('succeeded');

  // The relay: each endpoint with a model that it lists, then the receipt and the quote.
  const messages = [{ role: 'user', content: 'Hello' }];
  const calls: readonly (readonly [path: string, body: object])[] = [
    ['chat/completions', { model: 'demo-chat', messages }],
    ['messages', { model: 'claude-demo', max_tokens: 20, messages }],
    ['responses', { model: 'demo-responses', input: 'Hello' }],
    ['embeddings', { model: 'demo-embeddings', input: 'Hello' }],
  ];
  expectStatus('models', await fetchResponse(`${relay}/relay/v1/models`, keys.ak));
  for (const [path, body] of calls) {
    const url = `${relay}/relay/v1/${path}`;
    expectStatus(
      path,
      await sendSkillRequest({ method: 'POST', url, body: JSON.stringify(body) }, keys.ak),
    );
  }
  const chat = await fetch(`${relay}/relay/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.ak}`, 'content-type': 'application/json' },
    body: JSON.stringify(calls[0]?.[1]),
  });
  await chat.text();
  const receiptUrl = `${gateway}/api/v1/relay/receipts/${chat.headers.get('x-request-id')}`;
  // The record of a free call is written shortly after its response.
  const receipt = await until(async () => {
    const received = await fetchResponse(receiptUrl, keys.ak);
    return received.status === 404 ? null : received;
  });
  expectStatus('receipt', receipt);
  const quote = JSON.stringify({ path: '/relay/v1/messages', body: calls[1]?.[1] });
  const quoteUrl = `${gateway}/api/v1/relay/quote`;
  expectStatus(
    'quote',
    await sendSkillRequest({ method: 'POST', url: quoteUrl, body: quote }, keys.ak),
  );

  const publicId = values['{publicId}'] ?? '';
  await useTools(radar, null, [
    ['latest', {}],
    ['search', { q: 'release' }],
    ['hot', {}],
    ['story', { publicId }],
  ]);
  const input = { image_urls: [imageUrl] };
  await useTools(gateway, keys.sk, [
    ['list', {}],
    ['describe', { capability: 'ocr' }],
    ['quote', { capability: 'ocr', input }],
    ['call', { capability: 'ocr', input }],
    ['account', {}],
  ]);
  return followedNames;
}

type ToolCall = readonly [name: string, values: Readonly<Record<string, unknown>>];

async function useTools(
  origin: string,
  key: string | null,
  calls: readonly ToolCall[],
): Promise<void> {
  const client = new Client({ name: 'an agent', version: '1.0.0' });
  const requestInit = { headers: key === null ? {} : { authorization: `Bearer ${key}` } };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit });
  await client.connect(transport);
  try {
    for (const [name, values] of calls) {
      const { isError, content } = await client.callTool({ name, arguments: { ...values } });
      expect([name, isError ? content : null]).toEqual([name, null]);
    }
  } finally {
    await client.close();
  }
}
