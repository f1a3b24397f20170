// Tables of channels, subscriptions, notifications and alerts.
import type { Instant, Json, NullableInstant, NullableJson } from './columns.ts';

export type SubscriptionKind = 'news' | 'story' | 'report' | 'alerts';
export type AlertSeverity = 'warn' | 'page';

export type DeliveryState =
  | 'waiting'
  | 'sending'
  | 'delivered'
  | 'failed'
  | 'expired'
  | 'void'
  | 'replaced'
  | 'dropped';

export type NotificationsSchema = {
  log_consumers: { name: string; epoch: string; seq: number };
  channels: {
    id: string;
    kind: string;
    name: string;
    secret: Buffer;
    label: string;
    state: 'on' | 'off' | 'broken';
    reason: string | null;
    broken_at: NullableInstant;
    resumed_at: NullableInstant;
    when_unsure: 'send' | 'drop';
    dead_letters: number;
    arrivals: number[];
    next_at: NullableInstant;
    version: number;
    created_at: Instant;
  };
  subscriptions: {
    id: string;
    name: string;
    kind: SubscriptionKind;
    state: 'on' | 'paused' | 'ended';
    channel_id: string;
    language: 'en' | 'zh-CN';
    match: Json<unknown>;
    schedule: Json<unknown>;
    quiet: NullableJson<unknown>;
    updates: boolean;
    hash: string;
    next_at: NullableInstant;
    version: number;
    created_at: Instant;
  };
  subscription_revision: { id: number; revision: number };
  subscription_matches: {
    subscription_id: string;
    subject: string;
    items: string[];
    matched_at: Instant;
    state: 'waiting' | 'done';
  };
  notifications: {
    id: string;
    subscription_id: string;
    subject: string;
    reason: string;
    subjects: string[];
    items: string[];
    contradictions: number;
    /** Contradictions in the sent content, by subject. */
    stated: Json<Readonly<Record<string, number>>>;
    created_at: Instant;
  };
  deliveries: {
    id: string;
    notification_id: string;
    channel_id: string;
    state: DeliveryState;
    is_unsure: boolean;
    tries: number;
    created_at: Instant;
    due_at: Instant;
    claimed_until: NullableInstant;
    last_at: NullableInstant;
    last_status: number | null;
    last_error: string | null;
    remote_id: string | null;
  };
  alerts: {
    id: string;
    key: string;
    condition: string;
    severity: AlertSeverity;
    facts: Json<Readonly<Record<string, unknown>>>;
    raised_at: Instant;
    cleared_at: NullableInstant;
    sent: number;
    sent_at: NullableInstant;
  };
};
