import { expect, test } from 'vitest';
import { readEvent } from './read-event.ts';

const eventWith = (object: object) => ({
  id: 'evt_1',
  type: 'checkout.session.completed',
  data: { object: { id: 'cs_1', metadata: { installation: 'here', top_up: 'tu_1' }, ...object } },
});

test('a session of this installation names its top-up', () => {
  const event = readEvent(eventWith({}), 'here');
  expect(event).toMatchObject({ kind: 'hint', hint: { topUpId: 'tu_1', sessionId: 'cs_1' } });
});

test.each([
  { id: 'cs_\0' },
  { payment_intent: 'pi_\0' },
  { metadata: { installation: 'here', top_up: 'tu_\0' } },
])(
  'an event with U+0000 is unreadable, because no text of the database can hold it: %j',
  (object) => {
    expect(readEvent(eventWith(object), 'here')).toEqual({ kind: 'unreadable' });
  },
);
