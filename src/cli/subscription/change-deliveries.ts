// Actions of `radar delivery`: list, send again and drop.
import { Fault } from '../../kernel/errors/fault.ts';
import { toWireTime } from '../../kernel/time/calendar.ts';
import { dropQueued, listDeliveryLog, sendAgain } from '../../notifications/delivery-log.ts';
import type { App } from '../app.ts';
import { textTable } from '../text-table.ts';

export async function listDeliveries(
  app: App,
  { state, limit, json }: { state?: string; limit: number; json?: boolean },
): Promise<void> {
  await app.withApp(async ({ db }) => {
    const deliveries = await listDeliveryLog(db, { state: state ?? null, limit });
    if (json) {
      app.terminal.out(`${JSON.stringify(deliveries, null, 2)}\n`);
      return;
    }
    if (deliveries.length === 0) {
      app.terminal.out('No deliveries yet.\n');
      return;
    }
    const rows = deliveries.map((delivery) => [
      delivery.id,
      toWireTime(delivery.createdAt),
      delivery.state + (delivery.isUnsure ? ' (unsure)' : ''),
      delivery.channelName,
      delivery.subscriptionName,
      delivery.reason,
      delivery.lastError ?? '',
    ]);
    const head = ['ID', 'CREATED', 'STATE', 'CHANNEL', 'SUBSCRIPTION', 'REASON', 'LAST ERROR'];
    app.terminal.out(textTable([head, ...rows]));
  });
}

export async function changeDelivery(app: App, id: string, action: 'send' | 'drop'): Promise<void> {
  await app.withApp(async ({ world, db }) => {
    const change = action === 'send' ? sendAgain : dropQueued;
    if (!(await change(world, db, id))) {
      const requiredState = action === 'send' ? 'ended' : 'waiting';
      throw new Fault(
        'not_found',
        `There is no ${requiredState} delivery ${id}. See: radar delivery list`,
      );
    }
    app.terminal.out(action === 'send' ? `${id} is sent again.\n` : `${id} is dropped.\n`);
  });
}
