// The dialect `responses`: OpenAI's Responses, without any state at the upstream. Sources: types of
// OpenAI's Node SDK 7.55 (`ResponseCreateParamsBase`, `ResponseStreamEvent`, `ResponseUsage`).
import { type ChatError, readChatError, unexplainedError } from '../chat-error.ts';
import { isRecord } from '../is-record.ts';
import { parseEvent } from '../stream/event-data.ts';
import { collectText, readOpenAiUsage, type TokenUsage } from '../token-usage.ts';
import {
  appendEntries,
  continuationTurns,
  isKeepable,
  isPlainFormat,
  memberText,
} from './continuation.ts';
import type {
  ApiDialect,
  ContinuationOptions,
  EventValue,
  HostedTool,
  ModelRequest,
  StreamEvent,
  StreamReader,
} from './dialect.ts';
import { readHostedTools, refuseUnpricedTools } from './hosted-tools.ts';
import { failedEvent, openResponsesJoiner } from './join-responses.ts';
import { refuseReferences, statelessOnlyFault } from './refuse-references.ts';
import {
  checkTokenLimit,
  editBody,
  invalidField,
  isPresent,
  readCommonFields,
  refuseFields,
  refuseOtherDialect,
} from './request-fields.ts';
import { contentEvent, invisibleEvent } from './stream-events.ts';

export const responsesDialect: ApiDialect = {
  name: 'responses',
  kind: 'openai-responses',
  path: '/responses',
  maxBytes: 32 * 1024 * 1024,
  readRequest,
  upstreamBody: (request, { model }) => editBody(request, model, { store: 'false' }),
  promptText: ({ body }) => collectText(body.instructions) + itemsText(body.input),
  refuseUnpriced: (request, { variants, tools }) => {
    refuseFields(request, [], variants);
    refuseUnpricedTools(hostedToolsOf(request), tools);
  },
  hostedTools: hostedToolsOf,
  lengthFields: ['max_output_tokens'],
  readCompleteResponse: (value) => {
    const { status, output } = value;
    const isComplete = status === 'completed' || status === 'incomplete';
    if (!isComplete || !Array.isArray(output)) return null;
    return { usage: usageOf(value), written: itemsText(output) };
  },
  openReader: openResponsesReader,
  errorBody: (error) => ({ error }),
  continuation: {
    mayContinue,
    needsPrefill: ({ body: { text } }) => !isPlainFormat(isRecord(text) && text.format),
    body: continuationBody,
    openJoiner: openResponsesJoiner,
  },
};

function readRequest(text: string): ModelRequest {
  const request = readCommonFields(text);
  const { body } = request;
  refuseOtherDialect(body, 'input');
  if (body.background === true) throw statelessOnlyFault('background');
  refuseReferences(request, ['input', 'tools'], ['previous_response_id', 'conversation', 'prompt']);
  const { input } = body;
  const isText = typeof input === 'string' && input !== '';
  if (!isText && !(Array.isArray(input) && input.length > 0)) {
    throw invalidField('input', 'must be a text or a list of items');
  }
  checkTokenLimit(body, 'max_output_tokens');
  const warnings = body.store === false ? [] : ['store=false'];
  return { ...request, choices: 1, wantsUsage: true, warnings };
}

/** Returns the text of input or output items. */
function itemsText(input: unknown): string {
  if (typeof input === 'string') return input;
  if (!Array.isArray(input)) return '';
  return input.reduce((all: string, item: unknown) => {
    if (!isRecord(item)) return all;
    const { content, arguments: args, output, summary } = item;
    return all + [content, args, output, summary].map(collectText).join('');
  }, '');
}

function hostedToolsOf({ body }: ModelRequest): readonly HostedTool[] {
  return readHostedTools(body.tools, {
    clientToolTypes: ['function', 'custom'],
    callsMaxOf: () => body.max_tool_calls,
  });
}

/** Items of tools that the client runs. */
const clientCalls: readonly unknown[] = ['function_call', 'custom_tool_call'];

