// The database as the queries see it, area by area. A test compares this with what the migrations
// make, column by column.
import type { AccountsSchema } from './schema/accounts.ts';
import type { JobsSchema } from './schema/jobs.ts';
import type { LedgerSchema } from './schema/ledger.ts';
import type { ModelSchema } from './schema/model.ts';
import type { OperationsSchema } from './schema/operations.ts';
import type { OperatorSchema } from './schema/operator.ts';
import type { RadarSchema } from './schema/radar.ts';
import type { RelaySchema } from './schema/relay.ts';
import type { StoriesSchema } from './schema/stories.ts';
import type { TopUpsSchema } from './schema/top-ups.ts';
import type { WebhooksSchema } from './schema/webhooks.ts';

export type Schema = AccountsSchema &
  JobsSchema &
  LedgerSchema &
  ModelSchema &
  OperationsSchema &
  OperatorSchema &
  RadarSchema &
  RelaySchema &
  StoriesSchema &
  TopUpsSchema &
  WebhooksSchema;
