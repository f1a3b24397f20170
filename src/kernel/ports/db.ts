// The database as the rest of the house sees it: something to hand on, not to open. Only `store`
// knows what is inside.

declare const dbBrand: unique symbol;

export type Db = { readonly [dbBrand]: 'db' };
