// The OpenAPI document as a server gives it, ready to judge that server's answers.
import { expect } from 'vitest';
import { type Answered, type Asked, ask } from '../support/ask.ts';
import { type OpenApi, openValidator } from './validator.ts';

export type Contract = {
  readonly document: OpenApi;
  /** Asks, and fails unless the answer is one that the contract allows. */
  ask(asked: Asked): Promise<Answered>;
  /** What the contract has against an answer to that request; empty: nothing. */
  faultsOf(asked: Asked, answer: Answered): readonly string[];
};

export async function readContract(origin: string): Promise<Contract> {
  const document: OpenApi = JSON.parse((await ask(origin, { path: '/openapi-v1.json' })).text);
  const validator = openValidator(document);
  const faultsOf = ({ path, method = 'GET' }: Asked, answer: Answered) => {
    if (method === 'OPTIONS') {
      return answer.status === 204 ? [] : validator.problemFaults(answer, method);
    }
    const [bare = ''] = path.split('?');
    const template = validator.templateOf(bare);
    if (template !== null) return validator.faultsOf(template, answer, method);
    return validator.problemFaults(answer, method);
  };
  return {
    document,
    faultsOf,
    ask: async (asked) => {
      const answer = await ask(origin, asked);
      expect(faultsOf(asked, answer), `${asked.method ?? 'GET'} ${asked.path}`).toEqual([]);
      return answer;
    },
  };
}
