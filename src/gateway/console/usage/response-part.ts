// Renders a stored response as text.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import type { StoredBody } from '../../wallet/history/read-statement.ts';
import type { MoneyMessages } from '../messages/money.ts';

const MAX_SHOWN_KIB = 64;

/** Renders plain text only, so that a provider's response cannot become markup or a link. */
export function renderResponse({ contentType, body }: StoredBody, messages: MoneyMessages): Html {
  if (!/^(application\/(problem\+)?json|text\/)/.test(contentType)) {
    return html`<p class="explains">${messages.answerBytes(contentType, body.length)}</p>`;
  }
  const text = formatJson(body.toString('utf8'));
  const isCut = text.length > MAX_SHOWN_KIB * 1024;
  return html`<pre class="answer" tabindex="0"><code>${text.slice(0, MAX_SHOWN_KIB * 1024)}</code>\
</pre>
${isCut ? html`<p class="meta">${messages.answerCut(MAX_SHOWN_KIB)}</p>` : nothing}`;
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
