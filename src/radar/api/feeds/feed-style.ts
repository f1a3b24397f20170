// `/feed.xsl`: renders a feed for a person who opens it in a browser, with the stylesheet of the
// pages if this server has pages.
import type { ApiContext, PublicRequest } from '../context.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { type CachedResponse, makeResponse } from '../responses/cached-response.ts';
import { noParameters } from '../routes/parameters.ts';
import { readStrictQuery } from '../strict-query.ts';
import { feedMessages } from './feed-messages.ts';

export function handleFeedStyle(
  { site, pages }: ApiContext,
  { rawQuery }: PublicRequest,
): CachedResponse {
  readStrictQuery(rawQuery, noParameters);
  const stylesheet = pages?.assets.find(({ path }) => path.startsWith('/assets/page.'))?.path;
  const css = stylesheet === undefined ? '' : `<link rel="stylesheet" href="${stylesheet}"/>`;
  const body = `<?xml version="1.0" encoding="utf-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="html" encoding="utf-8" doctype-system="about:legacy-compat"/>
<xsl:template match="/rss/channel">
<html lang="{language}"><head><meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title><xsl:value-of select="title"/></title>${css}</head>
<body><main><div class="page-head"><h1><xsl:value-of select="title"/></h1>
<p>${feedMessages(site).advice}</p>
<p><a class="link" href="{link}"><xsl:value-of select="link"/></a></p></div>
<ol><xsl:for-each select="item"><li class="entry wide"><div>
<h3><a href="{link}"><xsl:value-of select="title"/></a></h3>
<p class="meta"><xsl:value-of select="pubDate"/></p></div></li></xsl:for-each></ol>
</main></body></html>
</xsl:template>
</xsl:stylesheet>
`;
  return makeResponse({
    contentType: 'text/xsl; charset=utf-8',
    cacheControl: cacheControl.live,
    body,
  });
}
