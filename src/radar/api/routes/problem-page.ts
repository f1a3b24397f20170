// GET /problems/{code}: what a problem's `type` points to, for a person who follows it.
import { type Code, codes } from '../../../kernel/codes.ts';
import { Fault } from '../../../kernel/fault.ts';
import { type Answer, makeAnswer } from '../answers/answer.ts';
import { cacheControl } from '../answers/cache-control.ts';
import type { ApiContext, Asked } from '../context.ts';
import { strictQuery } from '../strict-query.ts';
import { noParameters } from './parameters.ts';

const advice: Partial<Record<Code, string>> = {
  invalid_request: 'The detail names what is wrong. Change the request before sending it again.',
  invalid_cursor: 'A cursor belongs to one query and one window. Start from the first page.',
  forbidden: 'The operator of this radar has blocked this client.',
  not_found: 'There is nothing at this address, or it is not public any more.',
  method_not_allowed: 'The feed is read-only: GET, HEAD and OPTIONS.',
  snapshot_required:
    'This cursor belongs to no state of the selected set. Read the snapshot, then its changes.',
  rate_limited: 'Wait for the number of seconds in Retry-After, then go on more slowly.',
  temporarily_unavailable: 'Wait for the number of seconds in Retry-After and try again.',
};

export function answerProblemPage({ site }: ApiContext, asked: Asked): Answer {
  strictQuery(asked.rawQuery, noParameters);
  const code = (asked.params.code ?? '').replaceAll('-', '_');
  const text = Object.hasOwn(advice, code) ? advice[code as Code] : undefined;
  if (text === undefined) throw new Fault('not_found', 'There is no problem of that name.');
  const { title, status } = codes[code as Code];
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${escapeHtml(site.name)}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<p>HTTP status ${status}, code <code>${code}</code>.
When you report one, quote its <code>requestId</code>.</p>
</main>
</body>
</html>
`;
  const contentType = 'text/html; charset=utf-8';
  return makeAnswer({ contentType, cacheControl: cacheControl.live, body });
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
