// Reads the OpenAPI document of a server. The document then validates the responses of that server.
import { expect } from 'vitest';
import { sendRequest, type TestRequest, type TestResponse } from '../support/http-request.ts';
import { type OpenApi, openValidator } from './validator.ts';

export type Contract = {
  readonly document: OpenApi;
  /** Sends a request and fails unless the contract permits the response. */
  sendRequest(request: TestRequest): Promise<TestResponse>;
  /** Violations of the contract by a response to this request. */
  faultsOf(request: TestRequest, response: TestResponse): readonly string[];
};

export async function readContract(origin: string): Promise<Contract> {
  const document: OpenApi = JSON.parse(
    (await sendRequest(origin, { path: '/openapi-v1.json' })).text,
  );
  const validator = openValidator(document);
  const faultsOf = ({ path, method = 'GET' }: TestRequest, response: TestResponse) => {
    if (method === 'OPTIONS') {
      return response.status === 204 ? [] : validator.problemFaults(response, method);
    }
    const [pathname = ''] = path.split('?');
    const template = validator.templateOf(pathname);
    if (template !== null) return validator.faultsOf(template, response, method);
    return validator.problemFaults(response, method);
  };
  return {
    document,
    faultsOf,
    sendRequest: async (request) => {
      const response = await sendRequest(origin, request);
      expect(faultsOf(request, response), `${request.method ?? 'GET'} ${request.path}`).toEqual([]);
      return response;
    },
  };
}
