// The radar's operator area at `/admin`. Both products share `openOperatorArea`, which signs in
// operators and handles their sessions.

import type { ClientResolver } from '../../kernel/client-address/client-address.ts';
import type { FormHandler } from '../../kernel/web/form-handler.ts';
import { openFormAssets } from '../../kernel/web/form-page.ts';
import { openOperatorArea } from '../../kernel/web/operator-area.ts';
import { handleOperatorRoute } from '../../operators/handle-operator-route.ts';
import { operatorFieldTexts } from '../../operators/pages/messages.ts';
import { SESSION_MS } from '../../operators/sessions.ts';
import type { RadarAdminContext } from './admin-context.ts';
import { renderAdminPage } from './admin-layout.ts';
import { adminMessages } from './messages/messages.ts';
import { adminRoutes } from './routes.ts';
import { readSetupSite } from './setup/site-part.ts';

export function openAdmin(deps: RadarAdminContext, clients: ClientResolver): FormHandler {
  const assets = openFormAssets({
    'admin.css': new URL('assets/admin.css', import.meta.url),
    'admin.js': new URL('assets/admin.js', import.meta.url),
  });
  const { world, site, sessions } = deps;
  const area = { ...deps, assets };
  const messages = adminMessages(site.language);
  const handle = openOperatorArea({
    world,
    clients,
    sessions,
    path: '/admin',
    networks: deps.networks,
    sessionMs: SESSION_MS,
    layout: area,
    messages,
    siteUrl: deps.areaUrl ?? (() => site.url),
    cookies: { session: 'radar_session', visitor: 'radar_visitor' },
    oneTime: {
      path: '/admin/setup',
      redeem: deps.setup.redeem,
      signIn: sessions.signInAsOwner,
    },
    fieldTexts: operatorFieldTexts(site.language),
    largeForms: { paths: ['/admin/sources/import'], maxBytes: 4 * 1024 * 1024 },
    signInPage: { label: site.name, back: { href: '/', label: messages.toRadar } },
    handle: async (session, request) => {
      const formToken = sessions.formToken({ kind: 'session', id: session.id });
      const context = { ...area, site: await readSetupSite(area, request), session, formToken };
      return handleOperatorRoute(adminRoutes, context, request, renderAdminPage);
    },
  });
  return { assets: assets.all, handle };
}
