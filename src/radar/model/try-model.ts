// Sends one short request to a model that an operator is about to use. The request is not counted
// in any budget.
import type { World } from '../../kernel/world.ts';
import { type ModelSettings, modelSchema } from './model-config.ts';
import { sendRequest } from './send-request.ts';

export type ModelTrial =
  | { readonly kind: 'works'; readonly ms: number }
  /** `detail`: the error text of the server, or the network error. */
  | { readonly kind: 'failed'; readonly detail: string };

const TIMEOUT_SECONDS = 20;

export async function tryModel(
  world: World,
  { url, key, name }: Pick<ModelSettings, 'url' | 'key'> & { readonly name: string },
): Promise<ModelTrial> {
  const file = modelSchema.parse({ timeoutSeconds: TIMEOUT_SECONDS });
  const settings = { url, key, name, embeddingModel: null, file };
  const messages = [{ role: 'user', content: 'Reply with the word "ready".' }];
  const body = JSON.stringify({ model: name, messages });
  const startedAt = world.clock.now();
  const idempotencyKey = `try_${world.ids.next()}`;
  const request = { path: '/chat/completions', body, idempotencyKey };
  const result = await sendRequest(world, settings, request);
  switch (result.kind) {
    case 'reply':
      return hasChoices(result.body)
        ? { kind: 'works', ms: world.clock.now() - startedAt }
        : { kind: 'failed', detail: 'the response is not a chat completion' };
    case 'refused':
      return { kind: 'failed', detail: `${result.status} ${result.detail}`.trim() };
    default:
      return { kind: 'failed', detail: result.detail };
  }
}

function hasChoices(body: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof value === 'object' && value !== null && 'choices' in value;
  } catch {
    return false;
  }
}
