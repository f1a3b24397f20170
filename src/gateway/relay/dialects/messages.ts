// The dialect `messages`: Anthropic's Messages. Source: types of
// anthropics/anthropic-sdk-typescript (`resources/messages/messages.ts`).
import { readChatError, unexplainedError } from '../chat-error.ts';
import { isRecord } from '../is-record.ts';
import { parseEvent } from '../stream/event-data.ts';
import { type AnthropicUsage, collectText, mergeUsage, usageOfMessages } from '../token-usage.ts';
import {
  appendEntries,
  continuationTurns,
  isKeepable,
  isPlainFormat,
  memberText,
} from './continuation.ts';
import type {
  ApiDialect,
  EventValue,
  HostedTool,
  ModelRequest,
  StreamEvent,
  StreamReader,
} from './dialect.ts';
import { readHostedTools, refuseUnpricedTools } from './hosted-tools.ts';
import { MESSAGE_STOP, messagesErrorEvent, openMessagesJoiner } from './join-messages.ts';
import { messagesError } from './messages-error.ts';
import { refuseReferences } from './refuse-references.ts';
import { messagesWithoutRelayThinking } from './remove-thinking.ts';
import {
  checkTokenLimit,
  editBody,
  invalidField,
  isPresent,
  type RequestBody,
  readCommonFields,
  readTurns,
  refuseFields,
  refuseOtherDialect,
} from './request-fields.ts';
import { contentEvent, invisibleEvent } from './stream-events.ts';

export const messagesDialect: ApiDialect = {
  name: 'messages',
  kind: 'anthropic-messages',
  path: '/messages',
  maxBytes: 32 * 1024 * 1024,
  readRequest: (text) => {
    const request = readConversation(text);
    const { max_tokens: limit } = request.body;
    if (!isPresent(limit)) throw invalidField('max_tokens', 'is required');
    checkTokenLimit(request.body, 'max_tokens');
    return request;
  },
  upstreamBody: (request, { model }) => editBody(request, model, removeRelayThinking(request)),
  promptText: ({ body }) => conversationText(body),
  refuseUnpriced: (request, { variants, tools }) => {
    refuseFields(request, ['mcp_servers'], variants);
    refuseUnpricedTools(hostedToolsOf(request), tools);
  },
  hostedTools: hostedToolsOf,
  lengthFields: ['max_tokens'],
  readCompleteResponse: ({ content, stop_reason: reason, usage }) => {
    if (!Array.isArray(content) || typeof reason !== 'string') return null;
    return { usage: usageOfMessages(mergeUsage(null, usage)), written: contentText(content) };
  },
  openReader: openMessagesReader,
  errorBody: messagesError,
  continuation: {
    mayContinue: isKeepable,
    needsPrefill: ({ body: { output_config: config, output_format: format } }) =>
      !(isPlainFormat(format) && isPlainFormat(isRecord(config) && config.format)),
    body: (request, delivered, { isPrefill, model }) => {
      const messagesWithoutThinking = messagesWithoutRelayThinking(request);
      const messages = appendEntries(
        messagesWithoutThinking,
        continuationTurns(delivered, isPrefill),
      );
      return editBody(request, model, { messages });
    },
    openJoiner: openMessagesJoiner,
  },
};

/**
 * Returns the edit that removes thinking with the relay's own signature. Empty: the request
 * contains no such thinking.
 */
function removeRelayThinking(request: ModelRequest): Readonly<Record<string, string>> {
  const messages = messagesWithoutRelayThinking(request);
  return messages === memberText(request, 'messages') ? {} : { messages };
}

/** Types of tools that the client runs: its own tools (`custom`) and tools of Anthropic. */
const clientToolTypes = [
  'custom',
  ...['bash_20250124', 'text_editor_20250124', 'text_editor_20250429', 'text_editor_20250728'],
  ...['computer_20250124', 'computer_20251124', 'memory_20250818'],
];

