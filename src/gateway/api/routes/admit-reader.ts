// Admits a request that reads account data: any key of the account may do this, live or test, of
// either kind.
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
