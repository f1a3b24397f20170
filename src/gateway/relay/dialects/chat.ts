// The dialect `chat`: OpenAI's Chat Completions.

import { isRecord } from '../is-record.ts';
import { openChunkReader } from '../stream/read-chunk.ts';
import { completionTextOf, promptTextOf, readTokenUsage } from '../token-usage.ts';
import { editMembers, readMembers } from './body-members.ts';
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
  ModelRequest,
  UpstreamBodyOptions,
} from './dialect.ts';
import { CHAT_DONE, chatErrorEvent, openChatJoiner } from './join-chat.ts';
import { refuseReferences } from './refuse-references.ts';
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

const lengthFields = ['max_completion_tokens', 'max_tokens'] as const;

export const chatDialect: ApiDialect = {
  name: 'chat',
  kind: 'openai-chat',
  path: '/chat/completions',
  maxBytes: 8 * 1024 * 1024,
  readRequest: readChatRequest,
  upstreamBody: toUpstreamBody,
  promptText: ({ body }) => promptTextOf(turnTextsOf(body)),
  refuseUnpriced: (request, { variants }) =>
    refuseFields(request, ['web_search_options'], variants),
  hostedTools: () => [],
  lengthFields,
  readCompleteResponse: ({ choices, usage, service_tier: tier }) => {
    if (!Array.isArray(choices) || choices.length === 0) return null;
    if (!choices.every((choice) => isRecord(choice) && hasEnded(choice))) return null;
    const written = choices.reduce((all: string, choice: unknown) => {
      return all + (isRecord(choice) ? completionTextOf(choice.message) : '');
    }, '');
    return { usage: readTokenUsage(usage, tier), written };
  },
  openReader: () => ({
    read: openChunkReader(),
    lastEvent: () => CHAT_DONE,
    errorEvent: chatErrorEvent,
  }),
  errorBody: (error) => ({ error }),
  continuation: {
    mayContinue,
    needsPrefill: ({ body }) => !isPlainFormat(body.response_format),
    body: toContinuationBody,
    openJoiner: openChatJoiner,
  },
};

/** Without a finish reason the choice may be incomplete. Relay contract, 3.3. */
const hasEnded = ({ finish_reason: reason }: EventValue) => typeof reason === 'string';

const turnTextsOf = ({ messages }: RequestBody) => (Array.isArray(messages) ? messages : []);

/** Throws a Fault `invalid_request` that names the field. */
function readChatRequest(text: string): ModelRequest {
  const request = readCommonFields(text);
  refuseOtherDialect(request.body, 'messages');
  readTurns(request.body);
  refuseReferences(request, ['messages', 'tools']);
  for (const name of lengthFields) checkTokenLimit(request.body, name);
  const wantsUsage = readStreamOptions(request).include_usage === true;
  return { ...request, choices: readChoices(request.body), wantsUsage };
}

/** Requests usage in streams, because charges by tokens and the records require it. */
function toUpstreamBody(
  request: ModelRequest,
  { model, includeUsage }: UpstreamBodyOptions,
): string {
  return editBody(request, model, usageOptions(request, includeUsage));
}

function usageOptions(request: ModelRequest, includeUsage: boolean) {
  const { body, isStream, wantsUsage } = request;
  if (!isStream || !includeUsage || wantsUsage) return {};
  const name = 'stream_options';
  const options = isPresent(body[name]) ? memberText(request, name) : '{}';
  const edits = { values: { include_usage: 'true' }, removed: [] };
  return { stream_options: editMembers(options, readMembers(options), edits) };
}

const MAX_CHOICES = 128;

/** `best_of` multiplies the cost like `n` and belongs to another endpoint, so it is refused. */
function readChoices({ n, best_of: candidates }: RequestBody): number {
  if (isPresent(candidates) && candidates !== 1) {
    throw invalidField('best_of', 'is not supported: use "n"');
  }
  if (!isPresent(n)) return 1;
  const choices = typeof n === 'number' ? n : Number.NaN;
  if (Number.isInteger(choices) && choices >= 1 && choices <= MAX_CHOICES) return choices;
  throw invalidField('n', `must be a whole number from 1 to ${MAX_CHOICES}`);
}

/** Throws also for a repeated member, because the relay edits these options. */
function readStreamOptions(request: Pick<ModelRequest, 'body' | 'text' | 'members'>) {
  const { stream_options: options } = request.body;
  if (!isPresent(options)) return {};
  if (isRecord(options)) {
    readMembers(memberText(request, 'stream_options'));
    return options;
  }
  throw invalidField('stream_options', 'must be an object');
}

/** True for plain text of a single choice, which can continue after a break. */
function mayContinue(request: ModelRequest): boolean {
  const { logprobs, modalities } = request.body;
  if (request.choices !== 1 || logprobs === true) return false;
  if (Array.isArray(modalities) && modalities.some((name) => name !== 'text')) return false;
  return isKeepable(request);
}

function toContinuationBody(
  request: ModelRequest,
  delivered: string,
  { isPrefill, model, includeUsage }: ContinuationOptions,
): string {
  const messages = appendEntries(
    memberText(request, 'messages'),
    continuationTurns(delivered, isPrefill),
  );
  return editBody(request, model, { ...usageOptions(request, includeUsage), messages });
}