function hostedToolsOf({ body }: ModelRequest): readonly HostedTool[] {
  return readHostedTools(body.tools, {
    clientToolTypes,
    callsMaxOf: ({ max_uses: limit }) => limit,
  });
}

/** Reads a conversation without requiring `max_tokens`. Requests that count tokens lack it. */
export function readConversation(text: string): ModelRequest {
  const request = readCommonFields(text);
  refuseOtherDialect(request.body, 'messages');
  readTurns(request.body);
  refuseReferences(request, ['messages', 'system', 'tools'], ['container']);
  return { ...request, choices: 1, wantsUsage: true };
}

export function conversationText({ system, messages }: RequestBody): string {
  const turns = Array.isArray(messages) ? messages : [];
  return turns.reduce(
    (all: string, turn: unknown) => (isRecord(turn) ? all + contentText(turn.content) : all),
    collectText(system),
  );
}

/** Returns the text in content blocks: text, thinking, calls of tools and their results. */
function contentText(content: unknown): string {
  if (!Array.isArray(content)) return collectText(content);
  return content.reduce((all: string, block: unknown) => {
    if (!isRecord(block)) return all;
    const { text, thinking, input, content: result } = block;
    const call = isRecord(input) ? JSON.stringify(input) : '';
    return all + collectText(text) + collectText(thinking) + call + contentText(result);
  }, '');
}

function openMessagesReader(): StreamReader {
  let usage: AnthropicUsage | null = null;
  let isFinish = false;
  // Some servers send no `message_stop` after the stop reason, so the relay sends its own event.
  let lastUpstreamEvent: Buffer | string = MESSAGE_STOP;
  const readValue = (value: EventValue, event: Buffer): StreamEvent => {
    switch (value.type) {
      case 'ping':
        return { kind: 'comment' };
      case 'error':
        return { kind: 'error', error: readChatError(value) ?? unexplainedError };
      case 'message_start':
        if (isRecord(value.message)) usage = mergeUsage(usage, value.message.usage);
        return invisibleEvent(value, usageOfMessages(usage));
      case 'message_delta': {
        // Counts are cumulative, so the last value of each field applies.
        usage = mergeUsage(usage, value.usage);
        isFinish ||= isRecord(value.delta) && typeof value.delta.stop_reason === 'string';
        return contentEvent(value, { text: '', isFinish, usage: usageOfMessages(usage) });
      }
      case 'message_stop':
        lastUpstreamEvent = event;
        return { kind: 'done', usage: usageOfMessages(usage), isFinish, value };
      case 'content_block_start':
        return readBlock(value);
      case 'content_block_delta':
        return readDelta(value);
      default:
        return invisibleEvent(value);
    }
  };
  return {
    read: (event) => {
      const parsed = parseEvent(event);
      return parsed.kind === 'value' ? readValue(parsed.value, event) : parsed;
    },
    lastEvent: () => lastUpstreamEvent,
    errorEvent: messagesErrorEvent,
  };
}

/** A stream can continue after a break inside plain text, or inside thinking before any text. */
function readBlock(value: EventValue): StreamEvent {
  const block = isRecord(value.content_block) ? value.content_block : {};
  if (block.type === 'text') {
    const text = collectText(block.text);
    return text === '' ? invisibleEvent(value) : contentEvent(value, { written: text, text });
  }
  const isThinking = block.type === 'thinking' || block.type === 'redacted_thinking';
  return isThinking ? invisibleEvent(value) : contentEvent(value, {});
}

function readDelta(value: EventValue): StreamEvent {
  const delta = isRecord(value.delta) ? value.delta : {};
  switch (delta.type) {
    case 'text_delta': {
      const text = collectText(delta.text);
      return contentEvent(value, { written: text, text });
    }
    case 'thinking_delta':
      return contentEvent(value, { written: collectText(delta.thinking), text: '' });
    case 'signature_delta':
      return invisibleEvent(value);
    default:
      return contentEvent(value, { written: collectText(delta.partial_json) });
  }
}
