// A chat server for measurements that responds at once. Each event of a stream contains the time at
// which it was written. A request with `hold` keeps the stream open after 4 KiB of text. A request
// with `brief` receives only the first events. With `breaks`, the connection of the first attempt
// breaks.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const EVENTS = 60;
const PAUSE_MS = 2;
const FIRST_EVENTS = 3;
const LONG_TEXT = 'x'.repeat(1_400);

type ChatBehaviour = {
  readonly stream?: boolean;
  readonly hold?: boolean;
  readonly brief?: boolean;
  readonly breaks?: boolean;
  readonly messages?: readonly unknown[];
};

const event = (content: string, reason: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'bench',
    choices: [{ index: 0, delta: { content }, finish_reason: reason }],
  })}\n\n`;

/** Complete responses of the dialects beside chat. */
const messages = JSON.stringify({
  id: 'msg_bench',
  type: 'message',
  role: 'assistant',
  model: 'bench',
  content: [{ type: 'text', text: 'Hello.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
});
const responses = JSON.stringify({
  id: 'resp_bench',
  object: 'response',
  status: 'completed',
  model: 'bench',
  output: [
    {
      id: 'msg_bench',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello.', annotations: [] }],
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
});
const embeddings = JSON.stringify({
  object: 'list',
  model: 'bench',
  data: [{ object: 'embedding', index: 0, embedding: [0.25, -0.5, 0.75] }],
  usage: { prompt_tokens: 1, total_tokens: 1 },
});

const fullResponse = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/** By the last segment of the path. */
const responseBodies: Readonly<Record<string, string>> = { messages, responses, embeddings };

async function stream(res: ServerResponse, behaviour: ChatBehaviour): Promise<void> {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const { hold, brief, breaks, messages: turns = [] } = behaviour;
  // The relay adds turns to the conversation of a later attempt.
  if (breaks) return turns.length === 1 ? breakOff(res) : finish(res, 'The text continues here.');
  for (let index = 0; index < (brief ? FIRST_EVENTS : EVENTS) && !res.destroyed; index += 1) {
    if (hold && index === FIRST_EVENTS) return;
    res.write(event(hold ? LONG_TEXT : String(process.hrtime.bigint())));
    if (!hold) await pause(PAUSE_MS);
  }
  finish(res, '');
}

function finish(res: ServerResponse, text: string): void {
  res.write(event(text));
  res.write(event('', 'stop'));
  res.end('data: [DONE]\n\n');
}

async function breakOff(res: ServerResponse): Promise<void> {
  for (const word of ['Good', ' morning', ' to', ' you', ' all']) {
    res.write(event(word));
    await pause(PAUSE_MS);
  }
  res.destroy();
}

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const behaviour = JSON.parse(Buffer.concat(chunks).toString()) as ChatBehaviour;
    if (behaviour.stream === true) stream(res, behaviour);
    else {
      const body = responseBodies[req.url?.split('/').at(-1) ?? ''] ?? fullResponse;
      const length = Buffer.byteLength(body);
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
      res.end(body);
    }
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('message', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
