// `radar account key edit`: changes the same fields of a key as the console. Absent options leave
// their fields unchanged. A concurrent change is refused.
import { editKey, findKey, type KeyEditResult } from '../../gateway/keys/change-keys.ts';
import type { Key, KeyBudgetLimit } from '../../gateway/keys/key.ts';
import { keyInputProblems } from '../../gateway/keys/key-input.ts';
import type { App } from '../app.ts';
import { budgetOf, checkScopes, endOf, invalidKey, keyTable, noKey } from './key.ts';

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

export async function editOne(app: App, id: string, change: KeyChange): Promise<void> {
  if (Object.keys(change).length === 0) {
    throw invalidKey('There is nothing to change. See: radar account key edit --help');
  }
  const expiresAt = endOf(change.expires);
  const { key, now } = await app.withApp(async ({ world, db }) => {
    const before = await findKey(db, id);
    if (before === null) throw noKey(id);
    if (change.scopes) checkScopes(before.kind, change.scopes);
    const limits = {
      name: change.name ?? before.name,
      scopes: listOf(change.scopes, before.scopes),
      networks: listOf(change.networks, before.networks),
      budget: budgetAfter(before, change),
      mayContinue: change.continuation ?? before.mayContinue,
      ...(expiresAt !== undefined && { expiresAt }),
    };
    const [problem] = Object.values(keyInputProblems(limits, world.clock.now()));
    if (problem !== undefined) throw invalidKey(problem.message);
    const { accountId, version } = before;
    refuseUnlessSaved(await editKey(world, db, { id, accountId, version, limits }), id);
    return { key: (await findKey(db, id)) ?? before, now: world.clock.now() };
  });
  app.terminal.out(keyTable([key], now));
}

const listOf = (changed: readonly string[] | false | undefined, before: readonly string[]) =>
  changed === undefined ? before : changed === false ? [] : changed;

function budgetAfter({ budget }: Key, change: KeyChange): KeyBudgetLimit | null {
  const period = change.budgetPeriod;
  if (change.budget === false) {
    if (period !== undefined) throw invalidKey('Do not combine --no-budget with --budget-period.');
    return null;
  }
  const budgetPeriod = period ?? budget?.period ?? 'month';
  if (change.budget !== undefined) return budgetOf({ budget: change.budget, budgetPeriod });
  if (period === undefined) return budget;
  if (budget === null) throw invalidKey('The key has no budget: name one with --budget.');
  return budgetOf({ budget, budgetPeriod });
}

function refuseUnlessSaved(edited: KeyEditResult, id: string): void {
  switch (edited.kind) {
    case 'saved':
      return;
    case 'not_found':
      throw noKey(id);
    case 'ended':
      throw invalidKey(`${id} has ended already: make a new one.`);
    case 'replaced':
      throw invalidKey(`${id} was rotated: edit the key that followed it.`);
    case 'conflict':
      throw invalidKey(`${id} was changed by another operator just now. Try again.`);
  }
}
