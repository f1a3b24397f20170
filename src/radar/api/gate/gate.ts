// What stands before every answer of the public addresses: who may ask, how often, and by which
// method. It looks at the request line and headers only; a body is never read to refuse it.
import type { IncomingMessage } from 'node:http';
import { Fault } from '../../../kernel/fault.ts';
import type { World } from '../../../kernel/world.ts';

export type Gate = {
  /** Null: come in. A fault: refused, to be answered as a problem. `options`: answer 204. */
  check(req: IncomingMessage): Fault | 'options' | null;
};

/** Addresses that stand outside the read-only API and have rules of their own. */
const outside = ['/mcp', '/api/ingest/items', '/admin', '/healthz', '/readyz', '/metrics'];

export function isOutside(path: string): boolean {
  return outside.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

export function checkMethod(req: IncomingMessage): Fault | 'options' | null {
  if (req.method === 'GET' || req.method === 'HEAD') return null;
  if (req.method === 'OPTIONS') return 'options';
  return new Fault('method_not_allowed', 'This address is read-only: use GET, HEAD or OPTIONS.');
}

export type GateOptions = {
  readonly trustProxy: readonly string[];
  readonly limits: { readonly requestsPerSecond: number; readonly burst: number };
  readonly blocked: { readonly networks: readonly string[]; readonly agents: readonly string[] };
};

export function openGate(_world: World, _options: GateOptions): Gate {
  return { check: () => null };
}
