// A model of the ledger, with balances in memory and sequential operations. Tests compare the real
// ledger's results and state with the model.
import { DAY_MS } from '../../src/kernel/time/durations.ts';

/** The order in which a call spends the money of a wallet. */
const spendingOrder = ['allowance', 'voucher', 'cash'] as const;
export type SourceKind = (typeof spendingOrder)[number];

export type Source = {
  name: string;
  kind: SourceKind;
  remaining: bigint;
  expiresAt: number;
  age: number;
};
export type Hold = {
  readonly account: string;
  readonly day: string;
  readonly key: string | null;
  parts: { name: string; amount: bigint }[];
  state: 'held' | 'captured' | 'released';
};

const ALLOWANCE = 200_000_000n;

export class LedgerModel {
  readonly accounts = new Map<string, Map<string, Source>>();
  readonly holds = new Map<string, Hold>();
  /** Number of calls by `<account> <day>`. */
  readonly calls = new Map<string, number>();
  #age = 0;

  sourcesOf(account: string): Map<string, Source> {
    const sources = this.accounts.get(account) ?? new Map<string, Source>();
    this.accounts.set(account, sources);
    return sources;
  }

  addFunds(account: string, name: string, amount: bigint, expiresAt: number): void {
    const sources = this.sourcesOf(account);
    const [kind] = spendingOrder.filter((each) => name === each || name.startsWith(`${each}:`));
    if (kind === undefined) throw new Error(`a balance called ${name}`);
    const source = sources.get(name);
    this.#age += 1;
    if (source) source.remaining += amount;
    else sources.set(name, { name, kind, remaining: amount, expiresAt, age: this.#age });
  }

  /** Begins a day with a new allowance. */
  beginDay(account: string, day: string, endsAt: number): void {
    const name = `allowance:${day}`;
    if (!this.sourcesOf(account).has(name)) this.addFunds(account, name, ALLOWANCE, endsAt);
  }

  spendableSources(account: string, now: number): Source[] {
    return [...this.sourcesOf(account).values()]
      .filter(({ expiresAt }) => expiresAt > now)
      .sort(compareSources);
  }

  availableFunds(account: string, now: number): bigint {
    return this.spendableSources(account, now).reduce((sum, { remaining }) => sum + remaining, 0n);
  }

  findKeyHolder(account: string, key: string): Hold | undefined {
    return [...this.holds.values()].find(
      (hold) => hold.account === account && hold.key === key && hold.state !== 'released',
    );
  }

  takeFunds(account: string, amount: bigint, now: number): Hold['parts'] {
    let neededAmount = amount;
    const parts: Hold['parts'] = [];
    for (const source of this.spendableSources(account, now)) {
      const takenAmount = source.remaining < neededAmount ? source.remaining : neededAmount;
      if (takenAmount === 0n) continue;
      source.remaining -= takenAmount;
      neededAmount -= takenAmount;
      parts.push({ name: source.name, amount: takenAmount });
    }
    return parts;
  }

  authorize(id: string, hold: Omit<Hold, 'parts' | 'state'>, amount: bigint, now: number): void {
    this.holds.set(id, {
      ...hold,
      parts: this.takeFunds(hold.account, amount, now),
      state: 'held',
    });
    this.#count(hold, 1);
  }

  /**
   * A larger amount is reserved in the order of a new call. A smaller amount returns money from the
   * last allocation. The allocations keep their order.
   */
  adjust(id: string, amount: bigint, now: number): void {
    const hold = this.holds.get(id);
    if (hold?.state !== 'held') throw new Error(`${id} is not held`);
    let change = amount - hold.parts.reduce((sum, part) => sum + part.amount, 0n);
    const allocations = change > 0n ? this.takeFunds(hold.account, change, now) : [];
    const parts = new Map(hold.parts.map((part) => [part.name, part.amount]));
    for (const part of allocations)
      parts.set(part.name, (parts.get(part.name) ?? 0n) + part.amount);
    for (const { name, amount: heldAmount } of hold.parts.toReversed()) {
      const excess = change < 0n ? -change : 0n;
      const returned = heldAmount < excess ? heldAmount : excess;
      change += returned;
      parts.set(name, (parts.get(name) ?? 0n) - returned);
      this.#returnAmount(hold, name, returned);
    }
    const sources = this.sourcesOf(hold.account);
    hold.parts = [...parts]
      .map(([name, part]) => ({ name, amount: part, source: sources.get(name) }))
      .filter((part) => part.amount > 0n)
      .sort((a, b) => compareSources(a.source, b.source))
      .map((part) => ({ name: part.name, amount: part.amount }));
  }

  capture(id: string, amount: bigint): void {
    const hold = this.#endHold(id, 'captured');
    let remaining = amount;
    for (const part of hold.parts) {
      const used = part.amount < remaining ? part.amount : remaining;
      remaining -= used;
      this.#returnAmount(hold, part.name, part.amount - used);
    }
  }

  /**
   * `isGatewayFailure`: the gateway failed, so money of expired vouchers is issued again in a
   * voucher for one day.
   */
  release(id: string, isGatewayFailure: boolean, now: number): void {
    const hold = this.#endHold(id, 'released');
    let lostAmount = 0n;
    for (const { name, amount } of hold.parts) {
      const source = this.sourcesOf(hold.account).get(name);
      if (source?.kind === 'voucher' && source.expiresAt <= now) lostAmount += amount;
      this.#returnAmount(hold, name, amount);
    }
    if (isGatewayFailure && lostAmount > 0n)
      this.addFunds(hold.account, `voucher:goodwill-${id}`, lostAmount, now + DAY_MS);
    this.#count(hold, -1);
  }

  #endHold(id: string, state: 'captured' | 'released'): Hold {
    const hold = this.holds.get(id);
    if (hold?.state !== 'held') throw new Error(`${id} is not held`);
    hold.state = state;
    return hold;
  }

  #returnAmount(hold: Hold, name: string, amount: bigint): void {
    const source = this.sourcesOf(hold.account).get(name);
    if (source) source.remaining += amount;
  }

  #count({ account, day }: Pick<Hold, 'account' | 'day'>, change: number): void {
    const name = `${account} ${day}`;
    this.calls.set(name, (this.calls.get(name) ?? 0) + change);
  }
}

function compareSources(a: Source | undefined, b: Source | undefined): number {
  if (a === undefined || b === undefined) throw new Error('a part without a source');
  const order = spendingOrder.indexOf(a.kind) - spendingOrder.indexOf(b.kind);
  return order || a.expiresAt - b.expiresAt || a.age - b.age;
}
