// Webhook endpoints, events and deliveries. Money is micro-fen, read as text.
import type { ColumnType, Generated } from 'kysely';
import type { Instant, NullableInstant } from './columns.ts';

export type WebhooksSchema = {
  webhook_endpoints: {
    id: string;
    account_id: string;
    livemode: boolean;
    url: string;
    events: string[];
    secret: Buffer;
    old_secret: Buffer | null;
    old_secret_until: NullableInstant;
    state: 'on' | 'off' | 'gone';
    version: number;
    created_at: Instant;
  };
  webhook_events: {
    id: string;
    account_id: string;
    livemode: boolean;
    type: string;
    subject: string;
    body: string;
    created_at: Instant;
    mail: Generated<'no' | 'due' | 'written'>;
  };
  webhook_deliveries: {
    event_id: string;
    endpoint_id: string;
    state: 'waiting' | 'delivered' | 'failed';
    tries: number;
    due_at: Instant;
    claimed_until: NullableInstant;
    last_at: NullableInstant;
    last_status: number | null;
    last_error: string | null;
  };
  balance_alerts: {
    account_id: string;
    livemode: boolean;
    below: ColumnType<bigint, string, string>;
    low_since: NullableInstant;
    version: number;
  };
};
