// Tables of accounts: API keys, console sessions, mails.
import type { Instant, NullableInstant } from './columns.ts';

export type AccountsSchema = {
  accounts: {
    id: string;
    email: string;
    password_hash: string;
    status: 'active' | 'suspended' | 'deleted';
    calls_per_day: number | null;
    calls_per_month: number | null;
    created_at: Instant;
    awaits_verification: boolean;
    language: 'en' | 'zh-CN' | null;
    network: string | null;
    totp_secret: Buffer | null;
    totp_step: number | null;
    alert_mails: boolean;
    deleted_at: NullableInstant;
    erase_at: NullableInstant;
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
    may_continue: boolean;
    budget_amount: number | null;
    budget_period: 'day' | 'month' | 'total' | null;
    created_at: Instant;
    expires_at: NullableInstant;
    revoked_at: NullableInstant;
    last_used_at: NullableInstant;
    /** The id of the form submission that created the key. */
    wish: string | null;
    replaced_by: string | null;
    version: number;
  };
  account_sessions: {
    id: string;
    account_id: string;
    hash: Buffer;
    created_at: Instant;
    expires_at: Instant;
    livemode: boolean;
    seen_at: NullableInstant;
    agent: string;
    network: string;
  };
  account_security_log: {
    id: string;
    account_id: string;
    at: Instant;
    kind: string;
    subject: string | null;
    address: string | null;
    agent: string;
  };
  account_recovery_codes: { account_id: string; hash: Buffer };
  account_mail_tokens: {
    hash: Buffer;
    account_id: string;
    purpose: 'verify' | 'reset' | 'address';
    created_at: Instant;
    expires_at: Instant;
    address: string | null;
  };
  outgoing_mails: {
    id: string;
    /** The encrypted message. */
    letter: Buffer;
    created_at: Instant;
    due_at: Instant;
    ends_at: Instant;
    tries: number;
    claimed_until: NullableInstant;
    last_error: string | null;
  };
  account_invites: {
    id: string;
    hash: Buffer;
    prefix: string;
    note: string;
    made_by: string;
    created_at: Instant;
    expires_at: Instant;
    revoked_at: NullableInstant;
    used_at: NullableInstant;
    account_id: string | null;
  };
};