/** Returns the usage of a complete response. Each item of a hosted tool is one call. */
function usageOf({ usage, service_tier: tier, output }: EventValue): TokenUsage | null {
  const openAiUsage = readOpenAiUsage(usage, tier);
  if (openAiUsage === null || !Array.isArray(output)) return openAiUsage;
  const toolCalls: Record<string, number> = {};
  for (const item of output) {
    if (!isRecord(item) || clientCalls.includes(item.type)) continue;
    const [, name] = /^(\w{1,60})_call$/.exec(String(item.type)) ?? [];
    if (name !== undefined) toolCalls[name] = (toolCalls[name] ?? 0) + 1;
  }
  return { ...openAiUsage, toolCalls };
}

const endTypes: readonly unknown[] = ['response.completed', 'response.incomplete'];

function openResponsesReader(): StreamReader {
  let lastUpstreamEvent: Buffer | string = '';
  let sequence = -1;
  let response: EventValue = {};
  let hasMessage = false;
  const readValue = (value: EventValue, event: Buffer): StreamEvent => {
    const { type } = value;
    if (Number.isSafeInteger(value.sequence_number)) sequence = Number(value.sequence_number);
    if (isRecord(value.response)) response = value.response;
    if (endTypes.includes(type)) {
      lastUpstreamEvent = event;
      return { kind: 'done', usage: usageOf(response), isFinish: true, value };
    }
    if (type === 'response.failed') return { kind: 'error', error: failureOf(response) };
    if (type === 'error')
      return { kind: 'error', error: readChatError({ error: value }) ?? unexplainedError };
    if (type !== 'response.output_item.added') return readDelta(value);
    const isFurtherMessage = hasMessage;
    hasMessage ||= isRecord(value.item) && value.item.type === 'message';
    return readItem(value, isFurtherMessage);
  };
  return {
    read: (event) => {
      const parsed = parseEvent(event);
      return parsed.kind === 'value' ? readValue(parsed.value, event) : parsed;
    },
    lastEvent: () => lastUpstreamEvent,
    errorEvent: (error, context) => failedEvent({ sequence, response }, error, context),
  };
}

/**
 * Text of one message can continue after a break. Reasoning before the message can also continue.
 */
function readItem(value: EventValue, isFurtherMessage: boolean): StreamEvent {
  const type = isRecord(value.item) ? value.item.type : null;
  if (type === 'reasoning') return invisibleEvent(value);
  if (type === 'message') return isFurtherMessage ? contentEvent(value, {}) : invisibleEvent(value);
  return contentEvent(value, {});
}

function readDelta(value: EventValue): StreamEvent {
  const { type, delta } = value;
  if (typeof delta !== 'string') {
    // A citation refers to a position in the text, which a continuation would shift.
    return type === 'response.output_text.annotation.added'
      ? contentEvent(value, {})
      : invisibleEvent(value);
  }
  if (type === 'response.output_text.delta') {
    return contentEvent(value, { written: delta, text: delta });
  }
  const isReasoning = String(type).startsWith('response.reasoning');
  return contentEvent(value, isReasoning ? { written: delta, text: '' } : { written: delta });
}

function failureOf(response: EventValue): ChatError {
  return readChatError({ error: response.error }) ?? unexplainedError;
}

/** True for text without probabilities, which can continue after a break. */
function mayContinue(request: ModelRequest): boolean {
  const { include, top_logprobs: logprobs } = request.body;
  const hasProbabilities =
    Array.isArray(include) && include.includes('message.output_text.logprobs');
  return !hasProbabilities && !isPresent(logprobs) && isKeepable(request);
}

function continuationBody(
  request: ModelRequest,
  delivered: string,
  { isPrefill, model }: ContinuationOptions,
): string {
  const addedTurns = continuationTurns(delivered, isPrefill);
  const { input } = request.body;
  const items =
    typeof input === 'string'
      ? JSON.stringify([{ role: 'user', content: input }, ...addedTurns])
      : appendEntries(memberText(request, 'input'), addedTurns);
  return editBody(request, model, { store: 'false', input: items });
}
