// What operators of the radar change, as the record names it.
export const auditKinds = [
  'source',
  'item',
  'story',
  'report',
  'model',
  'channel',
  'subscription',
  'delivery',
  'settings',
  'operator',
] as const;

export type RadarAuditKind = (typeof auditKinds)[number];
