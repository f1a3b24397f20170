// Renders a notice above lists and sums from the database's replica, while the replica lags behind.
import { type Html, html } from '../html/html.ts';
import type { Language } from './language.ts';

const MIN_SHOWN_LAG_MS = 10_000;

/** `lagMs`: the age of the replica's data. */
export function renderReplicaNotice(lagMs: number, language: Language): Html | false {
  if (lagMs <= MIN_SHOWN_LAG_MS) return false;
  const seconds = Math.floor(lagMs / 1000);
  const text =
    language === 'en'
      ? `Lists of calls and transactions, usage and revenue are ${seconds} seconds old, because ` +
        'the replica of the database is behind. Balances and charges are current.'
      : `数据库副本有延迟：调用与交易列表、用量和收入为 ${seconds}\
 秒前的数据。余额和扣费是最新的。`;
  return html`<p class="notice" role="status">${text}</p>`;
}
