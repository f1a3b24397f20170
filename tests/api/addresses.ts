// The addresses of the public API, for tests that apply to all of them.

/** Addresses without content, or of objects that do not exist: 404. */
export const absentAddresses = [
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

/** Addresses that the read model serves: they return 200 even while the database is unreachable. */
export const addressesFromMemory = addressesWithContent.filter(
  (path) => path !== '/api/v1/selected/snapshot',
);

export const everyAddress = [
  ...addressesWithContent,
  '/api/v1/selected/changes',
  ...absentAddresses,
] as const;

/** Unknown addresses. They also accept only methods that read. */
export const unknownAddresses = [
  '/api',
  '/api/v1',
  '/api/v1/items/',
  '/api/v1/ITEMS',
  '/x/y',
  '/*',
];
