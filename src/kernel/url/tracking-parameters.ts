// Query parameters that describe how a reader reached a page. They do not identify the page. Names
// are compared in lower case.

const trackingPrefixes = [
  'utm_', // Google Analytics
  'mtm_', // Matomo
  'pk_', // Piwik
  'matomo_',
  'hsa_', // HubSpot ads
  '_hs', // HubSpot e-mail (_hsenc, _hsmi)
  '__hs', // HubSpot (__hstc, __hssc, __hsfp)
  'vero_', // Vero
  'oly_', // Omeda
  'guce_', // Yahoo consent (guce_referrer, guce_referrer_sig)
  'xtor', // AT Internet
];

const trackingNames = new Set([
  // Click ids of advertisers
  ...['fbclid', 'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'msclkid', 'twclid', 'ttclid'],
  ...['yclid', 'ysclid', 'li_fat_id', 'rdt_cid', 'epik', 'irclickid', 'wickedid'],
  // Analytics and e-mail
  ...['_ga', '_gl', 'mc_cid', 'mc_eid', 'mkt_tok', 'hsctatracking', 'ck_subscriber_id'],
  ...['at_medium', 'at_campaign', 'at_link_id', 'at_link_origin', 'at_link_type', 'at_bbc_team'],
  // Shares
  ...['igsh', 'igshid', 'ref_src', 'ref_url', 'sr_share', 'smid', 'smtyp', 'guccounter'],
  ...['share_from', 'share_source', 'share_medium', 'share_plat', 'share_token', 'share_id'],
  ...['isappinstalled', 'mpshare', 'wechat_redirect', 'timeline_from'],
  // Chinese platforms
  ...['spm', 'scm', 'spm_id_from', 'vd_source', 'from_source', 'from_spmid', 'chksm'],
  // Newsrooms
  ...['cmpid', 'ncid', 'ocid', 's_cid', 'ito', 'taid', 'srnd', 'xrs', 'emc', 'cmp'],
  // AMP as a parameter
  ...['amp', 'outputtype', 'amp_js_v', 'amp_gsa', 'usqp'],
]);

// Names that track only with certain values, because other sites use them differently.
const namesWithValue: ReadonlyMap<string, RegExp> = new Map([
  ['source', /^(rss|feed|email|newsletter|twitter|linkedin|facebook)\b|----/i],
  ['from', /^(rss|feed|email|timeline|singlemessage|groupmessage|newsletter)$/i],
  ['partner', /^rss/i],
  ['mod', /^(rss|djem|hp_|e2)/i],
  ['medium', /^(rss|email|feed|social)$/i],
]);

/**
 * Whether a parameter is for tracking. `ref` usually is for tracking, because newsletters add it to
 * links; on code hosts it names a branch.
 */
export function isTracking(hostname: string, name: string, value: string): boolean {
  const lowerName = name.toLowerCase();
  if (lowerName === 'ref')
    return !/(^|\.)git[a-z]*\.|(^|\.)(codeberg|bitbucket)\.org$/.test(hostname);
  return (
    trackingNames.has(lowerName) ||
    trackingPrefixes.some((prefix) => lowerName.startsWith(prefix)) ||
    (namesWithValue.get(lowerName)?.test(value) ?? false)
  );
}
