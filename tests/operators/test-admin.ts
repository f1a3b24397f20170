// Serves the gateway's admin pages on a test gateway's port, and opens browsers for them.

import { openAccountDeletion } from '../../src/gateway/accounts/delete-account.ts';
import { openAdmin } from '../../src/gateway/admin/open-admin.ts';
import type { ProviderCosts } from '../../src/gateway/capabilities/providers-config.ts';
import { relaySchema } from '../../src/gateway/relay/relay-config.ts';
import { openClientResolver } from '../../src/kernel/client-address/client-address.ts';
import type { Language } from '../../src/kernel/web/language.ts';
import { createFirstOwner } from '../../src/operators/operators.ts';
import type { OperatorRole } from '../../src/operators/roles.ts';
import { openOperatorSessions } from '../../src/operators/sessions.ts';
import { createOperator } from '../support/create-operator.ts';
import { type Browser, openBrowser } from '../support/form-browser.ts';
import { type GatewayOptions, openTestGateway, type TestGateway } from '../support/test-gateway.ts';

export type TestAdmin = TestGateway & {
  readonly password: string;
  /** Number of requested integrity checks. */
  readonly requestedChecks: () => number;
  browser(): Browser;
  /** A signed-in browser. */
  signIn(name?: string, role?: OperatorRole): Promise<Browser>;
};

export type TestAdminOptions = GatewayOptions & {
  readonly language?: Language;
  /** The address for operators. */
  readonly url?: string;
  readonly upstreams?: readonly string[];
  /** Configured models of the relay. */
  readonly models?: object;
  readonly costs?: ProviderCosts;
};

/** Call at the top of a test file. */
export async function openTestAdmin(options: TestAdminOptions = {}): Promise<TestAdmin> {
  const {
    language = 'en',
    url = 'http://gateway.example',
    upstreams = [],
    models = {},
    costs = {},
    ...gatewayOptions
  } = options;
  const { models: routes } = relaySchema.parse({ models });
  let password = '';
  let requestedChecks = 0;
  const gateway = await openTestGateway({
    ...gatewayOptions,
    areas: async (context) => {
      const { world, db } = context;
      await createFirstOwner(world, db, (initialPassword) => {
        password = initialPassword;
      });
      const site = { url, name: 'Content Radar', language, radarAdminUrl: 'http://radar.example' };
      const handler = openAdmin(
        {
          ...context,
          site,
          upstreams,
          routes,
          costs,
          sessions: await openOperatorSessions(world, db),
          networks: null,
          deletion: await openAccountDeletion(world, db, null),
          queueIntegrityCheck: async () => {
            requestedChecks += 1;
          },
        },
        options.clients ?? openClientResolver({ trustProxy: ['loopback'] }),
      );
      return { '/admin': handler };
    },
  });
  // Each action has its own millisecond, so the newest action is unique.
  const browser = () =>
    openBrowser(gateway.origin, { beforeSubmit: () => gateway.clock.advance(1) });
  return {
    ...gateway,
    password,
    requestedChecks: () => requestedChecks,
    browser,
    signIn: async (name = 'Ada', role = 'owner') => {
      const signedInBrowser = browser();
      await createOperator(gateway.world, gateway.db, { name, role, password });
      // The server delays further sign-ins from one address.
      gateway.clock.advance(20_000);
      await signedInBrowser.submit('/admin/sign-in', '/admin/sign-in', { password, name });
      return signedInBrowser;
    },
  };
}
