// The database and the queue as the rest of the house sees them: things to hand on, not to open.
// Only `store` knows what is inside.

declare const dbBrand: unique symbol;
declare const queueBrand: unique symbol;

export type Db = { readonly [dbBrand]: 'db' };
export type Queue = { readonly [queueBrand]: 'queue' };
