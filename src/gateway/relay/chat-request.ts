// A chat request: what the relay must know of it, and what goes upstream. Whatever else a client
// sends passes as it is, numbers to the last digit.
import { Fault } from '../../kernel/errors/fault.ts';
import { promptBytesOf } from './token-usage.ts';

export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly unknown[];
  readonly isStream: boolean;
  /** Responses requested at once (`n`): each costs what one costs. */
  readonly choices: number;
  /** Whether the client itself wants the usage chunk at the end of a stream. */
  readonly wantsUsage: boolean;
  /** As it was sent; its members decide about a repeated request. */
  readonly body: Readonly<Record<string, unknown>>;
};

const MODEL_MAX = 200;

/** Throws a Fault `invalid_request` that names the field. */
export function readChatRequest(text: string): ChatRequest {
  const body = parse(text);
  const { model, messages, stream } = body;
  if (typeof model !== 'string' || model === '' || model.length > MODEL_MAX) {
    throw invalid('model', 'must be the id of a model');
  }
  // No list has it, no database keeps it.
  if (model.includes('\0')) throw invalid('model', 'must not contain the character U+0000');
  if (!Array.isArray(messages) || messages.length === 0) {
    throw invalid('messages', 'must be a list of messages');
  }
  for (const [at, message] of messages.entries()) {
    const isMessage = typeof message === 'object' && message !== null && 'role' in message;
    if (!isMessage) throw invalid(`messages[${at}]`, 'must be an object with a role');
  }
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean') {
    throw invalid('stream', 'must be true or false');
  }
  const options = streamOptionsOf(body);
  const wantsUsage = options.include_usage === true;
  const choices = readChoices(body);
  return { model, messages, isStream: stream === true, choices, wantsUsage, body };
}

/**
 * What an upstream is sent: its own name of the model, and usage asked for in every stream. Throws
 * a Fault `invalid_request` for what is nested too deeply to be sent.
 */
export function upstreamBody(
  { body, isStream }: ChatRequest,
  { model, includeUsage }: { readonly model: string; readonly includeUsage: boolean },
): string {
  // Ours alone: an amount that the caller will pay at most.
  const { max_charge: _ours, ...theirs } = body;
  const usage = { stream_options: { ...streamOptionsOf(body), include_usage: true } };
  const sent = { ...theirs, model, ...(isStream && includeUsage && usage) };
  return unlessTooDeep(() => JSON.stringify(sent));
}

/** Reading takes lists within lists to any depth; writing them, some thousands. */
export function unlessTooDeep<T>(write: () => T): T {
  try {
    return write();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new Fault('invalid_request', 'The body is nested too deeply.', { cause });
  }
}

const CHOICES_MAX = 128;

/** `best_of` multiplies the cost as `n` does and belongs to another address: it is refused. */
function readChoices({ n, best_of: candidates }: ChatRequest['body']): number {
  if (candidates !== undefined && candidates !== null && !isOne(candidates)) {
    throw invalid('best_of', 'is not supported: use "n"');
  }
  if (n === undefined || n === null) return 1;
  // A number whose digits are kept, such as 1.0, is an object.
  const choices = typeof n === 'number' ? n : Number.NaN;
  if (Number.isInteger(choices) && choices >= 1 && choices <= CHOICES_MAX) return choices;
  throw invalid('n', `must be a whole number from 1 to ${CHOICES_MAX}`);
}

const isOne = (value: unknown) => value === 1;

/** What makes a provider's call cost more and is in no price: refused where a call has a price. */
const unpriced = ['speed', 'inference_geo', 'web_search_options'] as const;

/** Throws a Fault `invalid_request` that names the first such field. */
export function refuseUnpriced({ body }: Pick<ChatRequest, 'body'>): void {
  const given = unpriced.find((name) => body[name] !== undefined && body[name] !== null);
  if (given !== undefined) throw invalid(given, 'has no price here, so it cannot be used');
  const tier = body.service_tier;
  if (tier === undefined || tier === null || tier === 'auto' || tier === 'default') return;
  throw invalid('service_tier', 'has no price here: leave it out, or send "default"');
}

/** Limits of the answer's length that chat clients send. */
const lengths = ['max_completion_tokens', 'max_tokens'] as const;

/** Throws a Fault `invalid_request` for a limit above `maxOutput`: a fixed price covers no more. */
export function refuseLongOutput(
  { body }: Pick<ChatRequest, 'body'>,
  maxOutput: number | undefined,
): void {
  if (maxOutput === undefined) return;
  for (const name of lengths) {
    const limit = body[name];
    if (limit === undefined || limit === null) continue;
    if (!(Number(limit) <= maxOutput)) throw invalid(name, `must be at most ${maxOutput}`);
  }
}

function streamOptionsOf({ stream_options: options }: ChatRequest['body']) {
  if (options === undefined || options === null) return {};
  if (typeof options === 'object' && !Array.isArray(options)) {
    return options as { readonly include_usage?: unknown };
  }
  throw invalid('stream_options', 'must be an object');
}

/** Numbers that JavaScript would write otherwise than they came. */
const mayLoseDigits = /\d{16}|\d[eE]|\.\d*0(?!\d)|-0/;

function parse(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = mayLoseDigits.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch (cause) {
    throw new Fault('invalid_request', 'The body is not JSON.', { cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new Fault('invalid_request', 'The body must be a JSON object.');
}

/** Of ECMAScript's "JSON.parse source text access", which the type library does not know yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }) {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  return rawJSON(source);
}

const invalid = (param: string, what: string) =>
  new Fault('invalid_request', `The field "${param}" ${what}.`, { members: { param } });

const BODY_MAX_CHARACTERS = 1024 * 1024;

/** Whether a stream of this request may continue after a break: plain text of one choice. */
export function mayContinue({ body, choices, messages }: ChatRequest): boolean {
  const { logprobs, modalities, response_format: format } = body;
  if (choices !== 1 || logprobs === true) return false;
  if (Array.isArray(modalities) && modalities.some((name) => name !== 'text')) return false;
  const type = typeof format === 'object' && format !== null && 'type' in format && format.type;
  if (type !== false && type !== 'text') return false;
  return promptBytesOf(messages) <= BODY_MAX_CHARACTERS;
}

type ContinuationOptions = {
  readonly model: string;
  readonly includeUsage: boolean;
  /** The delivered text is the last assistant turn, and the model goes on with it. */
  readonly isPrefill: boolean;
};

/** The conversation, what was delivered of the answer, and the instruction to go on. */
export function continuationBody(
  request: ChatRequest,
  delivered: string,
  { isPrefill, ...options }: ContinuationOptions,
): string {
  if (delivered === '') return upstreamBody(request, options);
  const turns: unknown[] = [...request.messages, { role: 'assistant', content: delivered }];
  if (!isPrefill) turns.push({ role: 'user', content: continueInstruction(delivered) });
  return upstreamBody({ ...request, body: { ...request.body, messages: turns } }, options);
}

const QUOTED_CHARACTERS = 200;

/** Anthropic's recommended words for continuing without a prefill. */
const continueInstruction = (delivered: string) =>
  'Your previous response was interrupted and ended with ' +
  `"${delivered.slice(-QUOTED_CHARACTERS)}". ` +
  'Continue from where you left off, without any preamble and without repeating anything.';
