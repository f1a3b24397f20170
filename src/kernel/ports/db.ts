// The database handle outside of the store. Only `store` can open it.

declare const dbBrand: unique symbol;

export type Db = { readonly [dbBrand]: 'db' };
