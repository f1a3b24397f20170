// `/admin` on the gateway's port: the operators' pages behind the shared form handler, with the
// operator password.

import type { ClientResolver } from '../../kernel/client-address/client-address.ts';
import type { DeskDoor } from '../../kernel/web/form-handler.ts';
import { openDeskAssets } from '../../kernel/web/form-page.ts';
import { answerRoute } from '../../kernel/web/handle-route.ts';
import { openOperatorDesk } from '../../kernel/web/operator-area.ts';
import { SESSION_MS } from '../../operators/sessions.ts';
import type { GatewayAdminDeps } from './admin-context.ts';
import { renderAdminPage } from './layout.ts';
import { adminWords } from './messages/admin.ts';
import { adminRoutes } from './routes.ts';

export function openAdmin(given: GatewayAdminDeps, clients: ClientResolver): DeskDoor {
  const assets = openDeskAssets({
    'copy.js': new URL('../../kernel/html/assets/copy.js', import.meta.url),
    'admin.css': new URL('assets/admin.css', import.meta.url),
  });
  const { world, site, sessions } = given;
  const deps = { ...given, assets };
  const words = adminWords(site.language);
  const answer = openOperatorDesk({
    world,
    clients,
    sessions,
    path: '/admin',
    sessionMs: SESSION_MS,
    dressed: deps,
    words,
    siteUrl: () => site.url,
    cookies: { session: 'gateway_admin', visitor: 'gateway_visitor' },
    door: {
      label: `${site.name} · ${words.desk}`,
      back: { href: '/console', label: words.toConsole },
    },
    answer: (session, request) => {
      const context = { ...deps, session, formToken: sessions.formToken(session.id) };
      return answerRoute(adminRoutes, context, request, renderAdminPage);
    },
  });
  return { assets: assets.all, answer };
}
