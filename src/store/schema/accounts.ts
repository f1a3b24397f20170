// Who may call the gateway: accounts, API keys, sessions at the console.
import type { Instant, NullableInstant } from './columns.ts';

export type AccountsSchema = {
  accounts: {
    id: string;
    email: string;
    password_hash: string;
    status: 'active' | 'suspended';
    calls_per_day: number | null;
    calls_per_month: number | null;
    created_at: Instant;
  };
  api_keys: {
    id: string;
    account_id: string;
    kind: 'sk' | 'ak';
    livemode: boolean;
    name: string;
    hash: Buffer;
    prefix: string;
    last4: string;
    scopes: string[];
    networks: string[];
    budget_amount: number | null;
    budget_period: 'day' | 'month' | 'total' | null;
    created_at: Instant;
    expires_at: NullableInstant;
    revoked_at: NullableInstant;
    last_used_at: NullableInstant;
  };
  account_sessions: {
    id: string;
    account_id: string;
    hash: Buffer;
    created_at: Instant;
    expires_at: Instant;
  };
};
