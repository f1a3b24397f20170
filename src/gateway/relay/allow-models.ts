// Checks whether a key may use a model. A scope `model:<id>` names one model, and a trailing `*`
// matches any ending. A key with such scopes may use only their models. Without them, `chat` or no
// scope at all allows all models.
import { Fault } from '../../kernel/errors/fault.ts';

const SCOPE = 'model:';

/** Throws a Fault `key_not_allowed` when the scopes do not permit the model. */
export function refuseOtherModels(scopes: readonly string[], model: string): void {
  if (mayUseModel(scopes, model)) return;
  throw new Fault('key_not_allowed', 'This API key may not use this model.', {
    members: { param: 'model' },
  });
}

export const unknownModelFault = () =>
  new Fault('not_found', 'There is no such model here: see GET /relay/v1/models.', {
    members: { param: 'model' },
  });

/** Whether a key with these scopes may use the relay. */
export function mayUseRelay(scopes: readonly string[]): boolean {
  return (
    scopes.length === 0 ||
    scopes.includes('chat') ||
    scopes.some((scope) => scope.startsWith(SCOPE))
  );
}

export function mayUseModel(scopes: readonly string[], model: string): boolean {
  const modelScopes = scopes.filter((scope) => scope.startsWith(SCOPE));
  if (modelScopes.length === 0) return mayUseRelay(scopes);
  return modelScopes.some((scope) => {
    const pattern = scope.slice(SCOPE.length);
    return pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : model === pattern;
  });
}
