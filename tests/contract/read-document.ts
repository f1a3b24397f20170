// The OpenAPI document of a server, which validates the responses of that server.
import { expect } from 'vitest';
import { sendRequest, type TestRequest, type TestResponse } from '../support/http-request.ts';
import { type OpenApi, openValidator } from './validator.ts';

export type Contract = {
  readonly document: OpenApi;
  /** Sends a request and fails unless the contract permits the response. */
  ask(request: TestRequest): Promise<TestResponse>;
  /** Violations of the contract by a response to this request. */
  faultsOf(request: TestRequest, answer: TestResponse): readonly string[];
};

export async function readContract(origin: string): Promise<Contract> {
  const document: OpenApi = JSON.parse(
    (await sendRequest(origin, { path: '/openapi-v1.json' })).text,
  );
  const validator = openValidator(document);
  const faultsOf = ({ path, method = 'GET' }: TestRequest, answer: TestResponse) => {
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
    ask: async (request) => {
      const answer = await sendRequest(origin, request);
      expect(faultsOf(request, answer), `${request.method ?? 'GET'} ${request.path}`).toEqual([]);
      return answer;
    },
  };
}
