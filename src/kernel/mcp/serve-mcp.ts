// Serves the Model Context Protocol over HTTP, without sessions or streams. Each POST returns one
// JSON body, in the current revision or in a revision of 2025. The caller supplies the tools.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { Fault, messageOf } from '../errors/fault.ts';
import { parseSmallJson, readJsonText } from '../http/read-json-body.ts';

export type McpServing = {
  /** Creates the server with its tools for one request. */
  readonly makeServer: (req: IncomingMessage) => McpServer;
  readonly onError: (error: unknown) => void;
  /**
   * Receives the messages of one body before the first message is handled; a Fault refuses the
   * whole body. The revision of March 2025 permits batches, which would otherwise count as one
   * request.
   */
  readonly admit: (messages: readonly unknown[]) => void | Promise<void>;
};

export type McpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const BODY_LIMIT = {
  maxBytes: 256 * 1024,
  tooLarge: 'A message may have at most 256 KiB.',
};

/** Headers for a browser's preflight request, besides the caller's own CORS headers. */
export const mcpRequestHeaders =
  'Accept, Content-Type, User-Agent, Authorization, Mcp-Protocol-Version, Mcp-Method, Mcp-Name';

/** Throws a Fault for a body that cannot be read; other failures are MCP errors. */
export async function handleMcp(
  req: IncomingMessage,
  res: ServerResponse,
  { makeServer, onError, admit }: McpServing,
): Promise<McpResponse> {
  const sendContinue = () => (req.headers.expect === undefined ? undefined : res.writeContinue());
  const text = await readJsonText(req, BODY_LIMIT, sendContinue);
  let message: unknown;
  try {
    message = parseSmallJson(text);
  } catch (error) {
    return parseErrorResponse(messageOf(error));
  }
  await admit(Array.isArray(message) ? message : [message]);
  if (requestsStream(message)) return refuseStream(message);
  const request = toWebRequest(req);
  const isLegacy = await isLegacyRequest(request, message);
  const response = isLegacy
    ? await handleLegacy(makeServer(req), request, message)
    : await createMcpHandler(() => makeServer(req), {
        responseMode: 'json',
        onerror: onError,
      }).fetch(request, { parsedBody: message });
  const body = await response.text();
  const type = response.headers.get('content-type');
  return {
    status: response.status,
    headers: { ...(type !== null && { 'content-type': type }) },
    body,
  };
}

async function handleLegacy(
  server: McpServer,
  request: Request,
  message: unknown,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** JSON-RPC 2.0, 5.1: an error for a body that cannot be parsed has a null id. */
const parseErrorResponse = (message: string): McpResponse => ({
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message } }),
});

/** Whether a message calls a tool. All other messages are answered by the protocol's library. */
export const isToolCall = (message: unknown): boolean =>
  typeof message === 'object' &&
  message !== null &&
  'method' in message &&
  message.method === 'tools/call';

/** Subscriptions require streams, which this server does not offer. */
function requestsStream(message: unknown): message is { readonly id?: unknown } {
  return (
    typeof message === 'object' &&
    message !== null &&
    'method' in message &&
    message.method === 'subscriptions/listen'
  );
}

function refuseStream({ id = null }: { readonly id?: unknown }): McpResponse {
  const error = { code: -32601, message: 'This server has no streams; poll instead.' };
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, error }),
  };
}

/**
 * Both content types are always accepted, because some clients omit the required Accept header.
 */
function toWebRequest(req: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (typeof value === 'string' && !name.startsWith(':')) headers.set(name, value);
  }
  headers.set('accept', 'application/json, text/event-stream');
  headers.delete('content-length');
  return new Request(`http://mcp.invalid${req.url ?? '/'}`, { method: 'POST', headers });
}

export type McpHosts = {
  /** Public addresses of this service, read at each request. */
  readonly urls: () => readonly string[];
};

/**
 * Protects against DNS rebinding: the Host must be a configured name, loopback or an IP address.
 * Pages of other origins may call only a public service.
 */
export function checkMcpOrigin(req: IncomingMessage, { urls }: McpHosts): void {
  const ownHosts = urls().map((url) => new URL(url).hostname);
  const isOwnHost = (name: string) => ownHosts.includes(name) || isLoopback(name);
  const host = hostnameOf(`http://${req.headers.host ?? ''}`);
  if (host === null || !(isOwnHost(host) || isAddress(host))) {
    throw new Fault('forbidden', 'This service does not accept this host name.');
  }
  const { origin } = req.headers;
  if (origin === undefined) return;
  const originHost = hostnameOf(origin);
  const isPublic = ownHosts.some((name) => !isLoopback(name));
  if (originHost !== null && (isPublic || isOwnHost(originHost))) return;
  throw new Fault('forbidden', 'Pages of that origin may not use this service.');
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** The owner of a name can point it at any address; an address literal is safe. */
const isAddress = (host: string) => host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);

const hostnameOf = (url: string): string | null =>
  URL.canParse(url) ? new URL(url).hostname : null;
