// Makes a call from a signed-in session with a selected key of the account. The call takes the
// normal path; the session authenticates it in place of the key's text.
import type { Admission } from './admit.ts';
import type { CallDeps, CallRequest, CallResponse } from './call.ts';
import { makeCall } from './make-call.ts';

export type OwnCall = Omit<CallRequest, 'authorization' | 'knownLimits' | 'client'> & {
  readonly key: { readonly id: string; readonly accountId: string };
};

/** Throws Faults. */
export function makeOwnCall(deps: CallDeps, { key, ...request }: OwnCall): Promise<CallResponse> {
  const admission: Admission = {
    ...deps.admission,
    admit: (credentials) => deps.admission.admitKeyOfAccount(key, credentials),
  };
  const ownRequest = { ...request, authorization: undefined, knownLimits: {}, client: null };
  return makeCall({ ...deps, admission }, ownRequest);
}
