// Reads the tools of a request that the provider runs itself and charges by the call. Tools without
// a price are refused. Relay contract, 2.2.
import { Fault } from '../../../kernel/errors/fault.ts';
import { isRecord } from '../is-record.ts';
import type { HostedTool } from './dialect.ts';

type HostedToolOptions = {
  /** Types of tools that the client runs. */
  readonly clientToolTypes: readonly string[];
  /** The limit of calls, from the tool itself or from the request. */
  callsMaxOf(tool: Readonly<Record<string, unknown>>): unknown;
};

/**
 * Reads the hosted tools of a request. A tool without a type is the client's own. Codex sends tools
 * of the type `namespace`, which contain lists of tools. `path` is the position of the list in the
 * request.
 */
export function readHostedTools(
  tools: unknown,
  options: HostedToolOptions,
  path = 'tools',
): readonly HostedTool[] {
  const { clientToolTypes, callsMaxOf } = options;
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool, index) => {
    if (!isRecord(tool) || typeof tool.type !== 'string' || clientToolTypes.includes(tool.type))
      return [];
    const param = `${path}[${index}]`;
    if (tool.type === 'namespace') return readHostedTools(tool.tools, options, `${param}.tools`);
    const limit = Number(callsMaxOf(tool));
    return {
      name: toolNameOf(tool.type),
      type: tool.type,
      param,
      callsMax: Number.isSafeInteger(limit) && limit >= 1 ? limit : null,
    };
  });
}

/** `web_search_20250305` and `web_search_preview_2025_03_11` are versions of `web_search`. */
const toolNameOf = (type: string) =>
  type.replace(/_(?:\d{8}|\d{4}_\d{2}_\d{2})$/, '').replace(/_preview$/, '');

/** Throws a Fault `unpriced_tool` that names the first tool without a price. */
export function refuseUnpricedTools(
  tools: readonly HostedTool[],
  priced: ReadonlySet<string>,
): void {
  const unpriced = tools.find(({ name }) => !priced.has(name));
  if (unpriced === undefined) return;
  const type = unpriced.type.slice(0, 100);
  const message = `The tool "${type}" has no price here, so it cannot be used.`;
  throw new Fault('unpriced_tool', message, { members: { param: unpriced.param } });
}
