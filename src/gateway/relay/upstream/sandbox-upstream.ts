// Who answers test keys: an upstream inside the process that speaks the same format, so that a test
// call takes the path of a live one. Magic inputs as in the capability contract, "Test mode".
import { Readable } from 'node:stream';
import { type Code, codes } from '../../../kernel/errors/codes.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { readAsItComes } from '../../../kernel/net/read-chunks.ts';
import type { PipeAnswer } from '../../../kernel/net/streaming-client.ts';
import { openDeadlines } from '../../../kernel/time/deadlines.ts';
import type { World } from '../../../kernel/world.ts';
import { promptBytesOf, tokensOf } from '../token-usage.ts';
import type { ListedModelInfo, Upstream } from './upstream.ts';
import { openUpstreamHealth } from './upstream-health.ts';

export const sandboxModels: readonly ListedModelInfo[] = [
  { id: 'sandbox', object: 'model', created: 0, owned_by: 'sandbox' },
];

const words = ['This ', 'is ', 'the ', 'sandbox', ': ', 'no ', 'model ', 'was ', 'asked', '.'];
const SLOW_MAX_SECONDS = 30;

type SandboxRequest = {
  readonly model: string;
  readonly messages: readonly { readonly content?: unknown }[];
  readonly stream?: boolean;
};

export function openSandboxUpstream(world: World): Upstream {
  return {
    rules: {
      ...{ name: 'sandbox', priority: 0, weight: 1, whenClientLeaves: 'estimate' },
      ...{ firstByteMs: 60_000, idleMs: 60_000, wholeMs: 60_000, maxMs: 60_000 },
      includeUsage: true,
      traceparent: false,
    },
    health: openUpstreamHealth(world.clock, { name: 'sandbox', isOff: () => false }),
    deadlines: openDeadlines(world.clock),
    modelFor: (model) => model,
    ready: (body, { signal }) => ({
      send: async () => {
        const wish = JSON.parse(body) as SandboxRequest;
        const said = await sayFor(world, wish, signal);
        return wish.stream === true ? streamed(world, wish, said) : whole(world, wish, said);
      },
    }),
  };
}

async function sayFor({ clock }: World, wish: SandboxRequest, signal: AbortSignal) {
  const word = magicWord(wish);
  if (word === null) return words;
  if (word === 'empty') return [];
  const seconds = /^slow-(\d{1,4})$/.exec(word)?.[1];
  if (seconds !== undefined) {
    await clock.sleep(Math.min(Number(seconds), SLOW_MAX_SECONDS) * 1000, signal);
    return words;
  }
  if (!Object.hasOwn(codes, word)) {
    const message = `"sandbox:${word}" is no magic input: a code of an error, slow-<n>, empty.`;
    throw new Fault('invalid_request', message);
  }
  const code = word as Code;
  const isLater = [429, 503].includes(codes[code].status);
  const details = isLater ? { retryAfterSeconds: 1 } : {};
  throw new Fault(code, `The sandbox was asked for ${word}.`, details);
}

function magicWord({ messages }: SandboxRequest): string | null {
  const content = messages.at(-1)?.content;
  const parts: unknown[] = Array.isArray(content) ? content : [{ text: content }];
  const last = parts.at(-1) as { readonly text?: unknown } | null | undefined;
  const text = typeof last?.text === 'string' ? last.text : '';
  return /^sandbox:([a-z0-9_-]{1,60})$/.exec(text.trim())?.[1] ?? null;
}

function usageOf({ messages }: SandboxRequest, said: readonly string[]) {
  const prompt = tokensOf(promptBytesOf(messages));
  return {
    prompt_tokens: prompt,
    completion_tokens: said.length,
    total_tokens: prompt + said.length,
  };
}

const headOf = ({ clock, ids }: World, { model }: SandboxRequest, object: string) => {
  return { id: `chatcmpl-${ids.next()}`, object, created: Math.floor(clock.now() / 1000), model };
};

function whole(world: World, wish: SandboxRequest, said: readonly string[]): PipeAnswer {
  const message = { role: 'assistant', content: said.join('') };
  const value = {
    ...headOf(world, wish, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: usageOf(wish, said),
  };
  return answer('application/json', [JSON.stringify(value)]);
}

function streamed(world: World, wish: SandboxRequest, said: readonly string[]): PipeAnswer {
  const head = headOf(world, wish, 'chat.completion.chunk');
  const event = (value: object) => `data: ${JSON.stringify({ ...head, ...value })}\n\n`;
  const delta = (given: object, reason: string | null = null) =>
    event({ choices: [{ index: 0, delta: given, finish_reason: reason }] });
  return answer('text/event-stream', [
    delta({ role: 'assistant', content: '' }),
    ...said.map((content) => delta({ content })),
    delta({}, 'stop'),
    event({ choices: [], usage: usageOf(wish, said) }),
    'data: [DONE]\n\n',
  ]);
}

function answer(type: string, parts: readonly string[]): PipeAnswer {
  const body = Readable.from(parts.map((part) => Buffer.from(part)));
  return { status: 200, headers: { 'content-type': type }, body: readAsItComes(body) };
}
