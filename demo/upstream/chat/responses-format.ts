// Writes the Responses format of OpenAI's API: complete responses, events, function calls, usage
// with cached and reasoning tokens.
import { type DemoTool, isHostedTool, lastText, replyTo } from './chat-format.ts';

const ARGUMENTS = ['{"place":', '"Harbour', ' Street"}'] as const;

export type ResponsesBody = {
  readonly model: string;
  readonly input: unknown;
  readonly stream?: boolean;
  readonly tools?: readonly DemoTool[];
};

/** Input items as turns of a conversation. */
export const turnsOf = ({ input }: ResponsesBody) =>
  (Array.isArray(input) ? input : [{ role: 'user', content: input }]) as {
    readonly role: string;
    readonly content?: unknown;
    readonly type?: string;
  }[];

function itemOf(body: ResponsesBody) {
  const turns = turnsOf(body);
  const functionTool = body.tools?.find((tool) => !isHostedTool(tool));
  const tool = turns.at(-1)?.type === 'function_call_output' ? null : (functionTool?.name ?? null);
  const words = replyTo(lastText({ messages: turns }));
  const text = words.join('');
  const item =
    tool === null
      ? {
          id: 'msg_demo',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }],
        }
      : {
          id: 'fc_demo',
          type: 'function_call',
          call_id: 'call_demo',
          name: tool,
          arguments: ARGUMENTS.join(''),
          status: 'completed',
        };
  return { item, tool, words };
}

function responseOf(body: ResponsesBody, status: 'in_progress' | 'completed') {
  const { item, words } = itemOf(body);
  const inputTokens = turnsOf(body).length * 7;
  const isCompleted = status === 'completed';
  return {
    id: 'resp_demo',
    object: 'response',
    created_at: 1_750_000_000,
    status,
    error: null,
    incomplete_details: null,
    model: body.model,
    output: isCompleted ? [...searchesOf(body), item] : [],
    parallel_tool_calls: true,
    store: false,
    usage: isCompleted
      ? {
          input_tokens: inputTokens,
          input_tokens_details: { cached_tokens: 2 },
          output_tokens: words.length,
          output_tokens_details: { reasoning_tokens: 1 },
          total_tokens: inputTokens + words.length,
        }
      : null,
  };
}

const searchesOf = ({ tools }: ResponsesBody) =>
  tools?.some(isHostedTool)
    ? ['one', 'two'].map((name) => ({
        id: `ws_${name}`,
        type: 'web_search_call',
        status: 'completed',
      }))
    : [];

export const wholeResponse = (body: ResponsesBody): object => responseOf(body, 'completed');

export function responseEvents(body: ResponsesBody): readonly string[] {
  const { item, tool, words } = itemOf(body);
  const itemPosition = { item_id: item.id, output_index: 0 };
  const textPosition = { ...itemPosition, content_index: 0 };
  const text = words.join('');
  const part = { type: 'output_text', text, annotations: [] };
  const parts =
    tool === null
      ? [
          { type: 'response.content_part.added', ...textPosition, part: { ...part, text: '' } },
          ...words.map((delta) => ({ type: 'response.output_text.delta', ...textPosition, delta })),
          { type: 'response.output_text.done', ...textPosition, text },
          { type: 'response.content_part.done', ...textPosition, part },
        ]
      : [
          ...ARGUMENTS.map((delta) => ({
            type: 'response.function_call_arguments.delta',
            ...itemPosition,
            delta,
          })),
          {
            type: 'response.function_call_arguments.done',
            ...itemPosition,
            arguments: ARGUMENTS.join(''),
          },
        ];
  const startedItem = tool === null ? { ...item, content: [] } : { ...item, arguments: '' };
  const events = [
    { type: 'response.created', response: responseOf(body, 'in_progress') },
    { type: 'response.in_progress', response: responseOf(body, 'in_progress') },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...startedItem, status: 'in_progress' },
    },
    ...parts,
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: responseOf(body, 'completed') },
  ];
  return events.map((event, index) => {
    const numbered = { ...event, sequence_number: index };
    return `event: ${event.type}\ndata: ${JSON.stringify(numbered)}\n\n`;
  });
}
