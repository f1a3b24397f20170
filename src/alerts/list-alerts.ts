// Lists the raised alerts for the health page, each with the operator's next action.
import type { Db } from '../kernel/ports/db.ts';
import { listRaisedAlerts } from '../store/notifications/alerts.ts';
import { alertTextOf } from './alert-texts.ts';

export type ListedAlert = {
  readonly id: string;
  readonly severity: 'warn' | 'page';
  readonly title: string;
  readonly action: string;
  readonly raisedAt: number;
};

/** Oldest first. */
export async function listAlerts(
  db: Db,
  language: 'en' | 'zh-CN',
): Promise<readonly ListedAlert[]> {
  return (await listRaisedAlerts(db)).map(({ id, condition, severity, facts, raised_at }) => {
    const { title, action } = alertTextOf(language, condition);
    return { id, severity, title: title(facts), action, raisedAt: raised_at };
  });
}
