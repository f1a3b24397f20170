// Which sessions still count, by their end and by their last request.

/** A session counts until its end, and while it was used after `usedSince`; null: however idle. */
export type SessionAge = { readonly now: number; readonly usedSince: number | null };

/** `idleMs` null: a session may be idle until its end. */
export const sessionAge = (now: number, idleMs: number | null): SessionAge => ({
  now,
  usedSince: idleMs === null ? null : now - idleMs,
});
