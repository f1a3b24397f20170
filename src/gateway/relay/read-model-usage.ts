// Reads the relay usage of an account: tokens and their cost by model and token class.
import type { MicroFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { parseShanghaiDay } from '../../kernel/time/calendar.ts';
import { sumTokenClasses } from '../../store/gateway/token-classes.ts';
import { amountOfLines } from './prices/model-prices.ts';
import { compareModelClasses, isTokenClass } from './prices/token-classes.ts';

export type ModelUsage = {
  readonly model: string;
  readonly class: string;
  readonly tokens: number;
  /**
   * Cost of the tokens. The charge of a call can be lower, because the hold and the price ceiling
   * limit the charge.
   */
  readonly amount: MicroFen;
};

const MAX_ROWS = 10_000;

/** `from` and `to`: YYYY-MM-DD, both inclusive. The result is sorted by model. */
export async function readModelUsage(
  db: Db,
  query: {
    readonly accountId: string;
    readonly livemode: boolean;
    readonly from: string;
    readonly to: string;
  },
): Promise<readonly ModelUsage[]> {
  const { accountId, livemode, from, to } = query;
  const range = {
    startsAt: parseShanghaiDay(from).startsAt,
    endsAt: parseShanghaiDay(to).endsAt,
  };
  const sums = await sumTokenClasses(db, { accountId, livemode, ...range, limit: MAX_ROWS });
  const usageByClass = new Map<string, ModelUsage>();
  for (const { model, class: name, tokens, price } of sums) {
    const previous = usageByClass.get(`${model} ${name}`);
    const lines = isTokenClass(name) ? [{ class: name, tokens, price: BigInt(price) }] : [];
    usageByClass.set(`${model} ${name}`, {
      model,
      class: name,
      tokens: (previous?.tokens ?? 0) + tokens,
      amount: (previous?.amount ?? 0n) + amountOfLines(lines),
    });
  }
  return [...usageByClass.values()].sort(compareModelClasses);
}
