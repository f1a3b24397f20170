// Tables of operators: identities, sessions, audit log and sign-in attempts.
import type { Instant, Json, NullableInstant } from './columns.ts';

export type OperatorSchema = {
  settings: { name: string; value: Json<unknown>; changed_at: Instant };
  operators: {
    id: string;
    name: string;
    role: 'owner' | 'editor' | 'treasurer' | 'support' | 'auditor';
    hash: string | null;
    invitation: Buffer | null;
    invited_until: Instant | null;
    totp_secret: Buffer | null;
    totp_step: number | null;
    created_at: Instant;
  };
  operator_recovery_codes: { operator_id: string; hash: Buffer };
  operator_sessions: {
    id: string;
    operator_id: string;
    hash: Buffer;
    client: string;
    created_at: Instant;
    expires_at: Instant;
    seen_at: NullableInstant;
  };
  sign_in_tries: { key: Buffer; arrives_at: number };
  operator_audit: {
    id: string;
    at: Instant;
    actor: string;
    action: string;
    kind: string;
    subject: string;
    before: Json<Record<string, unknown>>;
    after: Json<Record<string, unknown>>;
    note: string | null;
    operator_id: string | null;
    address: string | null;
  };
};
