// The dialect `chat`: OpenAI's Chat Completions.

import { isRecord } from '../is-record.ts';
import { readChunk } from '../stream/read-chunk.ts';
import { completionBytesOf, promptBytesOf, readTokenUsage } from '../token-usage.ts';
import type {
  ApiDialect,
  ContinuationOptions,
  ModelRequest,
  UpstreamBodyOptions,
} from './dialect.ts';
import {
  editedBody,
  invalidField,
  isGiven,
  type RequestBody,
  readCommonFields,
  readTurns,
  refuseFields,
  refuseOtherDialect,
  unlessTooDeep,
} from './request-fields.ts';

export const chatDialect: ApiDialect = {
  name: 'chat',
  kind: 'openai-chat',
  path: '/chat/completions',
  maxBytes: 8 * 1024 * 1024,
  readRequest: readChatRequest,
  upstreamBody: chatUpstreamBody,
  promptBytes: ({ body }) => promptBytesOf(turnsOf(body)),
  refuseUnpriced: (request) => refuseFields(request, unpricedFields),
  lengthFields: ['max_completion_tokens', 'max_tokens'],
  readWhole: ({ choices, usage }) => {
    if (!Array.isArray(choices)) return null;
    const bytes = choices.reduce((sum: number, choice: unknown) => {
      return sum + (isRecord(choice) ? completionBytesOf(choice.message) : 0);
    }, 0);
    return { usage: readTokenUsage(usage), bytes };
  },
  openReader: () => ({
    read: readChunk,
    lastEvent: () => 'data: [DONE]\n\n',
    errorEvent: (error) => `data: ${JSON.stringify({ error })}\n\n`,
  }),
  errorBody: (error) => ({ error }),
  continuation: { mayContinue, body: continuationBody },
};

/** What makes a provider's call cost more and is in no price. */
const unpricedFields = ['speed', 'inference_geo', 'web_search_options'] as const;

const turnsOf = ({ messages }: RequestBody) => (Array.isArray(messages) ? messages : []);

/** Throws a Fault `invalid_request` that names the field. */
function readChatRequest(text: string): ModelRequest {
  const request = readCommonFields(text);
  refuseOtherDialect(request.body, 'messages');
  readTurns(request.body);
  const wantsUsage = streamOptionsOf(request.body).include_usage === true;
  return { ...request, choices: readChoices(request.body), wantsUsage };
}

/** Usage is requested in every stream: a charge by tokens and the records need it. */
function chatUpstreamBody(
  request: ModelRequest,
  { model, includeUsage }: UpstreamBodyOptions,
): string {
  return editedBody(request, model, usageOptions(request, includeUsage));
}

function usageOptions({ body, isStream, wantsUsage }: ModelRequest, includeUsage: boolean) {
  if (!isStream || !includeUsage || wantsUsage) return {};
  const options = { ...streamOptionsOf(body), include_usage: true };
  return { stream_options: unlessTooDeep(() => JSON.stringify(options)) };
}

const CHOICES_MAX = 128;

/** `best_of` multiplies the cost as `n` does and belongs to another endpoint: it is refused. */
function readChoices({ n, best_of: candidates }: RequestBody): number {
  if (isGiven(candidates) && candidates !== 1) {
    throw invalidField('best_of', 'is not supported: use "n"');
  }
  if (!isGiven(n)) return 1;
  // A number whose digits are kept, such as 1.0, is an object.
  const choices = typeof n === 'number' ? n : Number.NaN;
  if (Number.isInteger(choices) && choices >= 1 && choices <= CHOICES_MAX) return choices;
  throw invalidField('n', `must be a whole number from 1 to ${CHOICES_MAX}`);
}

function streamOptionsOf({ stream_options: options }: RequestBody) {
  if (!isGiven(options)) return {};
  if (isRecord(options)) return options;
  throw invalidField('stream_options', 'must be an object');
}

const BODY_MAX_CHARACTERS = 1024 * 1024;

/** Plain text of one choice alone can continue after a break. */
function mayContinue({ body, choices, text }: ModelRequest): boolean {
  const { logprobs, modalities, response_format: format } = body;
  if (choices !== 1 || logprobs === true) return false;
  if (Array.isArray(modalities) && modalities.some((name) => name !== 'text')) return false;
  const type = isRecord(format) && format.type;
  if (type !== false && type !== 'text') return false;
  return text.length <= BODY_MAX_CHARACTERS;
}

function continuationBody(
  request: ModelRequest,
  delivered: string,
  { isPrefill, model, includeUsage }: ContinuationOptions,
): string {
  const added: unknown[] = [{ role: 'assistant', content: delivered }];
  if (!isPrefill) added.push({ role: 'user', content: continueInstruction(delivered) });
  const turns = request.members.find(({ name }) => name === 'messages');
  const given = request.text.slice(turns?.valueStart, turns?.valueEnd);
  const messages = `${given.slice(0, given.lastIndexOf(']'))},${JSON.stringify(added).slice(1)}`;
  return editedBody(request, model, { ...usageOptions(request, includeUsage), messages });
}

const QUOTED_CHARACTERS = 200;

/** Anthropic's recommended words for continuing without a prefill. */
const continueInstruction = (delivered: string) =>
  'Your previous response was interrupted and ended with ' +
  `"${delivered.slice(-QUOTED_CHARACTERS)}". ` +
  'Continue from where you left off, without any preamble and without repeating anything.';
