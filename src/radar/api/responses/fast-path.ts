// Gives every connection of the server a fast path. Cached responses are sent before `node:http`
// parses the request; all other requests use `node:http`. Measured in decision 0006.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { openBoundedCache } from '../../../kernel/concurrency/bounded-cache.ts';
import {
  type KnownRequest,
  type Line,
  type LineOptions,
  openLine,
} from './fast-path-connection.ts';

const KNOWN_MAX = 10_000;

export type QuickWire = {
  /** Ends lines that are idle, the others after their answer. */
  close(): void;
};

/** Puts itself between the server's sockets and its parser: call it before anybody listens. */
export function openQuickWire(server: Server, answer: LineOptions['answer']): QuickWire {
  const known = openBoundedCache<KnownRequest>(KNOWN_MAX);
  const lines = new Set<Line>();
  const byStream = new WeakMap<object, Line>();
  const accept = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const line = openLine(socket, {
      known,
      answer,
      hand: (stream) => {
        byStream.set(stream, line);
        for (const each of accept) each.call(server, stream);
      },
    });
    lines.add(line);
    socket.once('close', () => lines.delete(line));
  });
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    byStream.get(req.socket)?.onRequest(req, res);
  });
  return {
    close: () => {
      for (const line of lines) line.close();
    },
  };
}
