// Several upstreams of a model: in order, until the first byte, and a failing one is left alone.
import { expect, test } from 'vitest';
import { errorIn, eventsIn, modelsIn, openTestRelay, saidIn, say } from './rig.ts';

const relay = await openTestRelay({ upstreams: [{ priority: 0 }, { priority: 1 }] });
const [first, second] = relay.chats;
const asked = () => [first?.asked.length, second?.asked.length];

test('models are merged; one that is away leaves its last list, and no error', async () => {
  const ids = async () => modelsIn(await relay.read('/relay/v1/models')).map(({ id }) => id);
  expect(await ids()).toEqual(['demo-chat', 'demo-only-0', 'demo-only-1']);
  first?.setMood('broken');
  relay.clock.advance(61_000);
  expect(await ids()).toEqual(['demo-chat', 'demo-only-0', 'demo-only-1']);
  first?.setMood(null);
});

test.each(['broken', 'busy', 'locked', 'changed', 'error-first', 'dies-0'])(
  'one that is %s is passed over before the first byte',
  async (mood) => {
    relay.clock.advance(61_000);
    first?.setMood(mood);
    const before = asked();
    const answer = await relay.chat(say('Hi', { stream: true }));
    expect(saidIn(eventsIn(answer.text))).toBe('You said: Hi – 好的.');
    expect(asked()).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) + 1]);
    expect(await relay.usageOf(answer)).toMatchObject({ upstream: 'chat-1' });
    first?.setMood(null);
    relay.clock.advance(61_000);
    await relay.chat(say('Hi'));
  },
);

test('after the first byte no other is tried', async () => {
  const before = asked();
  const answer = await relay.chat(say('Hi upstream:dies-2', { stream: true }));
  expect(eventsIn(answer.text).at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
  expect(asked()).toEqual([(before[0] ?? 0) + 1, before[1]]);
});

test('one that fails five times in a row is not asked for 30 seconds', async () => {
  relay.clock.advance(61_000);
  first?.setMood('broken');
  for (let n = 0; n < 5; n += 1) await relay.chat(say('Hi'));
  const resting = asked();
  expect((await relay.chat(say('Hi'))).status).toBe(200);
  expect(asked()).toEqual([resting[0], (resting[1] ?? 0) + 1]);
  first?.setMood(null);
  relay.clock.advance(31_000);
  await relay.chat(say('Hi'));
  expect(asked()[0]).toBe((resting[0] ?? 0) + 1);
});

test('one that breaks its streams again and again rests too', async () => {
  relay.clock.advance(61_000);
  await relay.chat(say('Hi'));
  for (let n = 0; n < 5; n += 1) await relay.chat(say('Hi upstream:dies-2', { stream: true }));
  const resting = asked();
  await relay.chat(say('Hi'));
  expect(asked()).toEqual([resting[0], (resting[1] ?? 0) + 1]);
  relay.clock.advance(31_000);
});

test('one that says when to come back is left alone until then', async () => {
  first?.setMood('busy');
  await relay.chat(say('Hi'));
  first?.setMood(null);
  const resting = asked();
  relay.clock.advance(6_000);
  await relay.chat(say('Hi'));
  expect(asked()[0]).toBe(resting[0]);
  relay.clock.advance(2_000);
  await relay.chat(say('Hi'));
  expect(asked()[0]).toBe((resting[0] ?? 0) + 1);
});

test('when all rest the caller hears when to come back', async () => {
  for (const chat of relay.chats) chat.setMood('resting');
  await relay.chat(say('Hi'));
  const answer = await relay.chat(say('Hi'));
  expect([answer.status, errorIn(answer).code, answer.headers['retry-after']]).toEqual([
    ...[503, 'capability_unavailable', '12'],
  ]);
  for (const chat of relay.chats) chat.setMood(null);
});

test('a model has its own name at each upstream', async () => {
  const named = await openTestRelay({ upstreams: [{ models: { clever: 'demo-chat' } }] });
  expect((await named.chat({ ...say('Hi'), model: 'clever' })).status).toBe(200);
  expect(named.chats[0]?.asked[0]?.model).toBe('demo-chat');
  expect(modelsIn(await named.read('/relay/v1/models'))).toEqual([
    { id: 'clever', object: 'model', created: 0, owned_by: 'chat-0' },
  ]);
});
