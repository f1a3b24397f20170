// Admits a request that reads account data: every key of the account is admitted, live
// or test, `sk` or `ak`.
import type { Caller } from '../../calls/admit.ts';
import type { GatewayContext } from '../context.ts';
import { type ApiRequest, oneHeader } from '../http-response.ts';

export async function admitReader(
  { admission }: GatewayContext,
  request: ApiRequest,
): Promise<Caller> {
  const { client, knownLimits } = request;
  return admission.admit({
    authorization: oneHeader(request, 'authorization'),
    client,
    knownLimits,
  });
}
