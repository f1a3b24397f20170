// Column types for Kysely. Instants are epoch milliseconds in the code and `timestamptz` in the
// database.
import type { ColumnType } from 'kysely';

/** Read as epoch milliseconds, written as a Date. */
export type Instant = ColumnType<number, Date, Date>;
export type NullableInstant = ColumnType<number | null, Date | null, Date | null>;
/** Read as parsed JSON, written as JSON text. */
export type Json<T> = ColumnType<T, string, string>;
export type NullableJson<T> = ColumnType<T | null, string | null, string | null>;
