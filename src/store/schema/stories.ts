// Tables of stories, rankings, reports and public documents.
import type { Instant, Json, NullableInstant, NullableJson } from './columns.ts';

export type ReportKind = 'daily' | 'weekly' | 'monthly';
export type DocumentKind = 'story' | 'ranking' | ReportKind;

export type StoriesSchema = {
  story_head: {
    only_row: boolean;
    seq: number;
    looked_at: NullableInstant;
    compared_at: NullableInstant;
    split_at: NullableInstant;
  };
  story_queue: { item_id: string };
  stories: {
    id: string;
    founded_at: Instant;
    merged_into: string | null;
    is_closed: boolean;
    version: number;
  };
  story_members: { item_id: string; story_id: string; at: Instant; ordinal: number };
  story_developments: { item_id: string; development: string };
  story_edits: {
    story_id: string;
    title: string | null;
    placement: 'lead' | 'promoted' | 'sunk' | null;
    version: number;
    edited_at: Instant;
  };
  story_views: { item_id: string; at: Instant; version: string; view: Buffer };
  story_assignments: {
    seq: number;
    item_id: string;
    story_id: string;
    from_story_id: string | null;
    at: Instant;
    reason: string;
    score: number;
    features: Json<Record<string, number>>;
    rules_version: string;
    action_id: string | null;
  };
  story_actions: {
    id: string;
    action: 'merge' | 'split' | 'pin' | 'unpin' | 'undo';
    at: Instant;
    actor: string;
    note: string | null;
    detail: Json<Record<string, unknown>>;
    undoes_id: string | null;
  };
  story_pins: {
    id: string;
    kind: 'must-link' | 'cannot-link' | 'stand-alone';
    item_id: string;
    other_item_id: string | null;
    action_id: string;
  };
  story_links: {
    story_id: string;
    other_id: string;
    relation: 'storyline' | 'related';
    score: number;
  };
  item_claims: { item_id: string; revision: number; rules: string; claims: Json<unknown> };
  story_digests: {
    story_id: string;
    version: number;
    rules: string;
    inputs_hash: string;
    inputs: string[];
    digest: Json<unknown>;
    digest_by: 'rules' | 'model';
    updated_at: Instant;
    asked_inputs: string | null;
    asked_at: NullableInstant;
    written_with: NullableJson<unknown>;
  };
  rankings: { id: string; ranked_at: Instant; topics: Json<unknown> };
  reports: {
    kind: ReportKind;
    key: string;
    window_start: Instant;
    window_end: Instant;
    generated_at: Instant;
    content: Json<unknown>;
    version: number;
  };
  report_corrections: {
    id: string;
    kind: ReportKind;
    key: string;
    at: Instant;
    actor: string;
    note: string;
    item_id: string | null;
  };
  report_runs: {
    id: string;
    kind: ReportKind;
    key: string;
    at: Instant;
    outcome: 'written' | 'empty' | 'standing';
    detail: string | null;
  };
  public_documents: {
    kind: DocumentKind;
    key: string;
    body: Json<unknown>;
    cites: string[];
    sort_at: Instant;
  };
};
