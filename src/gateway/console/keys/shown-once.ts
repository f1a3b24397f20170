// The page that shows a new key once, to copy, with a working example call.

import { html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import type { KeyKind } from '../../keys/key-text.ts';
import { spendingMessages } from '../messages/spending.ts';
import type { ConsoleContext, ConsoleResponse } from '../shell/console-context.ts';
import { exampleCall, selectFirstCapability } from './example-call.ts';

type KeyShownOnce = {
  readonly title: string;
  readonly about: string;
  readonly kind: KeyKind;
  readonly key: string;
  readonly scopes: readonly string[];
};

export function keyShownOncePage(
  { messages, site }: ConsoleContext,
  { title, about, kind, key, scopes }: KeyShownOnce,
): ConsoleResponse {
  const copy = html`data-copy="${messages.copy}" data-copied="${messages.copied}"`;
  return {
    kind: 'page',
    title,
    body: html`${renderPageHead(title, about)}
<div class="example the-key" data-secret ${copy}><pre><code>${key}</code></pre></div>
<section class="part"><h2>${messages.madeCall}</h2>
<div class="example" data-secret ${copy}>\
<pre><code>${exampleCall(site, { kind, key, scopes })}</code></pre></div></section>
<p class="more"><a class="button" href="/console/catalog/${selectFirstCapability(kind, scopes)}">\
${spendingMessages(site.language).sendHere}</a>
<a class="button quiet" href="/console/keys">${messages.madeDone}</a>
<a href="/console/calls">${messages.madeCalls}</a></p>`,
  };
}
