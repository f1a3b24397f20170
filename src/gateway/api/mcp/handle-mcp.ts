// Handles POST /mcp, the gateway's tools for agents. The request needs a key in the Authorization
// header. The route behind each tool checks the key's permissions.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault, messageOf } from '../../../kernel/errors/fault.ts';
import { checkMcpOrigin, handleMcp, isToolCall } from '../../../kernel/mcp/serve-mcp.ts';
import type { GatewayContext } from '../context.ts';
import { type ApiRequest, type GatewayResponse, NO_STORE } from '../http-response.ts';
import { admitReader } from '../routes/admit-reader.ts';
import { createMcpServer } from './tools.ts';

type Connection = { readonly req: IncomingMessage; readonly res: ServerResponse };

/**
 * Reads the body from the connection. A body that is no JSON-RPC message is refused as at other
 * endpoints.
 */
export async function handleMcpMessage(
  context: GatewayContext,
  request: ApiRequest,
  { req, res }: Connection,
): Promise<GatewayResponse> {
  if (req.headers.authorization === undefined) {
    const headers = { 'www-authenticate': 'Bearer realm="gateway"' };
    const message = 'An API key is needed here: Authorization: Bearer <key>.';
    throw new Fault('invalid_api_key', message, { headers });
  }
  checkMcpOrigin(req, { urls: () => [context.site.url] });
  const { status, headers, body } = await handleMcp(req, res, {
    makeServer: () => createMcpServer(context, request),
    admit: (messages) => limitMessages(context, request, messages),
    onError: (error) =>
      context.world.log.debug({ error: messageOf(error) }, 'an MCP message failed'),
  });
  return { status, headers: { ...headers, 'cache-control': NO_STORE }, body };
}

/**
 * Applies the rate limit to messages that call no tool. The route of a tool limits its calls, and
 * reports a wrong key.
 */
async function limitMessages(
  context: GatewayContext,
  request: ApiRequest,
  messages: readonly unknown[],
): Promise<void> {
  for (const message of messages) {
    if (isToolCall(message)) continue;
    try {
      await admitReader(context, request);
    } catch (error) {
      if (!(error instanceof Fault) || error.code === 'rate_limited') throw error;
    }
  }
}
