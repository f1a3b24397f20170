// The one table of failure codes: what each answers and what it is called.
// Source: the feed contract's "Problem" section.

export const codes = {
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_cursor: { status: 400, title: 'Invalid cursor' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  snapshot_required: { status: 409, title: 'Snapshot required' },
  source_paused: { status: 409, title: 'Source paused' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  rate_limited: { status: 429, title: 'Too many requests' },
  temporarily_unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type Code = keyof typeof codes;
