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
  /** The last publication log entry that each consumer has processed. */
  log_consumers: { name: string; epoch: string; seq: number };
  channels: {
    id: string;
    kind: string;
    name: string;
    /** The channel's fields as JSON, encrypted: URLs and tokens are secrets. */
    secret: Buffer;
    /** Host and last four characters of the address, for pages. */
    label: string;
    state: 'on' | 'off' | 'broken';
    /** Why the channel is broken. */
    reason: string | null;
    broken_at: NullableInstant;
    resumed_at: NullableInstant;
    /** What happens to a message that may have been delivered. */
    when_unsure: 'send' | 'drop';
    /** Number of consecutive deliveries that failed permanently. */
    dead_letters: number;
    /** The state of each rate limit: its theoretical arrival time in epoch ms. */
    arrivals: number[];
    /** No message is sent before this time; null: no limit applies. */
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
    /** Quiet hours; null: none. */
    quiet: NullableJson<unknown>;
    /** Later contradictions, corrections and withdrawals are sent as well. */
    updates: boolean;
    /** Hash of the settings: a channel has no two equal subscriptions. */
    hash: string;
    /** The next scheduled run; null: instant. */
    next_at: NullableInstant;
    version: number;
    created_at: Instant;
  };
  subscription_revision: { id: number; revision: number };
  subscription_matches: {
    subscription_id: string;
    /** `story:<id>`, or `group:<id>` of a duplicate group without a story. */
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
    /** The subjects of a digest in order; otherwise only `subject`. */
    subjects: string[];
    /** The subjects' items at the time of creation. */
    items: string[];
    /** The story's contradictions at the time of creation. */
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
    /** The message may have been delivered: no response to its request was read. */
    is_unsure: boolean;
    tries: number;
    created_at: Instant;
    due_at: Instant;
    /** End of the sending process's claim; null: no process sends it. */
    claimed_until: NullableInstant;
    /** The last attempt. */
    last_at: NullableInstant;
    last_status: number | null;
    last_error: string | null;
    /** The service's id of the message, for later edits. */
    remote_id: string | null;
  };
  alerts: {
    id: string;
    /** The condition and its subject: at most one open alert has this key. */
    key: string;
    condition: string;
    severity: AlertSeverity;
    facts: Json<Readonly<Record<string, unknown>>>;
    raised_at: Instant;
    cleared_at: NullableInstant;
    /** Number of notifications that were sent for this alert. */
    sent: number;
    sent_at: NullableInstant;
  };
};
