// Gives every connection of the server a fast path. Cached responses are sent before `node:http`
// parses the request; all other requests use `node:http`. Measured in decision 0006.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { openBoundedCache } from '../../../kernel/concurrency/bounded-cache.ts';
import {
  type FastPathConnection,
  type FastPathOptions,
  openFastPathConnection,
  type ParsedRequest,
} from './fast-path-connection.ts';

const CACHED_REQUESTS_MAX = 10_000;

export type FastPath = {
  /** Closes idle connections now, and other connections after their response. */
  close(): void;
};

/**
 * Reads the bytes of each socket before the parser of `node:http`. Must be called before the server
 * listens.
 */
export function openFastPath(
  server: Server,
  { respond, isCached }: Pick<FastPathOptions, 'respond' | 'isCached'>,
): FastPath {
  const parsedRequests = openBoundedCache<ParsedRequest>(CACHED_REQUESTS_MAX);
  const connections = new Set<FastPathConnection>();
  const connectionsByStream = new WeakMap<object, FastPathConnection>();
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const connection = openFastPathConnection(socket, {
      parsedRequests,
      respond,
      isCached,
      passToServer: (stream) => {
        connectionsByStream.set(stream, connection);
        for (const listener of listeners) listener.call(server, stream);
      },
    });
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  });
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    connectionsByStream.get(req.socket)?.onRequest(req, res);
  });
  return {
    close: () => {
      for (const connection of connections) connection.close();
    },
  };
}
