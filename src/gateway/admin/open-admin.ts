// `/admin` on the gateway's port, the desk of whoever runs it: its pages behind the door that all
// desks share, with the operators' one password.

import type { ClientResolver } from '../../kernel/client-address/client-address.ts';
import type { DeskDoor } from '../../kernel/web/form-handler.ts';
import { openDeskAssets } from '../../kernel/web/form-page.ts';
import { answerRoute } from '../../kernel/web/handle-route.ts';
import { openOperatorDesk } from '../../kernel/web/operator-area.ts';
import { SESSION_MS } from '../../operators/sessions.ts';
import type { AdminContext } from './admin-context.ts';
import { framedDesk } from './layout.ts';
import { adminWords } from './messages/admin.ts';
import { adminRoutes } from './routes.ts';

export function openAdmin(given: AdminContext, clients: ClientResolver): DeskDoor {
  const assets = openDeskAssets({
    'copy.js': new URL('../../kernel/html/assets/copy.js', import.meta.url),
    'admin.css': new URL('assets/admin.css', import.meta.url),
  });
  const { world, site, sessions } = given;
  const desk = { ...given, assets };
  const words = adminWords(site.language);
  const answer = openOperatorDesk({
    world,
    clients,
    sessions,
    path: '/admin',
    sessionMs: SESSION_MS,
    dressed: desk,
    words,
    siteUrl: () => site.url,
    cookies: { session: 'gateway_admin', visitor: 'gateway_visitor' },
    door: {
      label: `${site.name} · ${words.desk}`,
      back: { href: '/console', label: words.toConsole },
    },
    answer: (session, asked) => {
      const context = { ...desk, session, formToken: sessions.formToken(session.id) };
      return answerRoute(adminRoutes, context, asked, framedDesk);
    },
  });
  return { assets: assets.all, answer };
}
