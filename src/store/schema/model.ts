// Tables of model requests, budgets, request rates and vectors. Money is written as bigint and read
// as text (`::text`, then `microFen`), never as a number.
import type { Instant, Json, NullableInstant, NullableJson } from './columns.ts';

export type ReceiptState = 'waiting' | 'asked' | 'answered' | 'failed';

export type BudgetSpan = 'minute' | 'hour' | 'day';

/**
 * The features of a model's server, learned from its responses. A null `limit` means that the
 * server accepts no token limit.
 */
export type Dialect = {
  readonly format: 'strict_schema' | 'json_schema' | 'json_object' | 'text';
  readonly limit: 'max_tokens' | 'max_completion_tokens' | null;
  readonly hasTemperature: boolean;
};

/** Distribution of the cosines of unrelated texts. */
type Cosines = { readonly mean: number; readonly deviation: number; readonly pairs: number };

/** Cosines of texts in the same script, and in different scripts. */
export type StoredCalibration = { readonly within: Cosines; readonly across: Cosines };

export type ModelSchema = {
  model_receipts: {
    id: string;
    /** Hash of the request without the dialect; unique. */
    question: string;
    step: string;
    model: string;
    prompt: string;
    prompt_version: string;
    subject: string | null;
    /** Above 0: a repeated score of the same input. */
    turn: number;
    /** 1: the repair of a reply that was not valid. */
    round: number;
    state: ReceiptState;
    claim: string;
    claimed_until: Instant;
    sent: number;
    released: number;
    held_tokens: number;
    held_cost: bigint;
    first_at: Instant;
    asked_at: NullableInstant;
    settled_at: NullableInstant;
    answer: string | null;
    finish: string | null;
    prompt_tokens: number;
    answer_tokens: number;
    cost: bigint;
    error: string | null;
  };
  model_budgets: {
    model: string;
    span: BudgetSpan;
    starts_at: Instant;
    requests: number;
    tokens: number;
    cost: bigint;
  };
  model_days: {
    day: string;
    step: string;
    model: string;
    requests: number;
    answers: number;
    failures: number;
    unknown: number;
    over_budget: number;
    refused: number;
    prompt_tokens: number;
    answer_tokens: number;
    cost: bigint;
    unknown_cost: bigint;
  };
  model_standings: { model: string; next_at: Instant; pace_ms: number; dialect: Json<Dialect> };
  model_routing: {
    only_row: boolean;
    version: number;
    steps: Json<Record<string, string>>;
    changed_at: Instant;
  };
  model_vectors: {
    model: string;
    text_hash: string;
    receipt_id: string;
    claimed_until: Instant;
    vector: Buffer | null;
    released: number;
  };
  embedding_models: {
    model: string;
    dimensions: number;
    calibration: NullableJson<StoredCalibration>;
    calibrated_at: NullableInstant;
  };
};
