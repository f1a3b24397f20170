// The table of token usage of chat calls.
import type { Instant } from './columns.ts';

export type RelaySchema = {
  relay_usage: {
    request_id: string;
    account_id: string;
    livemode: boolean;
    key_id: string;
    model: string;
    upstream: string;
    is_stream: boolean;
    ended: 'completed' | 'client_left' | 'failed';
    counted: 'upstream' | 'estimated' | 'contradictory' | 'free';
    prompt_tokens: number;
    completion_tokens: number;
    started_at: Instant;
    duration_ms: number;
    /** Micro-fen; null: the call has no price. */
    charge: number | null;
    /** Micro-fen; null: the cost of an attempt is unknown. */
    cost: number | null;
    /** Micro-fen of each attempt, in the order of the attempts. */
    attempt_costs: readonly (string | null)[] | null;
  };
};
