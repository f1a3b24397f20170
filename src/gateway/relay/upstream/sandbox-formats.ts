// Builds the responses of the sandbox in each dialect, complete or as a stream.
import type { DialectName } from '../dialects/dialect.ts';
import { tokensOf } from '../token-usage.ts';

export type SandboxReply = {
  readonly model: string;
  readonly words: readonly string[];
  readonly promptBytes: number;
  readonly id: string;
  /** Epoch seconds. */
  readonly createdAt: number;
  /** Inputs of an embeddings request. */
  readonly inputs: number;
};

type SandboxFormat = {
  responseBody(reply: SandboxReply): object;
  stream(reply: SandboxReply): readonly string[];
};

const dataEvent = (value: object) => `data: ${JSON.stringify(value)}\n\n`;

const namedEvent = (value: { readonly type: string; readonly [name: string]: unknown }) =>
  `event: ${value.type}\n${dataEvent(value)}`;

const chatHead = ({ id, createdAt, model }: SandboxReply, object: string) => ({
  id: `chatcmpl-${id}`,
  object,
  created: createdAt,
  model,
});

function chatUsage({ promptBytes, words }: SandboxReply) {
  const prompt = tokensOf(promptBytes);
  return {
    prompt_tokens: prompt,
    completion_tokens: words.length,
    total_tokens: prompt + words.length,
  };
}

const chat: SandboxFormat = {
  responseBody: (reply) => {
    const message = { role: 'assistant', content: reply.words.join('') };
    return {
      ...chatHead(reply, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: chatUsage(reply),
    };
  },
  stream: (reply) => {
    const event = (value: object) =>
      dataEvent({ ...chatHead(reply, 'chat.completion.chunk'), ...value });
    const delta = (fields: object, reason: string | null = null) =>
      event({ choices: [{ index: 0, delta: fields, finish_reason: reason }] });
    return [
      delta({ role: 'assistant', content: '' }),
      ...reply.words.map((content) => delta({ content })),
      delta({}, 'stop'),
      event({ choices: [], usage: chatUsage(reply) }),
      'data: [DONE]\n\n',
    ];
  },
};

function responseOf({ id, createdAt, model, words, promptBytes }: SandboxReply, status: string) {
  const content = [{ type: 'output_text', text: words.join(''), annotations: [] }];
  const message = { id: `msg_${id}`, type: 'message', status, role: 'assistant', content };
  const prompt = tokensOf(promptBytes);
  const isComplete = status === 'completed';
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: createdAt,
    status,
    model,
    output: isComplete ? [message] : [],
    usage: isComplete
      ? {
          input_tokens: prompt,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: words.length,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: prompt + words.length,
        }
      : null,
    store: false,
  };
}

const responses: SandboxFormat = {
  responseBody: (reply) => responseOf(reply, 'completed'),
  stream: (reply) => {
    const id = `msg_${reply.id}`;
    const at = { item_id: id, output_index: 0, content_index: 0 };
    const text = reply.words.join('');
    const part = { type: 'output_text', text, annotations: [] };
    const item = { id, type: 'message', role: 'assistant' };
    const events = [
      { type: 'response.created', response: responseOf(reply, 'in_progress') },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, status: 'in_progress', content: [] },
      },
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      ...reply.words.map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
      { type: 'response.output_text.done', ...at, text },
      { type: 'response.content_part.done', ...at, part },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...item, status: 'completed', content: [part] },
      },
      { type: 'response.completed', response: responseOf(reply, 'completed') },
    ];
    return events.map((event, index) => namedEvent({ ...event, sequence_number: index }));
  },
};

function messageOf({ id, model, words, promptBytes }: SandboxReply) {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: words.join('') }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: tokensOf(promptBytes),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: words.length,
    },
  };
}

const messages: SandboxFormat = {
  responseBody: messageOf,
  stream: (reply) => {
    const message = messageOf(reply);
    const start = {
      ...message,
      content: [],
      stop_reason: null,
      usage: { ...message.usage, output_tokens: 1 },
    };
    const delta = (text: string) => ({ type: 'text_delta', text });
    return [
      namedEvent({ type: 'message_start', message: start }),
      namedEvent({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: '' },
      }),
      ...reply.words.map((text) =>
        namedEvent({ type: 'content_block_delta', index: 0, delta: delta(text) }),
      ),
      namedEvent({ type: 'content_block_stop', index: 0 }),
      namedEvent({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: reply.words.length },
      }),
      namedEvent({ type: 'message_stop' }),
    ];
  },
};

const VECTOR = [0.6, -0.8];

const embeddings: SandboxFormat = {
  responseBody: ({ model, promptBytes, inputs }) => {
    const prompt = tokensOf(promptBytes);
    return {
      object: 'list',
      data: Array.from({ length: inputs }, (_, index) => ({
        object: 'embedding',
        index,
        embedding: VECTOR,
      })),
      model,
      usage: { prompt_tokens: prompt, total_tokens: prompt },
    };
  },
  stream: () => [],
};

export const sandboxFormats: Readonly<Record<DialectName, SandboxFormat>> = {
  chat,
  responses,
  messages,
  embeddings,
};
