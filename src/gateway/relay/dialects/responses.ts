// The dialect `responses`: OpenAI's Responses, without any state at the upstream. Sources: types of
// OpenAI's Node SDK 7.55 (`ResponseCreateParamsBase`, `ResponseStreamEvent`, `ResponseUsage`).
import { Fault } from '../../../kernel/errors/fault.ts';
import { type ChatError, readChatError, unexplainedError } from '../chat-error.ts';
import { isRecord } from '../is-record.ts';
import { parseEvent } from '../stream/event-data.ts';
import { readOpenAiUsage, type TokenUsage, textBytesIn } from '../token-usage.ts';
import type { ApiDialect, ModelRequest, StreamEvent, StreamReader } from './dialect.ts';
import { refuseHostedTools } from './hosted-tools.ts';
import {
  checkLength,
  editedBody,
  invalidField,
  isGiven,
  type RequestBody,
  readCommonFields,
  refuseFields,
  refuseOtherDialect,
} from './request-fields.ts';
import { contentEvent, ignoredEvent } from './stream-events.ts';

export const responsesDialect: ApiDialect = {
  name: 'responses',
  kind: 'openai-responses',
  path: '/responses',
  maxBytes: 32 * 1024 * 1024,
  readRequest,
  upstreamBody: (request, { model }) => editedBody(request, model, { store: 'false' }),
  promptBytes: ({ body }) => textBytesIn(body.instructions) + inputBytes(body.input),
  refuseUnpriced: (request) => {
    refuseFields(request, ['speed', 'inference_geo']);
    refuseHostedTools(request.body.tools, ['function', 'custom']);
  },
  lengthFields: ['max_output_tokens'],
  readWhole: (value) => {
    const { status, output, usage } = value;
    const isWhole = status === 'completed' || status === 'incomplete';
    if (!isWhole || !Array.isArray(output)) return null;
    return { usage: readOpenAiUsage(usage), bytes: inputBytes(output) };
  },
  openReader: openResponsesReader,
  errorBody: (error) => ({ error }),
  continuation: null,
};

function readRequest(text: string): ModelRequest {
  const request = readCommonFields(text);
  const { body } = request;
  refuseOtherDialect(body, 'input');
  refuseState(body);
  const { input } = body;
  const isText = typeof input === 'string' && input !== '';
  if (!isText && !(Array.isArray(input) && input.length > 0)) {
    throw invalidField('input', 'must be a text or a list of items');
  }
  checkLength(body, 'max_output_tokens');
  const warnings = body.store === false ? [] : ['store=false'];
  return { ...request, choices: 1, wantsUsage: true, warnings };
}

/**
 * Relay contract, 1.3: unrelated customers share the operator's account at the upstream, so
 * references into that account do not pass.
 */
function refuseState(body: RequestBody): void {
  for (const name of ['previous_response_id', 'conversation', 'prompt']) {
    if (isGiven(body[name])) throw stateless(name);
  }
  if (body.background === true) throw stateless('background');
  const found = findReference(body.input, 'input') ?? findReference(body.tools, 'tools');
  if (found !== null) throw stateless(found);
}

const stateless = (param: string) =>
  new Fault(
    'stateless_only',
    `The field "${param}" refers to state at the provider. Send the content itself.`,
    { members: { param } },
  );

const references = new Set(['file_id', 'file_ids', 'container', 'vector_store_ids']);

/** The path of the first reference into the upstream's account; null: there is none. */
function findReference(value: unknown, path: string): string | null {
  if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) {
      const found = findReference(one, `${path}[${at}]`);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isRecord(value)) return null;
  if (value.type === 'item_reference') return path;
  for (const [name, one] of Object.entries(value)) {
    // Schemas and arguments of the client's own tools may use any name.
    if (name === 'parameters' || name === 'arguments' || name === 'output') continue;
    if (references.has(name) && isGiven(one)) return `${path}.${name}`;
    const found = findReference(one, `${path}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

/** Bytes of text of input or output items. */
function inputBytes(input: unknown): number {
  if (typeof input === 'string') return Buffer.byteLength(input);
  if (!Array.isArray(input)) return 0;
  return input.reduce((sum: number, item: unknown) => {
    if (!isRecord(item)) return sum;
    const { content, arguments: args, output, summary } = item;
    return (
      sum +
      [content, args, output, summary].reduce((all: number, part) => {
        return all + textBytesIn(part);
      }, 0)
    );
  }, 0);
}

const endTypes: readonly unknown[] = ['response.completed', 'response.incomplete'];

function openResponsesReader(): StreamReader {
  let last: Buffer | string = '';
  let sequence = -1;
  let response: Readonly<Record<string, unknown>> = {};
  const readValue = (value: Readonly<Record<string, unknown>>, event: Buffer): StreamEvent => {
    const { type, delta } = value;
    if (Number.isSafeInteger(value.sequence_number)) sequence = Number(value.sequence_number);
    if (isRecord(value.response)) response = value.response;
    if (endTypes.includes(type)) {
      last = event;
      const usage: TokenUsage | null = readOpenAiUsage(response.usage);
      return { kind: 'done', usage, isFinish: true };
    }
    if (type === 'response.failed') return { kind: 'error', error: failureOf(response) };
    if (type === 'error')
      return { kind: 'error', error: readChatError({ error: value }) ?? unexplainedError };
    if (typeof delta === 'string') return contentEvent({ bytes: Buffer.byteLength(delta) });
    const isCall = isRecord(value.item) && value.item.type !== 'message';
    return isCall && type === 'response.output_item.added'
      ? contentEvent({ bytes: 0 })
      : ignoredEvent;
  };
  return {
    read: (event) => {
      const parsed = parseEvent(event);
      return parsed.kind === 'value' ? readValue(parsed.value, event) : parsed;
    },
    lastEvent: () => last,
    errorEvent: ({ message, code }, { requestId }) => {
      const failed = {
        type: 'response.failed',
        sequence_number: sequence + 1,
        response: {
          id: response.id ?? requestId,
          object: 'response',
          created_at: response.created_at ?? 0,
          model: response.model ?? null,
          output: [],
          status: 'failed',
          error: { code: code ?? 'server_error', message },
        },
      };
      return `event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`;
    },
  };
}

function failureOf(response: Readonly<Record<string, unknown>>): ChatError {
  return readChatError({ error: response.error }) ?? unexplainedError;
}
