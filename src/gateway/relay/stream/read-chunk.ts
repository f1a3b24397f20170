// Reads one server-sent event of a chat stream, as the Chat Completions reference describes it. A
// usage chunk has `choices: []`. Some servers send `choices: null` instead.
//
// Some servers send comments to keep the connection open, or an error inside a stream that began
// with 200.
import { readChatError } from '../chat-error.ts';
import type { EventValue, StreamEvent } from '../dialects/dialect.ts';
import { completionTextOf, readTokenUsage, type TokenUsage } from '../token-usage.ts';
import { dataOf } from './event-data.ts';

/** Reads the chunks of one stream in order. */
export function openChunkReader(): (event: Buffer) => StreamEvent {
  const choices: ChoiceStates = new Map();
  return (event) => readChunk(event, choices);
}

/** Whether each choice of the stream has its finish reason, by index. */
type ChoiceStates = Map<unknown, boolean>;

const areAllFinished = (states: ChoiceStates) =>
  states.size > 0 && states.values().every((isFinished) => isFinished);

function readChunk(event: Buffer, states: ChoiceStates): StreamEvent {
  const data = dataOf(event);
  if (data === null) return { kind: 'comment' };
  if (data === '[DONE]') return { kind: 'done', usage: null, isFinish: false, value: {} };
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return { kind: 'broken', problem: 'an event that is not JSON' };
  }
  const error = readChatError(value);
  if (error !== null) return { kind: 'error', error };
  if (typeof value !== 'object' || value === null) {
    return { kind: 'broken', problem: 'an event that is no object' };
  }
  const chunk = value as EventValue;
  const { choices, usage: used } = chunk;
  const usage = readTokenUsage(used, chunk.service_tier);
  const hasNullUsage = used === null;
  if (Array.isArray(choices) && choices.length > 0) {
    const content = contentOf(choices, usage, states);
    if (content.kind !== 'content') return content;
    return { ...content, hasNullUsage, value: chunk };
  }
  if (choices !== null && choices !== undefined && !Array.isArray(choices)) {
    return { kind: 'broken', problem: '"choices" is no list' };
  }
  return usage === null
    ? { ...NO_CONTENT, isFinish: areAllFinished(states), usage, hasNullUsage, value: chunk }
    : { kind: 'usage', usage, value: chunk };
}

const NO_CONTENT = {
  kind: 'content',
  written: '',
  isFinish: false,
  isVisible: false,
  text: '',
  usage: null,
  hasNullUsage: false,
  value: {},
} as const;

const isFirst = (index: unknown) => index === undefined || index === 0;
const isAbsent = (value: unknown) => value === undefined || value === null;
const isTextOrAbsent = (value: unknown) => isAbsent(value) || typeof value === 'string';

function contentOf(
  choices: readonly unknown[],
  usage: TokenUsage | null,
  states: ChoiceStates,
): StreamEvent {
  let written = '';
  let hasReason = false;
  let hasCalls = false;
  let text: string | null = '';
  for (const choice of choices) {
    if (typeof choice !== 'object' || choice === null) {
      return { kind: 'broken', problem: 'a choice that is no object' };
    }
    const { delta, index, logprobs, finish_reason: reason } = choice as Record<string, unknown>;
    written += completionTextOf(delta);
    const isFinished = typeof reason === 'string';
    hasReason ||= isFinished;
    states.set(index ?? 0, isFinished || states.get(index ?? 0) === true);
    const { content, tool_calls: calls, refusal, audio } = (delta ?? {}) as Record<string, unknown>;
    hasCalls ||= Array.isArray(calls) && calls.length > 0;
    const isPlain = isFirst(index) && isAbsent(logprobs) && isAbsent(refusal) && isAbsent(audio);
    if (!isPlain || hasCalls || !isTextOrAbsent(content)) text = null;
    else if (text !== null && typeof content === 'string') text += content;
  }
  const isVisible = written !== '' || hasReason || hasCalls;
  const isFinish = areAllFinished(states);
  return { ...NO_CONTENT, written, isFinish, isVisible, text, usage };
}

const NULL_USAGE = /,\s*"usage"\s*:\s*null(?=\s*[,}])|(?<=\{\s*)"usage"\s*:\s*null\s*,/;

/**
 * Removes a null usage from the event. The pattern contains unescaped quotes, so it matches no text
 * inside a JSON string.
 */
export const withoutNullUsage = (event: Buffer): Buffer =>
  Buffer.from(event.toString('utf8').replace(NULL_USAGE, ''));
