// Operators: sessions, audit log and sign-in attempts.
import type { Instant, Json } from './columns.ts';

export type OperatorSchema = {
  settings: { name: string; value: Json<unknown>; changed_at: Instant };
  operator_password: { only_row: boolean; hash: string; changed_at: Instant };
  operator_sessions: {
    id: string;
    name: string;
    hash: Buffer;
    created_at: Instant;
    expires_at: Instant;
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
  };
};
