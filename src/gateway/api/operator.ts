// Handles the operator endpoints outside of the API: liveness, readiness, metrics and security.txt.
// Their responses are never cached.
import type { IncomingMessage } from 'node:http';
import { Fault } from '../../kernel/errors/fault.ts';
import { SECURITY_TEXT_PATH, SECURITY_TEXT_TYPE } from '../../kernel/http/security-text.ts';
import { METRICS_TYPE } from '../../kernel/observability/metrics.ts';
import { type GatewayResponse, JSON_TYPE, NO_STORE, privateJson } from './http-response.ts';

export type GatewayOperatorRoutes = {
  /** Null when this process can serve; otherwise the reason. */
  findNotReadyReason(): Promise<string | null>;
  /** Prometheus text, or null when this caller may not read it. */
  metrics(req: IncomingMessage): Promise<string | null>;
  /** Absent or null: there is no security.txt. */
  securityText?(): string | null;
};

export const operatorPaths = ['/healthz', '/readyz', '/metrics', SECURITY_TEXT_PATH] as const;

export async function handleOperator(
  path: (typeof operatorPaths)[number],
  req: IncomingMessage,
  operator: GatewayOperatorRoutes,
): Promise<GatewayResponse> {
  switch (path) {
    case '/healthz':
      return privateJson({ status: 'ok' });
    case '/readyz': {
      const reason = await operator.findNotReadyReason();
      if (reason === null) return privateJson({ status: 'ready' });
      const headers = {
        'content-type': JSON_TYPE,
        'cache-control': NO_STORE,
        'retry-after': '1',
      };
      return { status: 503, headers, body: JSON.stringify({ status: 'not ready', reason }) };
    }
    case SECURITY_TEXT_PATH: {
      const text = operator.securityText?.() ?? null;
      if (text === null) throw new Fault('not_found', 'There is no such address.');
      const headers = { 'content-type': SECURITY_TEXT_TYPE, 'cache-control': NO_STORE };
      return { status: 200, headers, body: text };
    }
    case '/metrics': {
      const text = await operator.metrics(req);
      // An unauthorized client receives the same 404 as for an unknown path.
      if (text === null) throw new Fault('not_found', 'There is no such address.');
      const headers = { 'content-type': METRICS_TYPE, 'cache-control': NO_STORE };
      return { status: 200, headers, body: text };
    }
  }
}
