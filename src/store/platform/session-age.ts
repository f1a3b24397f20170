// Validity of sessions by their expiry and their last use.

/** A session is valid until its expiry, if it was used after `usedSince`; null: at any time. */
export type SessionAge = { readonly now: number; readonly usedSince: number | null };

/** `idleMs` null: a session may be idle until its end. */
export const sessionAge = (now: number, idleMs: number | null): SessionAge => ({
  now,
  usedSince: idleMs === null ? null : now - idleMs,
});
