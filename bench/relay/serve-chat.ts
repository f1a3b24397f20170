// A chat server for measurements: answers at once; in a stream, each event carries the moment at
// which it was written. `hold` in the request keeps the stream open after its first events; `brief`
// has no more than those.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const EVENTS = 60;
const PAUSE_MS = 2;
const FIRST = 3;

type ChatBehaviour = {
  readonly stream?: boolean;
  readonly hold?: boolean;
  readonly brief?: boolean;
};

const event = (content: string, reason: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'bench',
    choices: [{ index: 0, delta: { content }, finish_reason: reason }],
  })}\n\n`;

const whole = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

async function stream(res: ServerResponse, { hold, brief }: ChatBehaviour): Promise<void> {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let n = 0; n < (brief ? FIRST : EVENTS) && !res.destroyed; n += 1) {
    if (hold && n === FIRST) return;
    res.write(event(String(process.hrtime.bigint())));
    if (!hold) await pause(PAUSE_MS);
  }
  res.write(event('', 'stop'));
  res.end('data: [DONE]\n\n');
}

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const behaviour = JSON.parse(Buffer.concat(chunks).toString()) as ChatBehaviour;
    if (behaviour.stream === true) stream(res, behaviour);
    else {
      const length = Buffer.byteLength(whole);
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
      res.end(whole);
    }
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('message', () => process.exit(0));
