// Handles GET /sdk, the guide of the typed SDK, and GET /sdk/{file}, its modules as JavaScript with
// the types removed.
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { Fault } from '../../../kernel/errors/fault.ts';
import type { GatewayContext } from '../context.ts';
import { type ApiRequest, type GatewayResponse, publicResponse } from '../http-response.ts';
import { noParameters, readQuery } from '../read-query.ts';

const sdk = new URL('../../../../packages/sdk/', import.meta.url);
const cachedFiles = new Map<string, string>();

export async function handleSdkGuide(
  { site }: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  readQuery(request.query, noParameters);
  const text = readFileSync(new URL('README.md', sdk), 'utf8');
  const localText = text.replaceAll('{gateway_url}', site.url);
  return publicResponse(localText, 'text/markdown; charset=utf-8');
}

export async function handleSdkFile(
  _context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  readQuery(request.query, noParameters);
  const { file = '' } = request.params;
  const source = `${file.replace(/\.js$/, '')}.ts`;
  // Serves only existing files of this folder.
  const exists = file.endsWith('.js') && readdirSync(new URL('src/', sdk)).includes(source);
  if (!exists) throw new Fault('not_found', 'The SDK has no such module.');
  const text = cachedFiles.get(source) ?? readModule(source);
  cachedFiles.set(source, text);
  return publicResponse(text, 'text/javascript; charset=utf-8');
}

const readModule = (source: string): string =>
  stripTypeScriptTypes(readFileSync(new URL(`src/${source}`, sdk), 'utf8')).replaceAll(
    /(from '\.\/[a-z-]+)\.ts'/g,
    "$1.js'",
  );
