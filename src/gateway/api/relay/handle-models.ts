// Handles GET /relay/v1/models and /relay/v1/models/{id}, which return the models that the key may
// use. The form is OpenAI's, or Anthropic's for a request with `anthropic-version`.
import { Fault } from '../../../kernel/errors/fault.ts';
import { mayUseModel, unknownModelFault } from '../../relay/allow-models.ts';
import { sandboxModels } from '../../relay/upstream/sandbox-upstream.ts';
import type { ListedModelInfo } from '../../relay/upstream/upstream.ts';
import { privateJson } from '../http-response.ts';
import { readApiKey } from './read-api-key.ts';
import type { RelayContext, RelayRequest, RelayResponse } from './relay-context.ts';
import { isCharged, notConfigured, requireKeyForRelay } from './start-call.ts';

export async function handleModels(
  context: RelayContext,
  received: RelayRequest,
): Promise<RelayResponse> {
  const data = await listOfferedModels(context, received);
  if (!isAnthropic(received)) return jsonResponse({ object: 'list', data });
  const models = data.map(anthropicModel);
  return jsonResponse({
    data: models,
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  });
}

export async function handleModel(
  context: RelayContext,
  received: RelayRequest,
  id: string,
): Promise<RelayResponse> {
  const model = (await listOfferedModels(context, received)).find((model) => model.id === id);
  if (model !== undefined)
    return jsonResponse(isAnthropic(received) ? anthropicModel(model) : model);
  throw unknownModelFault();
}

const isAnthropic = ({ headers }: RelayRequest) => headers['anthropic-version'] !== undefined;

const anthropicModel = ({ id, created }: ListedModelInfo) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: new Date(created * 1000).toISOString().replace('.000Z', 'Z'),
});

async function listOfferedModels(
  context: RelayContext,
  received: RelayRequest,
): Promise<readonly ListedModelInfo[]> {
  const { key } = await context.admission.admit({
    ...received,
    authorization: readApiKey(received),
  });
  const list = await context.prices.models();
  requireKeyForRelay(key, isCharged(context, list));
  const { upstreams } = context;
  if (key.livemode && !upstreams.isConfigured) throw notConfigured();
  const models = key.livemode ? await upstreams.models() : sandboxModels;
  // When any model has a price, live keys are not offered models without a price.
  const isOffered = (id: string) => !key.livemode || list === null || list.models.has(id);
  if (models !== null) {
    return models.filter(({ id }) => mayUseModel(key.scopes, id) && isOffered(id));
  }
  throw new Fault('capability_unavailable', 'No upstream of the relay lists its models now.', {
    retryAfterSeconds: 5,
  });
}

function jsonResponse(body: object): RelayResponse {
  const { status, headers } = privateJson(body);
  return { kind: 'complete', status, headers, body: JSON.stringify(body) };
}
