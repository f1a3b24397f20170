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
  };
};
