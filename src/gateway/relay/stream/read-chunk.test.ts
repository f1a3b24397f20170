import { expect, test } from 'vitest';
import { openChunkReader, withoutNullUsage } from './read-chunk.ts';

const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 };
const used = { prompt: 3, completion: 5 };
const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

test.each([
  [': keep-alive\n\n', { kind: 'comment' }],
  ['data: [DONE]\n\n', { kind: 'done' }],
  ['data:[DONE]\r\n\r\n', { kind: 'done' }],
  ['data: [DONE]', { kind: 'done' }],
  [data({ choices: [], usage }), { kind: 'usage', usage: used }],
  [data({ choices: null, usage }), { kind: 'usage', usage: used }],
  [data({ usage }), { kind: 'usage', usage: used }],
  [
    data({ choices: [], prompt_filter_results: [] }),
    { kind: 'content', written: '', isFinish: false, usage: null, hasNullUsage: false },
  ],
  [
    data({ choices: [{ delta: { content: 'Grüße' } }], usage: null }),
    { kind: 'content', written: 'Grüße', isFinish: false, usage: null, hasNullUsage: true },
  ],
  [
    data({ choices: [{ delta: {}, finish_reason: 'stop' }], usage }),
    { kind: 'content', written: '', isFinish: true, usage: used, hasNullUsage: false },
  ],
  [
    data({ choices: [{ delta: { tool_calls: [{ function: { arguments: '{"a":1}' } }] } }] }),
    { kind: 'content', written: '{"a":1}', isFinish: false, usage: null, hasNullUsage: false },
  ],
  [
    'event: message\ndata: {"choices":\ndata: []}\n\n',
    { kind: 'content', written: '', isFinish: false, usage: null, hasNullUsage: false },
  ],
  [
    data({ error: { message: 'Full.', type: 'server_error', code: 503 } }),
    {
      kind: 'error',
      error: { message: 'Full.', type: 'server_error', param: null, code: '503' },
    },
  ],
  ['data: {"choi\n\n', { kind: 'broken', problem: 'an event that is not JSON' }],
  [data({ choices: 'none' }), { kind: 'broken', problem: '"choices" is no list' }],
])('reads the event %j', (event, chunk) => {
  expect(openChunkReader()(Buffer.from(event))).toMatchObject(chunk);
});

test.each([
  ['{"id":"a","choices":[],"usage":null}', '{"id":"a","choices":[]}'],
  ['{"usage" : null, "choices":[]}', '{ "choices":[]}'],
  ['{"choices":[{"text":",\\"usage\\":null}"}]}', '{"choices":[{"text":",\\"usage\\":null}"}]}'],
])('removes only a null usage member: %s', (event, expected) => {
  expect(withoutNullUsage(Buffer.from(event)).toString()).toBe(expected);
});

test.each([
  ['text', { delta: { content: 'Hi' } }, true, 'Hi'],
  ['a role', { delta: { role: 'assistant', content: '' } }, false, ''],
  ['reasoning', { delta: { reasoning_content: 'Hm' } }, true, ''],
  ['a tool call', { delta: { tool_calls: [{ id: 'call_1' }] } }, true, null],
  ['a refusal', { delta: { refusal: 'No.' } }, true, null],
  ['probabilities', { delta: { content: 'Hi' }, logprobs: { content: [] } }, true, null],
  ['a second choice', { index: 1, delta: { content: 'Hi' } }, true, null],
  ['the end', { delta: {}, finish_reason: 'stop' }, true, ''],
])('reads the visibility and the continuable text of %s', (_what, choice, isVisible, text) => {
  const chunk = openChunkReader()(Buffer.from(data({ choices: [choice] })));
  expect(chunk).toMatchObject({ kind: 'content', isVisible, text });
});

test('a stream of several choices is complete when each has its finish reason', () => {
  const read = openChunkReader();
  const isFinish = (index: number, reason: string | null) => {
    const choice = { index, delta: { content: 'a' }, finish_reason: reason };
    const chunk = read(Buffer.from(data({ choices: [choice] })));
    return chunk.kind === 'content' && chunk.isFinish;
  };
  expect([
    isFinish(0, null),
    isFinish(0, 'stop'),
    isFinish(1, null),
    isFinish(1, 'length'),
  ]).toEqual([false, true, false, true]);
});
