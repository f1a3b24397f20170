// Deliveries for operators, and the actions on one delivery.
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import {
  cancelDelivery,
  type ListedDelivery,
  listDeliveryRows,
  sendDeliveryAgain,
} from '../store/notifications/deliveries.ts';
import type { DeliveryState } from '../store/schema/notifications.ts';

export type { ListedDelivery };

export const deliveryStates: readonly DeliveryState[] = [
  'waiting',
  'sending',
  'delivered',
  'failed',
  'expired',
  'void',
  'replaced',
  'dropped',
];

export type DeliveryQuery = {
  /** The name of a state; null or an unknown name: all states. */
  readonly state: string | null;
  readonly channelId?: string | null;
  readonly subscriptionId?: string | null;
  readonly limit: number;
  readonly skip?: number;
};

/** Newest first. */
export function listDeliveryLog(db: Db, query: DeliveryQuery): Promise<readonly ListedDelivery[]> {
  const state = deliveryStates.find((deliveryState) => deliveryState === query.state) ?? null;
  return listDeliveryRows(db, {
    state,
    channelId: query.channelId ?? null,
    subscriptionId: query.subscriptionId ?? null,
    limit: query.limit,
    skip: query.skip ?? 0,
  });
}

/** Null: the delivery does not exist. */
export async function findDelivery(db: Db, id: string): Promise<ListedDelivery | null> {
  return (await listDeliveryRows(db, { id, limit: 1 }))[0] ?? null;
}

/** False: the delivery does not exist, or has not ended. */
export const sendAgain = ({ clock }: World, db: Db, id: string): Promise<boolean> =>
  sendDeliveryAgain(db, id, clock.now());

/** False: no waiting delivery has this id. */
export const dropQueued = ({ clock }: World, db: Db, id: string): Promise<boolean> =>
  cancelDelivery(db, id, clock.now());
