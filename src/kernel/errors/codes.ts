// Failure codes with their HTTP status and title. Clients rely on them, so a code never changes.

export const codes = {
  invalid_request: { status: 400, title: 'Invalid request' },
  stateless_only: { status: 400, title: 'Stateless requests only' },
  unpriced_variant: { status: 400, title: 'Variant without a price' },
  unpriced_tool: { status: 400, title: 'Tool without a price' },
  relay_loop: { status: 400, title: 'Relay loop' },
  invalid_cursor: { status: 400, title: 'Invalid cursor' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  invalid_api_key: { status: 401, title: 'Invalid API key' },
  insufficient_balance: { status: 402, title: 'Insufficient balance' },
  max_charge_exceeded: { status: 402, title: 'Price above max_charge' },
  key_budget_exceeded: { status: 402, title: 'Key budget exceeded' },
  forbidden: { status: 403, title: 'Forbidden' },
  key_not_allowed: { status: 403, title: 'Key not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  snapshot_required: { status: 409, title: 'Snapshot required' },
  source_paused: { status: 409, title: 'Source paused' },
  duplicate_idempotency_key: { status: 409, title: 'Duplicate Idempotency-Key' },
  idempotency_in_progress: { status: 409, title: 'Request in progress' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  media_unavailable: { status: 422, title: 'Media unavailable' },
  idempotency_key_reused: { status: 422, title: 'Idempotency-Key reused' },
  headers_too_large: { status: 431, title: 'Headers too large' },
  rate_limited: { status: 429, title: 'Too many requests' },
  quota_exceeded: { status: 429, title: 'Quota exceeded' },
  upstream_error: { status: 502, title: 'Upstream error' },
  capability_unavailable: { status: 503, title: 'Capability unavailable' },
  temporarily_unavailable: { status: 503, title: 'Temporarily unavailable' },
  upstream_timeout: { status: 504, title: 'Upstream timeout' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type Code = keyof typeof codes;

/** The default code of a status on the gateway; a status may have further codes. */
export const gatewayCodeByStatus = {
  400: 'invalid_request',
  401: 'invalid_api_key',
  402: 'insufficient_balance',
  403: 'key_not_allowed',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'duplicate_idempotency_key',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'media_unavailable',
  429: 'rate_limited',
  502: 'upstream_error',
  503: 'temporarily_unavailable',
  504: 'upstream_timeout',
} as const satisfies Record<number, Code>;

/** The code that a test-mode input requests, by the code's name or by its status. */
export function findCode(codeOrStatus: string): Code | null {
  if (Object.hasOwn(codes, codeOrStatus)) return codeOrStatus as Code;
  if (!Object.hasOwn(gatewayCodeByStatus, codeOrStatus)) return null;
  return gatewayCodeByStatus[Number(codeOrStatus) as keyof typeof gatewayCodeByStatus];
}
