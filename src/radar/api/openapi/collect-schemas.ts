// All named schemas as components of the OpenAPI document. zod generates them from the shapes
// beside this file; each is named once and referenced elsewhere.
import { z } from 'zod';
import {
  changesPage,
  hotTopicList,
  itemsPage,
  problem,
  removal,
  reportEnvelope,
  reportIndex,
  snapshotPage,
  storyEnvelope,
  upsertOf,
} from './schemas/envelopes.ts';
import { hotTopicSchema } from './schemas/hot-topic.ts';
import { itemSchemas } from './schemas/item.ts';
import { jsonFeed } from './schemas/json-feed.ts';
import { dailySchemas, periodSchemas } from './schemas/report.ts';
import { storySchemas } from './schemas/story.ts';
import { attribution, source } from './schemas/values.ts';

export const monthPattern = String.raw`^\d{4}-(0[1-9]|1[0-2])$`;
export const weekPattern = String.raw`^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$`;

export type SchemaName = keyof ReturnType<typeof namedSchemas>;

export const schemaRef = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });

/** JSON Schema 2020-12 by name. `hasAihot`: each link also has the name `aihot`. */
export function collectSchemas(hasAihot: boolean): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(namedSchemas(hasAihot))) registry.add(schema, { id });
  // Input schemas allow further fields, and later versions may add fields to responses.
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  );
}

const cachedSchemas = new Map<boolean, ReturnType<typeof namedSchemas>>();

/** Schemas of responses by name, created once. */
export function responseSchemas(hasAihot: boolean): ReturnType<typeof namedSchemas> {
  const schemas = cachedSchemas.get(hasAihot) ?? namedSchemas(hasAihot);
  cachedSchemas.set(hasAihot, schemas);
  return schemas;
}

function namedSchemas(hasAihot: boolean) {
  const items = itemSchemas(hasAihot);
  const hotTopic = hotTopicSchema(hasAihot);
  const stories = storySchemas(hasAihot);
  const { DailyEntry, Daily } = dailySchemas(hasAihot);
  const week = z.string().meta({ description: 'ISO week.', pattern: weekPattern });
  const month = z.string().meta({ description: 'Month.', pattern: monthPattern });
  const weekly = periodSchemas('week', week, hasAihot);
  const monthly = periodSchemas('month', month, hasAihot);
  const Upsert = upsertOf(items.MirroredItem, items.MinimalItem);
  return {
    Attribution: attribution,
    Source: source,
    ...items,
    HotTopic: hotTopic,
    ...stories,
    DailyEntry,
    Daily,
    WeeklyEntry: weekly.entry,
    Weekly: weekly.report,
    MonthlyEntry: monthly.entry,
    Monthly: monthly.report,
    Upsert,
    Removal: removal,
    ItemsPage: itemsPage(items.Item),
    HotTopicList: hotTopicList(hotTopic),
    StoryEnvelope: storyEnvelope(stories.Story),
    DailyIndex: reportIndex(DailyEntry),
    DailyEnvelope: reportEnvelope(Daily),
    WeeklyIndex: reportIndex(weekly.entry),
    WeeklyEnvelope: reportEnvelope(weekly.report),
    MonthlyIndex: reportIndex(monthly.entry),
    MonthlyEnvelope: reportEnvelope(monthly.report),
    SnapshotPage: snapshotPage(items.MirroredItem, items.MinimalItem),
    ChangesPage: changesPage(Upsert, removal),
    JsonFeed: jsonFeed,
    Problem: problem,
  };
}
