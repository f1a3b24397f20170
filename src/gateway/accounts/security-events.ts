// Defines the events of an account's security log.
export const securityEvents = [
  'signed_in',
  'signed_in_new_browser',
  'sign_in_locked',
  'session_ended',
  'other_sessions_ended',
  'password_changed',
  'password_reset',
  'password_set_by_operator',
  'address_requested',
  'address_changed',
  'factor_on',
  'factor_off',
  'recovery_codes_renewed',
  'live_key_made',
  'test_key_made',
  'key_changed',
  'key_revoked',
  'webhook_added',
  'webhook_changed',
  'webhook_secret_changed',
  'webhook_removed',
  'data_downloaded',
] as const;

export type SecurityEventKind = (typeof securityEvents)[number];

/** The client that caused an event. */
export type EventOrigin = {
  /** Null: a command at the shell. */
  readonly address: string | null;
  /** The browser's user agent; empty: unknown. */
  readonly agent: string;
};

/** A command at the shell has no browser. */
export const SHELL_ORIGIN: EventOrigin = { address: null, agent: '' };

export type SecurityEvent = {
  readonly kind: SecurityEventKind;
  /** The key or the endpoint, as its owner recognizes it; null: the account itself. */
  readonly subject: string | null;
};

export type SecurityLogEntry = SecurityEvent &
  EventOrigin & {
    readonly id: string;
    /** Epoch milliseconds. */
    readonly at: number;
  };

export const keyCreatedEvent = (livemode: boolean, name: string): SecurityEvent => ({
  kind: livemode ? 'live_key_made' : 'test_key_made',
  subject: name,
});
