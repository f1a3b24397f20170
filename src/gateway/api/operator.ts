// For whoever runs the process: is it alive, can it serve, what does it measure. Never cached, and
// outside of the API.
import type { IncomingMessage } from 'node:http';
import { Fault } from '../../kernel/errors/fault.ts';
import { METRICS_TYPE } from '../../kernel/observability/metrics.ts';
import { type Answer, JSON_TYPE, NO_STORE, privateJson } from './http-response.ts';

export type OperatorAnswers = {
  /** Null while this process can serve; else why not. */
  notReady(): Promise<string | null>;
  /** Prometheus text, or null when this caller may not read it. */
  metrics(req: IncomingMessage): Promise<string | null>;
};

export const operatorPaths = ['/healthz', '/readyz', '/metrics'] as const;

export async function answerOperator(
  path: (typeof operatorPaths)[number],
  req: IncomingMessage,
  operator: OperatorAnswers,
): Promise<Answer> {
  switch (path) {
    case '/healthz':
      return privateJson({ status: 'ok' });
    case '/readyz': {
      const reason = await operator.notReady();
      if (reason === null) return privateJson({ status: 'ready' });
      const headers = {
        'content-type': JSON_TYPE,
        'cache-control': NO_STORE,
        'retry-after': '1',
      };
      return { status: 503, headers, body: JSON.stringify({ status: 'not ready', reason }) };
    }
    case '/metrics': {
      const text = await operator.metrics(req);
      // Whoever may not read it learns no more than that there is no such address for them.
      if (text === null) throw new Fault('not_found', 'There is no such address.');
      const headers = { 'content-type': METRICS_TYPE, 'cache-control': NO_STORE };
      return { status: 200, headers, body: text };
    }
  }
}
