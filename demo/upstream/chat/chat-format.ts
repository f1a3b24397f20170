// Writes the chat-completions format of providers: complete responses, chunks, tool calls, usage.

export type ChatBody = {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
  readonly tools?: readonly (DemoTool & { readonly function?: DemoTool })[];
};

export type DemoTool = { readonly name?: string; readonly type?: string };

/** A tool that the provider runs itself. */
export const isHostedTool = ({ type }: DemoTool): boolean =>
  type?.startsWith('web_search') === true;

export type ChatReply = {
  readonly words: readonly string[];
  /** Null: a text reply; otherwise the name of the tool to call. */
  readonly tool: string | null;
};

const ARGUMENTS = ['{"place":', '"Harbour', ' Street"}'] as const;

/** The text of the last message. */
export function lastText({ messages }: Pick<ChatBody, 'messages'>): string {
  const content = messages.at(-1)?.content;
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as { readonly text?: string }[]) : [];
  return parts.map(({ text = '' }) => text).join(' ');
}

/** The reply to any message: a repetition of its text, or a call of the first tool. */
function replyOf(body: ChatBody): ChatReply {
  const isAnswered = body.messages.at(-1)?.role === 'tool';
  const tool = isAnswered ? null : (body.tools?.[0]?.function?.name ?? null);
  return { words: replyTo(lastText(body)), tool };
}

/** The words of a reply, without the words that control this server. */
export function replyTo(prompt: string): readonly string[] {
  const text = prompt
    .replaceAll(/upstream:\S+/g, '')
    .trim()
    .slice(0, 200);
  return ['You said', ': ', ...text.split(/(?<= )/), ' – 好的', '.'];
}

function usageOf(body: ChatBody, reply: ChatReply) {
  const promptTokens = body.messages.length * 7;
  const completionTokens = reply.tool === null ? reply.words.length : ARGUMENTS.length;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}

const head = ({ model }: ChatBody, object: string) => {
  return { id: 'chatcmpl-demo', object, created: 1_750_000_000, model, system_fingerprint: 'fp_1' };
};

const callOf = (name: string, args: string) => ({
  id: 'call_demo',
  type: 'function',
  function: { name, arguments: args },
});

export function wholeCompletion(body: ChatBody): object {
  const reply = replyOf(body);
  const isCall = reply.tool !== null;
  const message = {
    role: 'assistant',
    content: isCall ? null : reply.words.join(''),
    refusal: null,
    ...(reply.tool !== null && { tool_calls: [callOf(reply.tool, ARGUMENTS.join(''))] }),
  };
  const reason = isCall ? 'tool_calls' : 'stop';
  return {
    ...head(body, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: reason }],
    usage: usageOf(body, reply),
  };
}

/** Every event of a stream, including `[DONE]`. */
export function streamOf(body: ChatBody): readonly string[] {
  const reply = replyOf(body);
  const hasUsage = body.stream_options?.include_usage === true;
  const event = (value: object) =>
    `data: ${JSON.stringify({ ...head(body, 'chat.completion.chunk'), ...value })}\n\n`;
  const delta = (fields: object, reason: string | null = null) =>
    event({
      choices: [{ index: 0, delta: fields, logprobs: null, finish_reason: reason }],
      // When usage is requested, providers write null into every other chunk.
      ...(hasUsage && { usage: null }),
    });
  const { tool } = reply;
  const parts =
    tool === null
      ? reply.words.map((content) => delta({ content }))
      : [
          delta({ tool_calls: [{ index: 0, ...callOf(tool, '') }] }),
          ...ARGUMENTS.map((piece) =>
            delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] }),
          ),
        ];
  return [
    delta({ role: 'assistant', content: tool === null ? '' : null, refusal: null }),
    ...parts,
    delta({}, tool === null ? 'stop' : 'tool_calls'),
    ...(hasUsage ? [event({ choices: [], usage: usageOf(body, reply) })] : []),
    'data: [DONE]\n\n',
  ];
}
