// The request filter before all public addresses: networks, rate limits and methods. It reads the
// request line and headers only, so a refusal never reads a body.
import type { IncomingMessage } from 'node:http';
import {
  blockedClient,
  type ClientResolver,
} from '../../../kernel/client-address/client-address.ts';
import { openBoundedCache } from '../../../kernel/concurrency/bounded-cache.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { SECURITY_TEXT_PATH } from '../../../kernel/http/security-text.ts';
import { openLocalLimiter } from '../../../kernel/rate-limit/limiter.ts';
import type { World } from '../../../kernel/world.ts';
import { type AgentVerdict, classifyAgent, USER_AGENT_MAX } from './user-agent.ts';

/** The parts of a parsed request that the filter reads. */
export type GateRequest = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

export type RequestFilter = {
  readonly clients: ClientResolver;
  /** Null: accepted. A fault: refused. `options`: respond with 204. */
  check(req: GateRequest): Fault | 'options' | null;
  /** For addresses outside of the public API: a fault for a blocked network, else null. */
  checkNetwork(req: GateRequest): Fault | null;
};

/** Addresses outside of the read-only API, with rules of their own. */
const operators = ['/healthz', '/readyz', '/metrics', SECURITY_TEXT_PATH];
const outside = ['/mcp', '/api/ingest/items', '/admin', ...operators];

export function isOutside(path: string): boolean {
  return outside.some(
    // The prefix with its slash. It is cached, so that no string is created per request.
    (prefix) =>
      path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/'),
  );
}

/** Read-only endpoints of operators, which the filter never refuses. */
export function isOperators(path: string): boolean {
  return operators.includes(path);
}

export function checkMethod(req: IncomingMessage): Fault | 'options' | null {
  if (req.method === 'GET' || req.method === 'HEAD') return null;
  if (req.method === 'OPTIONS') return 'options';
  return new Fault('method_not_allowed', 'This address is read-only: use GET, HEAD or OPTIONS.');
}

export type FilterOptions = {
  readonly clients: ClientResolver;
  /** Per client; `requestsPerSecond` 0 switches the limit off. */
  readonly limits: { readonly requestsPerSecond: number; readonly burst: number };
  readonly blocked: { readonly agents: readonly string[] };
  /** Receives every admitted request that names an actor. */
  readonly onActor?: (actor: string) => void;
};

const AGENTS_MAX = 10_000;
/** The longest delay that the contract permits: Retry-After is 1..120. */
const LONGEST_WAIT_SECONDS = 120;

/** Throws a Fault that names an invalid entry of the configuration. */
export function openRequestFilter(world: World, options: FilterOptions): RequestFilter {
  const { clients } = options;
  const waitOf = openLimit(world, options);
  const verdictOn = openVerdicts(options);
  return {
    clients,
    check: (req) => {
      const client = clients.resolve(req);
      const agent = req.headers['user-agent'];
      const verdict = agent === undefined ? null : verdictOn(agent);
      if (client.isBlocked || verdict?.isBlocked) return blockedClient();
      if (verdict?.isTooLong) return tooLong();
      const waitSeconds = waitOf(client.key);
      if (waitSeconds > 0) return tooMany(waitSeconds);
      if (verdict !== null && verdict.actor !== null) options.onActor?.(verdict.actor);
      return null;
    },
    checkNetwork: (req) => (clients.resolve(req).isBlocked ? blockedClient() : null),
  };
}

/** Takes one request from a client's rate limit: 0, or the seconds until the next is allowed. */
function openLimit(world: World, { limits }: FilterOptions): (client: string) => number {
  const rate = { perSecond: limits.requestsPerSecond, burst: limits.burst };
  if (rate.perSecond === 0) return () => 0;
  if (rate.perSecond < 1 / LONGEST_WAIT_SECONDS || rate.burst < 1) {
    throw new Fault(
      'invalid_request',
      `limits: ${rate.perSecond} requests per second with a burst of ${rate.burst} blocks all` +
        ' requests. At least one request in 120 seconds and a burst of 1, or 0 for no limit.',
    );
  }
  const limiter = openLocalLimiter(world.clock);
  return (client) =>
    Math.min(LONGEST_WAIT_SECONDS, Math.ceil(limiter.takeToken(client, rate).waitMs / 1_000));
}

function openVerdicts({ blocked }: FilterOptions): (agent: string) => AgentVerdict {
  const cachedVerdicts = openBoundedCache<AgentVerdict>(AGENTS_MAX);
  return (agent) => {
    const before = cachedVerdicts.get(agent);
    if (before !== undefined) return before;
    const verdict = classifyAgent(agent, blocked.agents);
    if (!verdict.isTooLong) cachedVerdicts.set(agent, verdict);
    return verdict;
  };
}

const tooLong = () =>
  new Fault(
    'invalid_request',
    `The header User-Agent is longer than ${USER_AGENT_MAX} characters.`,
  );

const tooMany = (retryAfterSeconds: number) =>
  new Fault('rate_limited', `Too many requests. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
