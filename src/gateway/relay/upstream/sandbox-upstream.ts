// An upstream inside the process that serves calls with test keys in every dialect. A test call
// therefore runs the same code as a live call. The capability contract, "Test mode", lists the
// inputs that select an outcome.
import { Readable } from 'node:stream';
import { requirePresent } from '../../../kernel/errors/assert.ts';
import { codes, findCode } from '../../../kernel/errors/codes.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { readChunks } from '../../../kernel/net/read-chunks.ts';
import type { StreamedResponse } from '../../../kernel/net/streaming-client.ts';
import { type Deadlines, openDeadlines } from '../../../kernel/time/deadlines.ts';
import type { World } from '../../../kernel/world.ts';
import { allDialects } from '../dialects/all-dialects.ts';
import type { ApiDialect, ModelRequest } from '../dialects/dialect.ts';
import { type SandboxReply, sandboxFormats } from './sandbox-formats.ts';
import type { ListedModelInfo, Upstream } from './upstream.ts';
import { openUpstreamHealth } from './upstream-health.ts';
import { SANDBOX_MS } from './upstreams.ts';

export const sandboxModels: readonly ListedModelInfo[] = [
  { id: 'sandbox', object: 'model', created: 0, owned_by: 'sandbox' },
];

const words = ['This ', 'is ', 'the ', 'sandbox', ': ', 'no ', 'model ', 'was ', 'asked', '.'];
const SLOW_MAX_SECONDS = 30;

/** Opens one upstream for each dialect. `stop` ends their timers. */
export function openSandboxes(world: World, stop?: AbortSignal): (dialect: ApiDialect) => Upstream {
  const deadlines = openDeadlines(world.clock, stop);
  const upstreams = new Map(
    allDialects.map((dialect) => [dialect.name, openSandboxUpstream(world, dialect, deadlines)]),
  );
  return (dialect) => {
    return requirePresent(upstreams.get(dialect.name), 'the sandbox of a dialect');
  };
}

function openSandboxUpstream(world: World, dialect: ApiDialect, deadlines: Deadlines): Upstream {
  const { name, kind } = dialect;
  return {
    rules: {
      name: 'sandbox',
      kind,
      priority: 0,
      weight: 1,
      onClientDisconnect: 'estimate',
      firstTokenMs: SANDBOX_MS,
      stallMs: SANDBOX_MS,
      responseTimeoutMs: SANDBOX_MS,
      maxMs: SANDBOX_MS,
      includeUsage: true,
      traceparent: false,
      forwardSession: false,
      upstreamPrices: {},
    },
    health: openUpstreamHealth(world.clock, { name: 'sandbox', isOff: () => false }),
    deadlines,
    modelFor: (model) => model,
    countTokens: null,
    prepare: (text, { signal }) => ({
      send: async () => {
        const request = dialect.readRequest(text);
        const { model, isStream, body } = request;
        const reply: SandboxReply = {
          model,
          words: await replyTo(world, body, signal),
          promptBytes: Buffer.byteLength(dialect.promptText(request)),
          id: world.ids.next(),
          createdAt: Math.floor(world.clock.now() / 1000),
          inputs: Array.isArray(body.input) ? body.input.length : 1,
        };
        const format = sandboxFormats[name];
        return isStream
          ? responseOf('text/event-stream', format.stream(reply))
          : responseOf('application/json', [JSON.stringify(format.responseBody(reply))]);
      },
    }),
  };
}

async function replyTo({ clock }: World, body: ModelRequest['body'], signal: AbortSignal) {
  const word = readSandboxWord(body);
  if (word === null) return words;
  if (word === 'empty') return [];
  const seconds = /^slow-(\d{1,4})$/.exec(word)?.[1];
  if (seconds !== undefined) {
    await clock.sleep(Math.min(Number(seconds), SLOW_MAX_SECONDS) * 1000, signal);
    return words;
  }
  const code = findCode(word);
  if (code === null) {
    const advice = 'Use an error code, a status, slow-<n> or empty.';
    throw new Fault('invalid_request', `"sandbox:${word}" is no input of the sandbox. ${advice}`);
  }
  const isRetryable = [429, 503].includes(codes[code].status);
  const details = isRetryable ? { retryAfterSeconds: 1 } : {};
  throw new Fault(code, `The sandbox received a request for ${code}.`, details);
}

function readSandboxWord({ messages, input }: ModelRequest['body']): string | null {
  const text = lastTextOf(messages ?? input);
  return /^sandbox:([a-z0-9_-]{1,60})$/.exec(text.trim())?.[1] ?? null;
}

/** Returns the text of the last turn, item or part. */
function lastTextOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return lastTextOf(value.at(-1));
  if (typeof value !== 'object' || value === null) return '';
  if ('content' in value) return lastTextOf(value.content);
  return 'text' in value ? lastTextOf(value.text) : '';
}

function responseOf(type: string, parts: readonly string[]): StreamedResponse {
  const body = Readable.from(parts.map((part) => Buffer.from(part)));
  return { status: 200, headers: { 'content-type': type }, body: readChunks(body) };
}
