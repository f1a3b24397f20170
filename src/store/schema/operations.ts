// Tables of the gateway's operation: prices, switches, rates, integrity checks, metrics and health.
import type { Instant, Json, NullableInstant, NullableJson } from './columns.ts';

/** The result of one invariant of an integrity check. */
export type ProofResult = {
  readonly name: string;
  /** Number of rows that violate the invariant; at most a hundred are counted. */
  readonly broken: number;
  readonly sample: readonly { readonly subject: string; readonly detail: string }[];
  readonly ms: number;
};

export type OperationsSchema = {
  retired_partitions: {
    table_name: string;
    name: string;
    since: NullableInstant;
    until: Instant;
    detached_at: Instant;
    retired_at: NullableInstant;
    rows: number;
    columns: string[];
    files: number;
    bytes: number;
    sha256: Buffer | null;
  };
  price_versions: {
    version: number;
    starts_at: Instant;
    made_at: Instant;
    actor: string;
    reason: string;
    withdrawn_at: NullableInstant;
    model_version: number | null;
  };
  model_prices: {
    version: number;
    model: string;
    class: string;
    from_tokens: number;
    variant: string;
    micro_fen: number;
    origin: 'manual' | 'import';
  };
  price_proposals: {
    id: string;
    made_at: Instant;
    sha256: string;
    rate_ppm: number;
    margin_ppm: number;
    rows: Json<readonly object[]>;
    accepted_version: number | null;
  };
  price_figures: { version: number; sku: string; amount: number };
  switches: {
    kind: 'capability' | 'provider';
    name: string;
    is_off: boolean;
    version: number;
    reason: string;
    actor: string;
    at: Instant;
  };
  key_rates: { subject: string; per_second: number; burst: number };
  allowance_cap: {
    only_row: boolean;
    amount: number | null;
    version: number;
    actor: string;
    at: Instant;
  };
  allowance_days: { day: string; given: number };
  ledger_proofs: {
    id: string;
    asked_at: Instant;
    asked_by: string | null;
    started_at: NullableInstant;
    /** The last report of progress. */
    told_at: NullableInstant;
    finished_at: NullableInstant;
    entries: number | null;
    sealed: number | null;
    results: Json<readonly ProofResult[]>;
  };
  ledger_figures: {
    only_row: boolean;
    at: Instant;
    through: number;
    entries: number;
    unsealed: number;
    captured_allowance: number;
    captured_voucher: number;
    captured_cash: number;
    holds: NullableJson<Readonly<Record<string, number>>>;
    jobs: Json<Readonly<Record<string, number>>>;
  };
  relay_usage_days: {
    day: string;
    key_id: string;
    model: string;
    account_id: string;
    livemode: boolean;
    calls: number;
    completed: number;
    estimated: number;
    prompt_tokens: number;
    completion_tokens: number;
    duration_ms: number;
    charge: number;
    cost: number;
    costed: number;
  };
  provider_health: {
    node: string;
    capability: string;
    provider: string;
    circuit: 'closed' | 'open' | 'half_open' | 'off';
    calls: number;
    failures: number;
    latency_ms: number | null;
    last_success_at: NullableInstant;
    last_failure_at: NullableInstant;
    is_account_refused: boolean;
    at: Instant;
  };
  provider_hours: {
    hour: Instant;
    capability: string;
    provider: string;
    calls: number;
    failures: number;
    latency_ms: number;
  };
  backups: {
    id: string;
    started_at: Instant;
    finished_at: Instant;
    bytes: number | null;
    error: string | null;
  };
  worker_ticks: { only_row: boolean; at: Instant };
};
