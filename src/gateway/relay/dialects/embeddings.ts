// The dialect `embeddings`: OpenAI's Embeddings, which are never streamed. Source:
// `EmbeddingCreateParams` of OpenAI's Node SDK.
import { readTokenUsage } from '../token-usage.ts';
import { chatDialect } from './chat.ts';
import type { ApiDialect, ModelRequest } from './dialect.ts';
import {
  editBody,
  invalidField,
  readCommonFields,
  refuseFields,
  refuseOtherDialect,
} from './request-fields.ts';

const MAX_INPUTS = 2_048;

export const embeddingsDialect: ApiDialect = {
  name: 'embeddings',
  kind: 'embeddings',
  path: '/embeddings',
  maxBytes: 8 * 1024 * 1024,
  readRequest,
  upstreamBody: (request, { model }) => editBody(request, model),
  promptText: ({ body: { input } }) => inputText(input),
  refuseUnpriced: (request, { variants }) => refuseFields(request, [], variants),
  hostedTools: () => [],
  lengthFields: [],
  readCompleteResponse: ({ data, usage }) =>
    Array.isArray(data) ? { usage: readTokenUsage(usage), written: '' } : null,
  openReader: () => chatDialect.openReader(),
  errorBody: (error) => ({ error }),
  continuation: null,
};

function readRequest(text: string): ModelRequest {
  const request = readCommonFields(text);
  const { body } = request;
  refuseOtherDialect(body, 'input');
  if (request.isStream) throw invalidField('stream', 'must be false: embeddings are not streamed');
  const { input } = body;
  if (!isInput(input)) {
    throw invalidField('input', 'must be a text, a list of texts, or a list of tokens');
  }
  // A list of numbers contains the tokens of one input.
  if (Array.isArray(input) && typeof input[0] !== 'number') {
    if (input.length > MAX_INPUTS) {
      throw invalidField('input', `must have at most ${MAX_INPUTS} entries`);
    }
    const invalidIndex = input.findIndex((entry: unknown) => !isInput(entry));
    if (invalidIndex >= 0) {
      throw invalidField(
        `input[${invalidIndex}]`,
        'must be a text that is not empty, or its tokens',
      );
    }
  }
  refuseManyTokens(input);
  return { ...request, choices: 1, wantsUsage: true };
}

const MAX_TOKENS_PER_INPUT = 8_192;
const MAX_TOKENS = 300_000;

/** Counts only lists of tokens. The upstream refuses texts that are too long. */
function refuseManyTokens(input: unknown): void {
  if (!Array.isArray(input)) return;
  const lists = typeof input[0] === 'number' ? [input] : input;
  const counts = lists.map((list: unknown) => (Array.isArray(list) ? list.length : 0));
  const longIndex = counts.findIndex((count) => count > MAX_TOKENS_PER_INPUT);
  if (longIndex >= 0) {
    const field = lists.length === 1 ? 'input' : `input[${longIndex}]`;
    throw invalidField(field, `must have at most ${MAX_TOKENS_PER_INPUT} tokens`);
  }
  if (counts.reduce((sum, count) => sum + count, 0) > MAX_TOKENS) {
    throw invalidField('input', `must have at most ${MAX_TOKENS} tokens in all`);
  }
}

/** True for a text or a list that is not empty. */
const isInput = (value: unknown) =>
  (typeof value === 'string' || Array.isArray(value)) && value.length > 0;

/** Replaces each token id by a word of one letter, which counts as one token. */
function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input === 'number') return ' a';
  if (!Array.isArray(input)) return '';
  return input.map(inputText).join('');
}
