// Mails alerts to accounts that enabled alert mails. The mail is queued in the transaction that
// records the alert, so each alert causes exactly one mail.
import { z } from 'zod';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import type { MailMessage, Outbox } from '../../store/gateway/outgoing-mails.ts';
import { claimAlertsToMail, type MailedAlert } from '../../store/gateway/webhook-events.ts';
import { inTransaction } from '../../store/platform/db.ts';

type Language = 'en' | 'zh-CN';

export type AlertMail = {
  readonly outbox: Outbox;
  readonly site: { readonly url: string; readonly name: string; readonly language: Language };
};

const BATCH_SIZE = 50;
/** Alerts older than a day are not sent. */
const MAX_ALERT_AGE_MS = DAY_MS;

/** Claims alerts that are not mailed yet, in batches, until none is left. */
export async function queueAlertMails(
  { clock }: World,
  db: Db,
  { outbox, site }: AlertMail,
): Promise<void> {
  for (;;) {
    const claimedCount = await inTransaction(db, async (tx) => {
      const since = clock.now() - MAX_ALERT_AGE_MS;
      const claim = await claimAlertsToMail(tx, { max: BATCH_SIZE, since });
      for (const alert of claim.alerts)
        await outbox.enqueue(tx, alertMessage(alert, site), MAX_ALERT_AGE_MS);
      return claim.claimedCount;
    });
    if (claimedCount < BATCH_SIZE) return;
  }
}

/** The bodies that `event-bodies.ts` writes. */
const alertBodySchemas = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('balance.low'),
    livemode: z.boolean(),
    data: z.object({ balance: z.object({ total: z.string(), below: z.string() }) }),
  }),
  z.object({
    type: z.literal('budget.reached'),
    livemode: z.boolean(),
    data: z.object({
      key: z.object({ name: z.string(), last4: z.string() }),
      budget: z.object({
        period: z.enum(['day', 'month', 'total']),
        percent: z.number(),
        amount: z.string(),
        spent: z.string(),
      }),
    }),
  }),
]);

type AlertText = { readonly subject: string; readonly text: string };

const alertTexts = {
  en: {
    test: (subject: string) => `[test mode] ${subject}`,
    periods: { day: 'this day', month: 'this month', total: 'in total' },
    low: (total: string, below: string): AlertText => ({
      subject: `your balance is ¥${total}`,
      text:
        `Cash and vouchers of your account are ¥${total} together, less than your alert ` +
        `threshold of ¥${below}. Calls that cost more than your balance are refused.`,
    }),
    budget: (name: string, percent: number, spent: string): AlertText => ({
      subject:
        percent === 100
          ? `the budget of “${name}” is spent`
          : `${percent} % of the budget of “${name}” is spent`,
      text: `${spent}${percent === 100 ? ' Calls with this key are refused from now on.' : ''}`,
    }),
    spent: (name: string, last4: string, spent: string, amount: string, period: string) =>
      `The key “${name}” (…${last4}) has spent ¥${spent} of its ¥${amount} ${period}.`,
    wallet: 'Top up, or see what was spent:',
    key: 'See budgets, or change one:',
    why: 'You enabled these mails in the console. To disable them:',
  },
  'zh-CN': {
    test: (subject: string) => `［测试模式］${subject}`,
    periods: { day: '今日', month: '本月', total: '累计' },
    low: (total: string, below: string): AlertText => ({
      subject: `余额 ¥${total}`,
      text:
        `您账号的现金与代金券合计 ¥${total}，已低于您设定的 ¥${below}。` +
        '费用超过余额的调用会被拒绝。',
    }),
    budget: (name: string, percent: number, spent: string): AlertText => ({
      subject:
        percent === 100 ? `密钥“${name}”的预算已用完` : `密钥“${name}”的预算已用 ${percent}%`,
      text: `${spent}${percent === 100 ? '该密钥的调用从现在起会被拒绝。' : ''}`,
    }),
    spent: (name: string, last4: string, spent: string, amount: string, period: string) =>
      `密钥“${name}”（…${last4}）${period}已用 ¥${spent}，预算 ¥${amount}。`,
    wallet: '充值，或查看花费：',
    key: '查看或修改预算：',
    why: '这封邮件是您在控制台订阅的。取消：',
  },
} as const;

function alertMessage(
  { type, body, email, language }: MailedAlert,
  site: AlertMail['site'],
): MailMessage {
  const texts = alertTexts[language ?? site.language];
  const alert = alertBodySchemas.parse({ ...JSON.parse(body), type });
  const link = (label: string, path: string) => `${label}\n${site.url}${path}`;
  const settings = link(texts.why, '/console/budgets#alerts');
  let alertText: AlertText;
  let nextStep: string;
  if (alert.type === 'balance.low') {
    const { total, below } = alert.data.balance;
    alertText = texts.low(total, below);
    nextStep = link(texts.wallet, '/console/wallet');
  } else {
    const { key, budget } = alert.data;
    const period = texts.periods[budget.period];
    const spent = texts.spent(key.name, key.last4, budget.spent, budget.amount, period);
    alertText = texts.budget(key.name, budget.percent, spent);
    nextStep = link(texts.key, '/console/budgets');
  }
  const subject = `${site.name}: ${alertText.subject}`;
  return {
    to: email,
    subject: alert.livemode ? subject : texts.test(subject),
    text: `${[alertText.text, nextStep, settings].join('\n\n')}\n`,
  };
}
