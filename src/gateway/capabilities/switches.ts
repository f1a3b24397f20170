// Reads and sets the operators' kill switches of whole capabilities, and of providers in all
// capabilities. The switches are read every second, so a switch takes effect on every node within
// one second.

import { openRefreshingValue } from '../../kernel/concurrency/refreshing-value.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { readSwitches, type SwitchRow, setSwitchRow } from '../../store/gateway/kill-switches.ts';

export type SwitchKind = SwitchRow['kind'];

export type Switches = {
  /** Whether the last refresh is less than a second old, so no query is needed. */
  isFresh(): boolean;
  /** Reads the switches unless they are fresh. Rejects when the database is unavailable. */
  refresh(): Promise<void>;
  /** State at the last refresh. */
  isOff(kind: SwitchKind, name: string): boolean;
};

/** The World of provider requests, with the kill switches. */
export type ProviderWorld = World & { readonly isOff?: (provider: string) => boolean };

const CACHE_MS = 900;

export function openSwitches(world: World, db: Db): Switches {
  const offNames = openRefreshingValue(world, CACHE_MS, async () => {
    const switchedOff = (await readSwitches(db)).filter((row) => row.is_off);
    return new Set(switchedOff.map(({ kind, name }) => `${kind} ${name}`));
  });
  return {
    isFresh: () => offNames.getCached() !== null,
    refresh: async () => {
      await offNames.get();
    },
    isOff: (kind, name) => offNames.getLast()?.has(`${kind} ${name}`) ?? false,
  };
}

/** The World of capabilities and of the relay's upstreams. */
export function providerWorld(world: World, switches: Switches): ProviderWorld {
  return { ...world, isOff: (provider) => switches.isOff('provider', provider) };
}

/** The provider name of an upstream of the chat relay. */
export const upstreamName = (name: string): string => `chat:${name}`;

export type Switch = {
  readonly kind: SwitchKind;
  readonly name: string;
  readonly isOff: boolean;
  /** Number of changes. */
  readonly version: number;
  readonly reason: string;
  readonly actor: string;
  /** Time of the last change, epoch milliseconds. */
  readonly at: number;
};

/** Every switch that was ever used. */
export async function listSwitches(db: Db): Promise<readonly Switch[]> {
  return (await readSwitches(db)).map(({ is_off: isOff, ...row }) => ({ ...row, isOff }));
}

/**
 * Runs in the caller's transaction. `version`: the version in the operator's form. Returns false
 * when the switch has changed since.
 */
export async function setSwitch(
  world: World,
  tx: Db,
  { isOff, version, ...change }: Omit<Switch, 'at'>,
): Promise<boolean> {
  const row = { ...change, is_off: isOff, version: version + 1, at: world.clock.now() };
  return setSwitchRow(tx, row);
}
