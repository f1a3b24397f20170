// The core tables of the radar: sources, items, enrichments and the public projection.
import type { ColumnType, Generated } from 'kysely';
import type { Instant, Json, NullableInstant, NullableJson } from './columns.ts';

export type SourceKind = 'feed' | 'web-list' | 'json-list' | 'push';
export type SourceStatus = 'active' | 'paused' | 'gone';
export type FetchOutcomeCode = 'read' | 'unchanged' | 'failed' | 'refused' | 'moved' | 'gone';

/**
 * The reason for a new epoch: a restored backup, or a database with an earlier state than a node
 * has read. Null for the first epoch.
 */
export type EpochReason = 'restored' | 'earlier_state';

export type RadarSchema = {
  migrations: {
    name: string;
    hash: string;
    applied_at: Instant;
    oldest_program: Generated<string>;
  };
  secrets: { name: string; value: Buffer };
  nodes: {
    id: string;
    host: string;
    pid: number;
    parts: string[];
    started_at: Instant;
    seen_at: Instant;
    clock_offset_ms: number;
    edition_seq: number;
  };
  sources: {
    id: string;
    kind: SourceKind;
    name: string;
    url: string | null;
    settings: Json<Record<string, unknown>>;
    private_hosts: string[];
    tier: 'T1' | 'T1_5' | 'T2';
    owner: string;
    language: string;
    participation: 'editorial' | 'signal' | 'isolated';
    interval_minutes: number;
    category_hint: string | null;
    proxy: string | null;
    status: SourceStatus;
    verified_at: NullableInstant;
    created_at: Instant;
    updated_at: Instant;
    version: ColumnType<number, number | undefined, number>;
    removed_at: NullableInstant;
  };
  reading_positions: {
    source_id: string;
    etag: string | null;
    last_modified: string | null;
    body_hash: string | null;
    imported_at: NullableInstant;
    moved_to: string | null;
    moved_count: ColumnType<number, number | undefined, number>;
    gone_count: ColumnType<number, number | undefined, number>;
    failures: ColumnType<number, number | undefined, number>;
    last_success_at: NullableInstant;
    next_read_at: NullableInstant;
  };
  push_tokens: { source_id: string; hash: Buffer; made_at: Instant };
  readings: {
    id: string;
    source_id: string;
    started_at: Instant;
    duration_ms: number;
    outcome: FetchOutcomeCode;
    status: number | null;
    bytes: number | null;
    entries: number;
    created: number;
    changed: number;
    message: string | null;
    notes: NullableJson<unknown>;
  };
  items: {
    id: string;
    source_id: string;
    entry_key: string;
    url: string;
    canonical_url: string;
    title: string;
    summary: string;
    content: string;
    article: string | null;
    author: string | null;
    language: string | null;
    published_at: NullableInstant;
    discovered_at: Instant;
    updated_at: Instant;
    content_hash: string;
    revision: number;
    is_backfill: boolean;
    awaits_desk_since: NullableInstant;
  };
  judgements: {
    item_id: string;
    desk_version: string;
    judged_at: Instant;
    title: string;
    original_title: string | null;
    summary: string | null;
    category: string | null;
    score: number;
    is_worthy: boolean;
    reason: string | null;
    summary_by: 'rules' | 'model';
    language: string;
    model_record: NullableJson<unknown>;
    orders: number;
    withholds_title: boolean;
  };
  item_overrides: {
    item_id: string;
    withdrawn_at: NullableInstant;
    title: string | null;
    summary: string | null;
    category: string | null;
    version: number;
  };
  item_actions: {
    id: string;
    item_id: string;
    action: 'withdraw' | 'restore' | 'correct';
    at: Instant;
    actor: string;
    fields: Json<Record<string, unknown>>;
    note: string | null;
  };
  reading_groups: {
    id: string;
    first_appeared_at: Instant;
    representative_id: string | null;
  };
  reading_group_members: { item_id: string; group_id: string };
  duplicate_keys: {
    item_id: string;
    at: Instant;
    title_key: string | null;
    bands: bigint[] | null;
    signature: Buffer | null;
  };
  publication_head: {
    only_row: boolean;
    epoch: string;
    seq: number;
    epoch_reason: EpochReason | null;
    epoch_began_at: NullableInstant;
  };
  publication_log: { seq: number; kind: string; key: string; at: Instant };
  public_items: {
    id: string;
    title: string;
    original_title: string | null;
    summary: string | null;
    source_name: string;
    original_url: string;
    published_at: NullableInstant;
    discovered_at: Instant;
    category: string | null;
    score: number | null;
    selected: boolean;
    reason: string | null;
    language: string;
    summary_by: 'rules' | 'model';
    story_id: string | null;
    timeline_at: Instant;
    published_sort_at: Instant;
  };
  archive_index: { id: string; at: Instant; terms: string };
  selected_ledger: {
    seq: number;
    item_id: string;
    op: 'upsert' | 'remove';
    changed_at: Instant;
    item: NullableJson<Record<string, unknown>>;
    superseded_seq: number | null;
  };
  actor_days: { day: string; hash: string };
};
