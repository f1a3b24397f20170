// GET /relay/v1/models, and one of them: what the key may use of all that the upstreams have.
import { Fault } from '../../../kernel/errors/fault.ts';
import { mayUseModel } from '../../relay/allow-models.ts';
import { sandboxModels } from '../../relay/upstream/sandbox-upstream.ts';
import type { ListedModelInfo } from '../../relay/upstream/upstream.ts';
import { privateJson } from '../http-response.ts';
import { readApiKey } from './read-api-key.ts';
import type { RelayContext, RelayRequest, RelayResponse } from './relay-context.ts';
import { notConfigured, refuseOtherKeys } from './start-call.ts';

export async function handleModels(
  context: RelayContext,
  asked: RelayRequest,
): Promise<RelayResponse> {
  const data = await modelsOf(context, asked);
  return whole({ object: 'list', data });
}

export async function handleModel(
  context: RelayContext,
  asked: RelayRequest,
  id: string,
): Promise<RelayResponse> {
  const model = (await modelsOf(context, asked)).find((one) => one.id === id);
  if (model !== undefined) return whole(model);
  throw new Fault('not_found', 'There is no such model here: see GET /relay/v1/models.', {
    members: { param: 'model' },
  });
}

async function modelsOf(
  context: RelayContext,
  asked: RelayRequest,
): Promise<readonly ListedModelInfo[]> {
  const { key } = await context.admission.admit({ ...asked, authorization: readApiKey(asked) });
  refuseOtherKeys(key);
  const { upstreams } = context;
  if (key.livemode && !upstreams.isConfigured) throw notConfigured();
  const models = key.livemode ? await upstreams.models() : sandboxModels;
  if (models !== null) return models.filter(({ id }) => mayUseModel(key.scopes, id));
  throw new Fault('capability_unavailable', 'No upstream of the relay lists its models now.', {
    retryAfterSeconds: 5,
  });
}

function whole(body: object): RelayResponse {
  const { status, headers } = privateJson(body);
  return { kind: 'whole', status, headers, body: JSON.stringify(body) };
}
