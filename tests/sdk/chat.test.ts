// Chat through the SDK against a server that streams like a relay. The server sends chunks of any
// size and fails during the stream.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { eventData } from '../../packages/sdk/src/events.ts';
import { createGateway } from '../../packages/sdk/src/gateway.ts';

type ReceivedRequest = { readonly headers: IncomingMessage['headers']; readonly body: unknown };
let respond: (res: ServerResponse) => void = () => {};
const receivedRequests: ReceivedRequest[] = [];
let onClose: () => void = () => {};
const relay = createServer((req, res) => {
  let text = '';
  req.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  res.on('close', () => onClose());
  req.on('end', () => {
    receivedRequests.push({ headers: req.headers, body: text === '' ? null : JSON.parse(text) });
    respond(res);
  });
});
await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  relay.closeAllConnections();
  relay.close();
});
const relayUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
const wait = async () => {};
const { chat } = createGateway({
  baseUrl: 'http://gateway.invalid',
  relayUrl,
  agentKey: 'ak-test',
  runtime: { wait },
});
const request = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], temperature: 0 };

const replyChunk = (content: string) => {
  const choices = [{ index: 0, delta: { content } }];
  return `data: ${JSON.stringify({ id: '1', model: 'm', choices })}\n\n`;
};
const beginStream = (res: ServerResponse) =>
  res.writeHead(200, { 'content-type': 'text/event-stream' });

async function collectReply(): Promise<string> {
  let text = '';
  for await (const { choices } of chat.stream(request)) text += choices[0]?.delta.content ?? '';
  return text;
}

test('reads a stream chunk by chunk to its last word', async () => {
  respond = (res) =>
    beginStream(res).end(`${replyChunk('Gu')}${replyChunk('ten Tag, 你好')}data: [DONE]\n\n`);
  expect(await collectReply()).toBe('Guten Tag, 你好');
  const { headers, body } = receivedRequests.at(-1) as ReceivedRequest;
  expect(body).toEqual({ ...request, stream: true });
  expect(headers.authorization).toBe('Bearer ak-test');
  expect(headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
});

test('retries the start of a stream with the same key', async () => {
  const requestsBefore = receivedRequests.length;
  respond = (res) => {
    respond = (nextResponse) =>
      beginStream(nextResponse).end(`${replyChunk('at last')}data: [DONE]\n\n`);
    res.writeHead(503, { 'retry-after': '1' }).end('{"error":{"code":"temporarily_unavailable"}}');
  };
  expect(await collectReply()).toBe('at last');
  const sentRequests = receivedRequests
    .slice(requestsBefore)
    .map(({ headers }) => headers['idempotency-key']);
  expect([sentRequests.length, new Set(sentRequests).size]).toEqual([2, 1]);
});

test('distinguishes a refusal, an error in the stream and a broken connection', async () => {
  const error = {
    message: 'No such model.',
    type: 'invalid_request_error',
    code: 'invalid_request',
  };
  respond = (res) => res.writeHead(400).end(JSON.stringify({ error }));
  await expect(collectReply()).rejects.toMatchObject({
    code: 'invalid_request',
    status: 400,
    message: 'invalid_request: No such model.',
  });
  respond = (res) =>
    beginStream(res).end(`${replyChunk('Half')}data: ${JSON.stringify({ error })}\n\n`);
  await expect(collectReply()).rejects.toMatchObject({ name: 'ApiError', code: 'invalid_request' });
  respond = (res) => beginStream(res).end(replyChunk('Half'));
  await expect(collectReply()).rejects.toMatchObject({ name: 'ConnectionError' });
});

test('ends the response when the reader stops', async () => {
  const disconnection = new Promise<void>((resolve) => {
    onClose = resolve;
  });
  respond = (res) => beginStream(res).write(replyChunk('for ever'));
  for await (const { choices } of chat.stream(request)) {
    expect(choices[0]?.delta.content).toBe('for ever');
    break;
  }
  await disconnection;
  const abortController = new AbortController();
  const stoppedReply = (async () => {
    for await (const _chunk of chat.stream(request, { signal: abortController.signal }))
      abortController.abort();
  })();
  await expect(stoppedReply).rejects.toMatchObject({ name: 'AbortError' });
});

test('reads a whole response and the models', async () => {
  const completion = { id: '1', model: 'm', choices: [] };
  respond = (res) => res.writeHead(200).end(JSON.stringify(completion));
  expect(await chat.complete(request)).toEqual(completion);
  expect(receivedRequests.at(-1)?.headers.prefer).toBe('idempotent-replay');
  respond = (res) => res.writeHead(200).end('{"object":"list","data":[{"id":"m"}]}');
  expect(await chat.models()).toEqual([{ id: 'm' }]);
});

test('reads equal events for any chunking and any line end', async () => {
  const text = ': note\n\ndata: 你\ndata:  好\n\nevent: x\nid: 7\n\ndata:{"a":1}\n\ndata: cut off';
  const expected = ['你\n 好', '{"a":1}'];
  for (const lineEnd of ['\n', '\r\n', '\r']) {
    const bytes = new TextEncoder().encode(text.replaceAll('\n', lineEnd));
    for (let size = 1; size <= bytes.length; size += 1) {
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (let index = 0; index < bytes.length; index += size) {
            controller.enqueue(bytes.slice(index, index + size));
          }
          controller.close();
        },
      });
      const contents: string[] = [];
      for await (const data of eventData(stream)) contents.push(data);
      expect([lineEnd, size, contents]).toEqual([lineEnd, size, expected]);
    }
  }
});
