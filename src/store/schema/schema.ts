// The database schema for Kysely, by area. A test compares it with the tables that the migrations
// create, column by column.
import type { AccountsSchema } from './accounts.ts';
import type { JobsSchema } from './jobs.ts';
import type { LedgerSchema } from './ledger.ts';
import type { ModelSchema } from './model.ts';
import type { NotificationsSchema } from './notifications.ts';
import type { OperationsSchema } from './operations.ts';
import type { OperatorSchema } from './operator.ts';
import type { RadarSchema } from './radar.ts';
import type { RelaySchema } from './relay.ts';
import type { StoriesSchema } from './stories.ts';
import type { TopUpsSchema } from './top-ups.ts';
import type { WebhooksSchema } from './webhooks.ts';

export type Schema = AccountsSchema &
  JobsSchema &
  LedgerSchema &
  ModelSchema &
  NotificationsSchema &
  OperationsSchema &
  OperatorSchema &
  RadarSchema &
  RelaySchema &
  StoriesSchema &
  TopUpsSchema &
  WebhooksSchema;
