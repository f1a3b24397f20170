import { describe, expect, test } from 'vitest';
import { classifyAgent } from './user-agent.ts';

const uuid = '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11';

describe('the actor that a User-Agent names', () => {
  test.each([
    [`radar-actor/${uuid}`, uuid],
    [`aihot-actor/${uuid}`, uuid],
    [`Reader/2.1 (desk; +https://r.example) radar-actor/${uuid.toUpperCase()} more`, uuid],
    [`Reader/2.1 (aihot-actor/${uuid})`, uuid],
    [`radar-actor/${uuid}, radar-actor/11111111-1111-4111-8111-111111111111`, uuid],
    [`other-actor/${uuid}`, null],
    [`my-radar-actor/${uuid}`, null],
    [`radar-actor/${uuid}0`, null],
    [`radar-actor/${uuid}-0`, null],
    ['radar-actor/0b6f6f0e-5a3c-1c55-9a0e-0d6b8f1c2a11', null],
    ['radar-actor/0b6f6f0e-5a3c-4c55-7a0e-0d6b8f1c2a11', null],
    ['radar-actor/', null],
    ['', null],
  ])('in "%s" is %s', (agent, actor) => expect(classifyAgent(agent, []).actor).toBe(actor));
});

describe('a blocked User-Agent', () => {
  test.each([
    ['BadBot/1.0', true],
    ['Mozilla/5.0 (compatible; badbot/2)', true],
    ['bad bot', false],
    ['', false],
  ])('%j is blocked: %s', (agent, isBlocked) => {
    expect(classifyAgent(agent, ['BadBot']).isBlocked).toBe(isBlocked);
  });
});

test('accepts a User-Agent of 2,048 characters and refuses one more', () => {
  expect(classifyAgent('a'.repeat(2048), []).isTooLong).toBe(false);
  expect(classifyAgent('a'.repeat(2049), []).isTooLong).toBe(true);
});
