// The confirmation of the last action at the top of the next page, with its undo. The URL contains
// only the code of a fixed message.
import { unreachable } from '../../kernel/errors/assert.ts';
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { awaitNodes } from '../publication/await-nodes.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from './admin-context.ts';
import { adminMessages, isDoneCode, type RadarDoneCode } from './messages/messages.ts';

const WITHIN_MS = 1_000;

/** Returns when every node has confirmed, or reports that a node may not have. */
export async function confirmAction(
  { world, db }: RadarPageContext,
  seq: number | null,
  to: string,
  done: RadarDoneCode,
  more: Readonly<Record<string, string>> = {},
): Promise<RadarAdminResponse> {
  const query = new URLSearchParams({ done, ...more });
  if (seq !== null) {
    const nodeResult = await awaitNodes(world, db, seq, WITHIN_MS);
    switch (nodeResult.kind) {
      case 'confirmed':
        break;
      case 'unconfirmed':
        query.set('pending', String(nodeResult.nodes.length));
        break;
      default:
        return unreachable(nodeResult);
    }
  }
  return { kind: 'moved', to: `${to}?${query}` };
}

export function doneNotice(
  { site }: RadarPageContext,
  { query }: RadarAdminRequest,
  undo?: Html,
): Html {
  const done = query.get('done');
  if (done === null || !isDoneCode(done)) return nothing;
  const messages = adminMessages(site.language);
  const pending = Number(query.get('pending') ?? 0);
  return html`<div class="notice positive" role="status">
<p>${messages.done[done]}</p>${
    pending > 0 &&
    html`<p class="warning">${messages.pending(pending)}\
</p>`
  }\
${undo}
</div>`;
}
