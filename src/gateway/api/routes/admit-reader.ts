// Whoever reads the account: any key of it, live or test, of either kind.
import type { Caller } from '../../calls/admit.ts';
import type { GatewayContext } from '../context.ts';
import { type Asked, oneHeader } from '../http-response.ts';

export async function admitReader({ admission }: GatewayContext, asked: Asked): Promise<Caller> {
  const { client, notes } = asked;
  return admission.admit({ authorization: oneHeader(asked, 'authorization'), client, notes });
}
