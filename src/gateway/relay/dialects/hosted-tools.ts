// Tools that a provider runs itself and charges by the call. Relay contract, 2.2: without a price
// they are refused.
import { Fault } from '../../../kernel/errors/fault.ts';
import { isRecord } from '../is-record.ts';

/**
 * `own`: types of tools that the client runs. A tool without a type is the client's own. Throws a
 * Fault `unpriced_tool` that names the first other one.
 */
export function refuseHostedTools(tools: unknown, own: readonly string[]): void {
  if (!Array.isArray(tools)) return;
  for (const [at, tool] of tools.entries()) {
    if (!isRecord(tool) || typeof tool.type !== 'string' || own.includes(tool.type)) continue;
    const param = `tools[${at}]`;
    const type = tool.type.slice(0, 100);
    const message = `The tool "${type}" has no price here, so it cannot be used.`;
    throw new Fault('unpriced_tool', message, { members: { param } });
  }
}
