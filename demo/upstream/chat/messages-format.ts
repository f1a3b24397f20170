// Writes the Messages format of Anthropic's API: complete responses, events, tool calls, usage with
// cached tokens.
import { type ChatBody, isHostedTool, lastText, replyTo } from './chat-format.ts';

const ARGUMENTS = ['{"place":', '"Harbour', ' Street"}'] as const;
/** A request with a text that `cache_control` marks reports this number of cached tokens. */
const CACHED_TOKENS = 11;

function replyPartsOf(body: ChatBody) {
  const isAnswered = JSON.stringify(body.messages.at(-1)).includes('tool_result');
  const clientTool = body.tools?.find((tool) => !isHostedTool(tool));
  const tool = isAnswered ? null : (clientTool?.name ?? null);
  const isCached = JSON.stringify(body).includes('cache_control');
  return { tool, words: replyTo(lastText(body)), isCached };
}

function usageOf(body: ChatBody, outputCount: number) {
  const { isCached } = replyPartsOf(body);
  return {
    input_tokens: body.messages.length * 7,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: isCached ? CACHED_TOKENS : 0,
    output_tokens: outputCount,
    ...(body.tools?.some(isHostedTool) && { server_tool_use: { web_search_requests: 2 } }),
  };
}

const head = ({ model }: ChatBody) => ({
  id: 'msg_demo',
  type: 'message',
  role: 'assistant',
  model,
});

const outputTokens = (tool: string | null, words: readonly string[]) =>
  tool === null ? words.length : ARGUMENTS.length;

export function wholeMessage(body: ChatBody): object {
  const { tool, words } = replyPartsOf(body);
  const content =
    tool === null
      ? [{ type: 'text', text: words.join('') }]
      : [{ type: 'tool_use', id: 'toolu_demo', name: tool, input: JSON.parse(ARGUMENTS.join('')) }];
  return {
    ...head(body),
    content,
    stop_reason: tool === null ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: usageOf(body, outputTokens(tool, words)),
  };
}

export function messageEvents(body: ChatBody): readonly string[] {
  const { tool, words } = replyPartsOf(body);
  const block =
    tool === null
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: 'toolu_demo', name: tool, input: {} };
  const deltas =
    tool === null
      ? words.map((text) => ({ type: 'text_delta', text }))
      : ARGUMENTS.map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
  const events = [
    {
      type: 'message_start',
      message: {
        ...head(body),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: usageOf(body, 1),
      },
    },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'ping' },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: tool === null ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: outputTokens(tool, words) },
    },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}
