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
export type FilteredRequest = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

export type RequestFilter = {
  readonly clients: ClientResolver;
  /** A fault for a blocked client or a reached rate limit; null: accepted. Counts the request. */
  check(req: FilteredRequest): Fault | null;
  /** For addresses outside of the public API: a fault for a blocked network, else null. */
  checkNetwork(req: FilteredRequest): Fault | null;
};

/** Addresses outside of the read-only API have other rules for methods and limits. */
const operatorPaths = ['/healthz', '/readyz', '/metrics', SECURITY_TEXT_PATH];
const outsidePrefixes = ['/mcp', '/api/ingest/items', '/admin', ...operatorPaths];

export function isOutsidePublicApi(path: string): boolean {
  return outsidePrefixes.some(
    // Compares without `prefix + '/'`, which would create a string per request.
    (prefix) =>
      path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/'),
  );
}

/** True for read-only endpoints of operators, which have no rate limit. */
export function isOperatorPath(path: string): boolean {
  return operatorPaths.includes(path);
}

/** Null: accepted. A fault: refused. `options`: respond with 204. */
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
  /** Receives the actor of every admitted request that names an actor. */
  readonly onActor?: (actor: string) => void;
};

const AGENTS_MAX = 10_000;
/** The longest delay that the contract permits: Retry-After is 1..120. */
const WAIT_SECONDS_MAX = 120;

/** Throws a Fault that names an invalid entry of the configuration. */
export function openRequestFilter(world: World, options: FilterOptions): RequestFilter {
  const { clients } = options;
  const takeWaitSeconds = openRateLimit(world, options);
  const classify = openClassifier(options);
  return {
    clients,
    check: (req) => {
      const client = clients.resolve(req);
      const agent = req.headers['user-agent'];
      const verdict = agent === undefined ? null : classify(agent);
      if (client.isBlocked || verdict?.isBlocked) return blockedClient();
      if (verdict?.isTooLong) return longAgentFault();
      const waitSeconds = takeWaitSeconds(client.key);
      if (waitSeconds > 0) return rateLimitFault(waitSeconds);
      if (verdict !== null && verdict.actor !== null) options.onActor?.(verdict.actor);
      return null;
    },
    checkNetwork: (req) => (clients.resolve(req).isBlocked ? blockedClient() : null),
  };
}

/** Returns a function that counts a client's request and returns the seconds to wait, or 0. */
function openRateLimit(world: World, { limits }: FilterOptions): (client: string) => number {
  const rate = { perSecond: limits.requestsPerSecond, burst: limits.burst };
  if (rate.perSecond === 0) return () => 0;
  if (rate.perSecond < 1 / WAIT_SECONDS_MAX || rate.burst < 1) {
    throw new Fault(
      'invalid_request',
      `limits: ${rate.perSecond} requests per second with a burst of ${rate.burst} blocks all` +
        ' requests. Set at least one request in 120 seconds and a burst of 1, or 0 for no limit.',
    );
  }
  const limiter = openLocalLimiter(world.clock);
  return (client) =>
    Math.min(WAIT_SECONDS_MAX, Math.ceil(limiter.takeToken(client, rate).waitMs / 1_000));
}

function openClassifier({ blocked }: FilterOptions): (agent: string) => AgentVerdict {
  const cachedVerdicts = openBoundedCache<AgentVerdict>(AGENTS_MAX);
  return (agent) => {
    const cachedVerdict = cachedVerdicts.get(agent);
    if (cachedVerdict !== undefined) return cachedVerdict;
    const verdict = classifyAgent(agent, blocked.agents);
    if (!verdict.isTooLong) cachedVerdicts.set(agent, verdict);
    return verdict;
  };
}

const longAgentFault = () =>
  new Fault(
    'invalid_request',
    `The header User-Agent is longer than ${USER_AGENT_MAX} characters.`,
  );

const rateLimitFault = (retryAfterSeconds: number) =>
  new Fault('rate_limited', `Too many requests. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
