// The dialect `messages`: Anthropic's Messages. Source: types of
// anthropics/anthropic-sdk-typescript (`resources/messages/messages.ts`).
import { type ChatError, readChatError, unexplainedError } from '../chat-error.ts';
import { isRecord } from '../is-record.ts';
import { parseEvent } from '../stream/event-data.ts';
import { type AnthropicUsage, mergeUsage, textBytesIn, usageOfMessages } from '../token-usage.ts';
import type {
  ApiDialect,
  ErrorContext,
  ModelRequest,
  StreamEvent,
  StreamReader,
} from './dialect.ts';
import { refuseHostedTools } from './hosted-tools.ts';
import {
  checkLength,
  editedBody,
  invalidField,
  isGiven,
  type RequestBody,
  readCommonFields,
  readTurns,
  refuseFields,
  refuseOtherDialect,
} from './request-fields.ts';
import { contentEvent, ignoredEvent } from './stream-events.ts';

export const messagesDialect: ApiDialect = {
  name: 'messages',
  kind: 'anthropic-messages',
  path: '/messages',
  maxBytes: 32 * 1024 * 1024,
  readRequest: (text) => {
    const request = readConversation(text);
    const { max_tokens: limit } = request.body;
    if (!isGiven(limit)) throw invalidField('max_tokens', 'is required');
    checkLength(request.body, 'max_tokens');
    return request;
  },
  upstreamBody: (request, { model }) => editedBody(request, model),
  promptBytes: ({ body }) => conversationBytes(body),
  refuseUnpriced: (request) => {
    refuseFields(request, ['speed', 'inference_geo', 'container', 'mcp_servers']);
    refuseHostedTools(request.body.tools, clientTools);
  },
  lengthFields: ['max_tokens'],
  readWhole: ({ content, stop_reason: reason, usage }) => {
    if (!Array.isArray(content) || typeof reason !== 'string') return null;
    return { usage: usageOfMessages(mergeUsage(null, usage)), bytes: contentBytes(content) };
  },
  openReader: openMessagesReader,
  errorBody,
  continuation: null,
};

/** Tools without a type, and those of Anthropic's that the client itself runs. */
const clientTools = [
  'custom',
  ...['bash_20250124', 'text_editor_20250124', 'text_editor_20250429', 'text_editor_20250728'],
  ...['computer_20250124', 'computer_20251124', 'memory_20250818'],
];

/** A conversation whose length of response is not limited: also what is only counted. */
export function readConversation(text: string): ModelRequest {
  const request = readCommonFields(text);
  refuseOtherDialect(request.body, 'messages');
  readTurns(request.body);
  return { ...request, choices: 1, wantsUsage: true };
}

export function conversationBytes({ system, messages }: RequestBody): number {
  const turns = Array.isArray(messages) ? messages : [];
  return turns.reduce(
    (sum: number, turn: unknown) => sum + (isRecord(turn) ? contentBytes(turn.content) : 0),
    textBytesIn(system),
  );
}

/** Bytes of text in content blocks: text, thinking, calls of tools and their results. */
function contentBytes(content: unknown): number {
  if (!Array.isArray(content)) return textBytesIn(content);
  return content.reduce((sum: number, block: unknown) => {
    if (!isRecord(block)) return sum;
    const { text, thinking, input, content: result } = block;
    const call = isRecord(input) ? Buffer.byteLength(JSON.stringify(input)) : 0;
    return sum + textBytesIn(text) + textBytesIn(thinking) + call + contentBytes(result);
  }, 0);
}

function openMessagesReader(): StreamReader {
  let usage: AnthropicUsage | null = null;
  let last: Buffer | string = '';
  const readValue = (value: Readonly<Record<string, unknown>>, event: Buffer): StreamEvent => {
    switch (value.type) {
      case 'ping':
        return { kind: 'comment' };
      case 'error':
        return { kind: 'error', error: readChatError(value) ?? unexplainedError };
      case 'message_start':
        if (isRecord(value.message)) usage = mergeUsage(usage, value.message.usage);
        return { ...ignoredEvent, usage: usageOfMessages(usage) } as StreamEvent;
      case 'message_delta': {
        // Its counts are cumulative: the last one of each field holds.
        usage = mergeUsage(usage, value.usage);
        const isFinish = isRecord(value.delta) && typeof value.delta.stop_reason === 'string';
        return contentEvent({ bytes: 0, isFinish, usage: usageOfMessages(usage) });
      }
      case 'message_stop':
        last = event;
        return { kind: 'done', usage: usageOfMessages(usage), isFinish: false };
      case 'content_block_start': {
        const block = value.content_block;
        const isCall = isRecord(block) && block.type !== 'text' && block.type !== 'thinking';
        return isCall ? contentEvent({ bytes: 0 }) : ignoredEvent;
      }
      case 'content_block_delta':
        return contentEvent({ bytes: deltaBytes(value.delta) });
      default:
        return ignoredEvent;
    }
  };
  return {
    read: (event) => {
      const parsed = parseEvent(event);
      return parsed.kind === 'value' ? readValue(parsed.value, event) : parsed;
    },
    lastEvent: () => last,
    errorEvent: (error, context) =>
      `event: error\ndata: ${JSON.stringify(errorBody(error, context))}\n\n`,
  };
}

function deltaBytes(delta: unknown): number {
  if (!isRecord(delta)) return 0;
  const { text, thinking, partial_json: json } = delta;
  return textBytesIn(text) + textBytesIn(thinking) + textBytesIn(json);
}

function errorBody(error: ChatError, { requestId, status }: ErrorContext): object {
  const { message, type: _type, ...others } = error;
  return {
    type: 'error',
    error: { type: typeOf(status), message, ...others },
    request_id: requestId,
  };
}

/** Source: Anthropic's documentation of errors. */
function typeOf(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 402:
      return 'billing_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 413:
      return 'request_too_large';
    case 429:
      return 'rate_limit_error';
    case 503:
    case 529:
      return 'overloaded_error';
    case 504:
      return 'timeout_error';
    default:
      return status >= 500 ? 'api_error' : 'invalid_request_error';
  }
}
