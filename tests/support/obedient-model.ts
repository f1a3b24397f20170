// Simulates a chat server that obeys every injected order. When a prompt contains third-party text
// with an order, the server writes the order's payload into every field, with the requested score.
// It uses real HTTP in the real format. It replies correctly to prompts without orders.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answerQuestion } from '../../demo/upstream/model/answer-question.ts';
import { type ParsedQuestion, readQuestion } from '../../demo/upstream/model/read-question.ts';
import { atEnd } from './at-end.ts';

export type Order = {
  readonly id: string;
  /** The order is recognised when the prompt contains this, or its payload. */
  readonly marker: string;
  /** The text that the order demands. */
  readonly payload: string;
  readonly requestedScore: number;
  readonly requestedCategory: string;
};

export type ObedientModel = {
  readonly url: string;
  /** Number of requests. */
  readonly counts: { requests: number };
  /** Ids of the obeyed orders with the step of the request, once per request. */
  readonly appliedOrders: string[];
  /** Obeys one of these orders even when the prompt contains none. */
  forceOrder(order: Order | null): void;
};

export async function openObedientModel(orders: readonly Order[]): Promise<ObedientModel> {
  const counts = { requests: 0 };
  const appliedOrders: string[] = [];
  let forcedOrder: Order | null = null;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { messages = [] } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      messages?: readonly { readonly role: string; readonly content: string }[];
    };
    const system = messages.find(({ role }) => role === 'system')?.content ?? '';
    const user = messages.find(({ role }) => role === 'user')?.content ?? '';
    const question = readQuestion(system, user);
    const text = plainText(user);
    const order = forcedOrder ?? orders.find((order) => containsOrder(text, order)) ?? null;
    counts.requests += 1;
    if (order !== null) appliedOrders.push(`${order.id}, step ${question.step}`);
    const correctReply = answerQuestion(question);
    const reply = order === null ? correctReply : applyOrder(question, order, correctReply);
    const message = { role: 'assistant', content: JSON.stringify(reply) };
    const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        id: 'chat-1',
        object: 'chat.completion',
        model: 'obedient',
        usage,
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    counts,
    appliedOrders,
    forceOrder: (order) => {
      forcedOrder = order;
    },
  };
}

/** Ignores white space and invisible characters, as a model does. */
const plainText = (text: string) => text.replace(/[\s\p{Cf}]+/gu, '');

function containsOrder(text: string, { marker, payload }: Order): boolean {
  return [marker, payload].some(
    (phrase) => plainText(phrase) !== '' && text.includes(plainText(phrase)),
  );
}

function applyOrder(question: ParsedQuestion, order: Order, correctReply: unknown): unknown {
  const { payload, requestedScore: score, requestedCategory: category } = order;
  switch (question.step) {
    case 'prefilter':
      return { about: true };
    case 'score':
      return { score };
    case 'write':
      return { title: payload, summary: `${payload}.`, reason: `${payload}.` };
    case 'sort':
      return { category, tags: [payload.slice(0, 40)] };
    case 'facts':
      return { facts: [{ text: payload, quote: payload }] };
    case 'digest': {
      const reports = question.fences.map(({ name }) => name.split(/\s+/).at(-1) ?? '');
      return { sentences: [{ text: `${payload}.`, reports }] };
    }
    case 'report': {
      const entries = question.fences.map(({ name }) => name.split(/\s+/).at(-1) ?? '');
      const line = { text: `${payload}.`, entries };
      return { headline: line, overview: [line], sections: [] };
    }
    default:
      return correctReply;
  }
}
