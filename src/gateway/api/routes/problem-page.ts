// Handles GET /problems/{code}, the page that a problem's `type` refers to.
import { type Code, codes } from '../../../kernel/errors/codes.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { escapeXml } from '../../../kernel/text/escape-xml.ts';
import type { GatewayContext } from '../context.ts';
import { type ApiRequest, type GatewayResponse, publicResponse } from '../http-response.ts';
import { noParameters, readQuery } from '../read-query.ts';

const retryLater = 'Wait for the number of seconds in Retry-After and try again.';

export const advice: Partial<Record<Code, string>> = {
  invalid_request: 'The detail names the field. Change the request before sending it again.',
  stateless_only:
    'The field refers to files, containers or earlier responses at the provider, which customers ' +
    'share. Send the content itself.',
  unpriced_variant: 'The field changes the price at the provider and has no price here. Omit it.',
  unpriced_tool: 'The provider charges for this tool, and it has no price here. Omit it.',
  invalid_api_key: 'Send a valid key: Authorization: Bearer <key>. Create one in the console.',
  insufficient_balance:
    'The wallet does not cover the price. Nothing was charged and nothing ran. Top up, or wait ' +
    'for the next free allowance.',
  max_charge_exceeded:
    'The price is above the max_charge that was sent. Nothing was charged and nothing ran. Send ' +
    'a higher max_charge, or none; the wallet is not the reason.',
  key_budget_exceeded: 'This key has used up its own budget. Raise it, or use another key.',
  key_not_allowed:
    'The key has the other kind (sk- or ak-), has no permission for this, was used from a ' +
    'network outside its list, or belongs to a suspended account.',
  forbidden: 'This service does not accept that host name, or requests from pages of that origin.',
  not_found: 'There is nothing at this address, or it belongs to another account.',
  method_not_allowed: 'The header Allow names the methods of this address.',
  duplicate_idempotency_key:
    'This request was completed before and is not charged again. Read the first response at ' +
    'Location, or send Prefer: idempotent-replay to receive it again.',
  idempotency_in_progress:
    'The first request with this Idempotency-Key is still running. Retry shortly.',
  payload_too_large: 'Send a smaller body.',
  unsupported_media_type: 'Send application/json in UTF-8, without a content coding.',
  media_unavailable:
    'The media do not exist, are private, were deleted, or are a live stream without an end. ' +
    'Nothing was charged.',
  idempotency_key_reused:
    'This Idempotency-Key was sent with a different request before. Use a new key.',
  rate_limited: 'Wait for the number of seconds in Retry-After, then send requests more slowly.',
  quota_exceeded:
    'The account has used up its calls of this day or month. Wait until quota_resets_at, or ask ' +
    'the operator for a higher limit.',
  upstream_error:
    'The provider failed. Nothing was charged; the same Idempotency-Key may be sent again.',
  upstream_timeout: 'The provider was too slow. Nothing was charged; try again.',
  capability_unavailable:
    'No provider can do this right now: wait for the seconds in Retry-After and try again. ' +
    'Without Retry-After this service does not offer it, and trying again does not help.',
  temporarily_unavailable: `${retryLater} Nothing was charged, unless the detail says otherwise.`,
};

export async function handleProblemPage(
  context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  readQuery(request.query, noParameters);
  const code = (request.params.code ?? '').replaceAll('-', '_');
  const text = Object.hasOwn(advice, code) ? advice[code as Code] : undefined;
  if (text === undefined) throw new Fault('not_found', 'There is no problem of that name.');
  const { title, status } = codes[code as Code];
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${escapeXml(context.site.name)}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${escapeXml(text)}</p>
<p>HTTP status ${status}, code <code>${code}</code>.
When you report a problem, quote its <code>request_id</code>.</p>
</main>
</body>
</html>
`;
  return publicResponse(body, 'text/html; charset=utf-8');
}
