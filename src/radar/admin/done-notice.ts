// The confirmation of the last action at the top of the next page, with its undo. The URL contains
// only the code of a fixed message.

import { unreachable } from '../../kernel/errors/assert.ts';
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { parseWholeNumber } from '../../kernel/http/whole-number.ts';
import { awaitNodes } from '../publication/await-nodes.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from './admin-context.ts';
import { adminMessages, isDoneCode, type RadarDoneCode } from './messages/messages.ts';

const CONFIRM_TIMEOUT_MS = 1_000;

/**
 * Waits a short time until every node has confirmed the change. The next page states how many nodes
 * have not confirmed it.
 */
export async function confirmAction(
  { world, db }: RadarPageContext,
  seq: number | null,
  path: string,
  doneCode: RadarDoneCode,
  otherParams: Readonly<Record<string, string>> = {},
): Promise<RadarAdminResponse> {
  const query = new URLSearchParams({ done: doneCode, ...otherParams });
  if (seq !== null) {
    const nodeResult = await awaitNodes(world, db, seq, CONFIRM_TIMEOUT_MS);
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
  return { kind: 'moved', to: `${path}?${query}` };
}

export function renderDoneNotice(
  { site }: RadarPageContext,
  { query }: RadarAdminRequest,
  undo?: Html,
): Html {
  const doneCode = query.get('done');
  if (doneCode === null || !isDoneCode(doneCode)) return nothing;
  const messages = adminMessages(site.language);
  const pendingNodes = parseWholeNumber(query.get('pending')) ?? 0;
  return html`<div class="notice positive" role="status">
<p>${messages.done[doneCode]}</p>${
    pendingNodes > 0 &&
    html`<p class="warning">${messages.pending(pendingNodes)}\
</p>`
  }\
${undo}
</div>`;
}
