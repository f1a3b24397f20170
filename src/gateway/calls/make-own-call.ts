// A call by somebody who is signed in as the account, with a key of theirs that they choose: the
// same way as every call, with the key named instead of shown.
import type { Admission } from './admit.ts';
import type { CallAnswer, CallParts, CallRequest } from './call.ts';
import { makeCall } from './make-call.ts';

export type OwnCall = Omit<CallRequest, 'authorization' | 'notes' | 'client'> & {
  readonly key: { readonly id: string; readonly accountId: string };
};

/** Throws Faults. */
export function makeOwnCall(parts: CallParts, { key, ...request }: OwnCall): Promise<CallAnswer> {
  const admission: Admission = {
    ...parts.admission,
    admit: (credentials) => parts.admission.admitOwn(key, credentials),
  };
  const asked = { ...request, authorization: undefined, notes: {}, client: null };
  return makeCall({ ...parts, admission }, asked);
}
