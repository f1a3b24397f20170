// Renders the expected spending of an account on the wallet page.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { MICRO_FEN_PER_FEN, type MicroFen } from '../../../kernel/money.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { formatDay, formatMonth } from '../../../kernel/web/format-time.ts';
import { forecastSpending } from '../../wallet/history/forecast-spending.ts';
import type { AccountMoney } from '../../wallet/history/read-account.ts';
import { forecastMessages } from '../messages/forecast.ts';
import type { ConsoleContext } from '../shell/console-context.ts';
import { formatYuan } from './money-parts.ts';

const YEAR_DAYS = 366;

/** Empty when nothing was spent in the last seven days. */
export async function renderForecast(context: ConsoleContext, money: AccountMoney): Promise<Html> {
  const { world, db, site, account, livemode } = context;
  const balance = money.balance.total;
  const wallet = { accountId: account.id, livemode, balance };
  const forecast = await forecastSpending(world, db, wallet);
  if (forecast === null) return nothing;
  const messages = forecastMessages(site.language);
  const now = world.clock.now();
  const { perDay, daysLeft, monthSoFar, monthExpected } = forecast;
  const untilDay = () => formatDay(site.language, now + daysLeft * DAY_MS, now);
  const durationText =
    daysLeft < 1
      ? html`<span class="warning">${messages.lessThanDay}</span>`
      : html`${daysLeft > YEAR_DAYS ? messages.moreThanYear : messages.days(daysLeft, untilDay())}`;
  return html`<section class="part"><h2>${messages.title}</h2>
<dl class="facts"><dt>${messages.aDay}</dt><dd>${formatRoundedYuan(perDay)}</dd>
<dt>${messages.lasts}</dt><dd>${durationText}</dd>
<dt>${messages.month(formatMonth(site.language, now))}</dt><dd>${formatRoundedYuan(monthExpected)} \
<span class="meta">${messages.soFar(formatYuan(monthSoFar))}</span></dd></dl></section>
`;
}

/** Rounds up to whole fen, because an expected amount is an estimate. */
const formatRoundedYuan = (amount: MicroFen) =>
  `≈ ${formatYuan(((amount + MICRO_FEN_PER_FEN - 1n) / MICRO_FEN_PER_FEN) * MICRO_FEN_PER_FEN)}`;
