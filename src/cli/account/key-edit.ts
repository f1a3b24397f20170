// `radar account key edit`: changes the same fields of a key as the console. Absent options leave
// their fields unchanged. A concurrent change is refused.
import { SHELL_ORIGIN } from '../../gateway/accounts/security-events.ts';
import { openSecurityLog } from '../../gateway/accounts/security-log.ts';
import { editKey, findKey, type KeyEditResult } from '../../gateway/keys/change-keys.ts';
import type { Key, KeyBudgetLimit } from '../../gateway/keys/key.ts';
import { findKeyInputProblems } from '../../gateway/keys/key-input.ts';
import type { App } from '../app.ts';
import {
  checkScopes,
  formatKeyTable,
  invalidKeyFault,
  parseBudget,
  parseExpiry,
  unknownKeyFault,
} from './key.ts';

/** `false`: the option's `--no-…` form, which removes the limit. */
export type KeyChange = {
  readonly name?: string;
  readonly scopes?: readonly string[] | false;
  readonly networks?: readonly string[] | false;
  readonly budget?: string | false;
  readonly budgetPeriod?: string;
  readonly expires?: string | false;
  readonly continuation?: boolean;
};

export async function editKeyById(app: App, id: string, change: KeyChange): Promise<void> {
  if (Object.keys(change).length === 0) {
    throw invalidKeyFault('There is nothing to change. See: radar account key edit --help');
  }
  const expiresAt = parseExpiry(change.expires);
  const { key, now } = await app.withApp(async ({ world, db }) => {
    const storedKey = await findKey(db, id);
    if (storedKey === null) throw unknownKeyFault(id);
    if (change.scopes) checkScopes(storedKey.kind, change.scopes);
    const limits = {
      name: change.name ?? storedKey.name,
      scopes: applyListChange(change.scopes, storedKey.scopes),
      networks: applyListChange(change.networks, storedKey.networks),
      budget: applyBudgetChange(storedKey, change),
      mayContinue: change.continuation ?? storedKey.mayContinue,
      ...(expiresAt !== undefined && { expiresAt }),
    };
    const [problem] = Object.values(findKeyInputProblems(limits, world.clock.now()));
    if (problem !== undefined) throw invalidKeyFault(problem.message);
    const { accountId, version } = storedKey;
    const owner = { accountId, origin: SHELL_ORIGIN };
    const result = await openSecurityLog(world, db, null).record(owner, async (tx) => {
      const outcome = await editKey(world, tx, { id, accountId, version, limits });
      const event = { kind: 'key_changed', subject: limits.name } as const;
      return { outcome, event: outcome.kind === 'saved' ? event : null };
    });
    refuseUnlessSaved(result, id);
    return { key: (await findKey(db, id)) ?? storedKey, now: world.clock.now() };
  });
  app.terminal.out(formatKeyTable([key], now));
}

function applyListChange(
  changed: readonly string[] | false | undefined,
  storedValues: readonly string[],
): readonly string[] {
  if (changed === undefined) return storedValues;
  return changed === false ? [] : changed;
}

function applyBudgetChange({ budget }: Key, change: KeyChange): KeyBudgetLimit | null {
  const period = change.budgetPeriod;
  if (change.budget === false) {
    if (period !== undefined)
      throw invalidKeyFault('Do not combine --no-budget with --budget-period.');
    return null;
  }
  const budgetPeriod = period ?? budget?.period ?? 'month';
  if (change.budget !== undefined) return parseBudget({ budget: change.budget, budgetPeriod });
  if (period === undefined) return budget;
  if (budget === null) throw invalidKeyFault('The key has no budget: set one with --budget.');
  return parseBudget({ budget, budgetPeriod });
}

function refuseUnlessSaved(result: KeyEditResult, id: string): void {
  switch (result.kind) {
    case 'saved':
      return;
    case 'not_found':
      throw unknownKeyFault(id);
    case 'ended':
      throw invalidKeyFault(`${id} is expired or revoked: make a new key.`);
    case 'replaced':
      throw invalidKeyFault(`${id} was rotated: edit its replacement.`);
    case 'conflict':
      throw invalidKeyFault(`${id} was changed by someone else just now. Try again.`);
  }
}
