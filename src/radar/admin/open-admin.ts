// `/admin`, the operators' area of the radar, within the shared operator area.

import type { ClientResolver } from '../../kernel/client-address/client-address.ts';
import type { DeskDoor } from '../../kernel/web/form-handler.ts';
import { openDeskAssets } from '../../kernel/web/form-page.ts';
import { answerRoute } from '../../kernel/web/handle-route.ts';
import { openOperatorDesk } from '../../kernel/web/operator-area.ts';
import { SESSION_MS } from '../../operators/sessions.ts';
import type { AdminContext } from './admin-context.ts';
import { framedDesk } from './admin-layout.ts';
import { adminWords } from './messages/messages.ts';
import { adminRoutes } from './routes.ts';

export function openAdmin(given: AdminContext, clients: ClientResolver): DeskDoor {
  const assets = openDeskAssets({
    'admin.css': new URL('assets/admin.css', import.meta.url),
    'admin.js': new URL('assets/admin.js', import.meta.url),
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
    cookies: { session: 'radar_session', visitor: 'radar_visitor' },
    oneTime: {
      path: '/admin/setup',
      redeem: given.setup.redeem,
      signIn: () => sessions.signInAs('setup'),
    },
    largeForms: { paths: ['/admin/sources/import'], maxBytes: 4 * 1024 * 1024 },
    door: { label: site.name, back: { href: '/', label: words.toRadar } },
    answer: (session, asked) => {
      const context = { ...desk, session, formToken: sessions.formToken(session.id) };
      return answerRoute(adminRoutes, context, asked, framedDesk);
    },
  });
  return { assets: assets.all, answer };
}
