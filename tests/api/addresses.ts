// The addresses of the public API, for tests that apply to all of them.

/** Addresses without content, or of objects that do not exist: 404. */
export const absent = [
  '/api/v1/stories/0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11',
  '/api/v1/dailies/latest',
  '/api/v1/dailies/2026-08-21',
  '/api/v1/weeklies/latest',
  '/api/v1/weeklies/2026-W33',
  '/api/v1/monthlies/latest',
  '/api/v1/monthlies/2026-07',
] as const;

/** Addresses that return 200 without parameters. */
export const addressesWithContent = [
  '/api/v1/items',
  '/api/v1/hot-topics',
  '/api/v1/selected/snapshot',
  '/api/v1/dailies',
  '/api/v1/weeklies',
  '/api/v1/monthlies',
  '/openapi-v1.json',
] as const;

/** Served from the read model: 200 also while the database is away. */
export const fromMemory = addressesWithContent.filter(
  (path) => path !== '/api/v1/selected/snapshot',
);

export const every = [...addressesWithContent, '/api/v1/selected/changes', ...absent] as const;

/** Unknown addresses, which also accept only reading methods. */
export const unknown = ['/api', '/api/v1', '/api/v1/items/', '/api/v1/ITEMS', '/x/y', '/*'];
