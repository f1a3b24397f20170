// The console over a test's gateway, on the same port as the API, and browsers for it.

import { openConsole } from '../../src/app/serve/open-console.ts';
import { openAccountDeletion } from '../../src/gateway/accounts/delete-account.ts';
import type { SignUpRules } from '../../src/gateway/accounts/sign-up.ts';
import { openClientResolver } from '../../src/kernel/client-address/client-address.ts';
import type { SmtpConfig } from '../../src/kernel/net/smtp.ts';
import type { RateLimit } from '../../src/kernel/rate-limit/gcra.ts';
import type { Language } from '../../src/kernel/web/language.ts';
import { atEnd } from '../support/at-end.ts';
import { type Browser, openBrowser } from '../support/form-browser.ts';
import { type GatewayOptions, openTestGateway, type TestGateway } from '../support/test-gateway.ts';

export type TestConsole = TestGateway & {
  /**
   * Opens a browser. `headers` are sent with every request; `origin` is the address of another
   * node.
   */
  browser(headers?: Readonly<Record<string, string>>, origin?: string): Browser;
  /** A signed-in browser, by default with the file's first account. */
  signIn(email?: string, password?: string): Promise<Browser>;
};

export type ConsoleOptions = GatewayOptions & {
  readonly language?: Language;
  /** The address for customers. */
  readonly url?: string;
  readonly smtp?: SmtpConfig;
  /** When absent, sign-up is open, with ten accounts a day from one network. */
  readonly rules?: Partial<SignUpRules>;
  /** Time for which a session may be idle; absent: no limit. */
  readonly idleMs?: number;
  /** Limit of pages per client address; absent: no limit. */
  readonly rate?: RateLimit;
};

/** Call at the top of a test file. */
export async function openTestConsole(options: ConsoleOptions = {}): Promise<TestConsole> {
  const {
    language = 'en',
    url = 'http://gateway.example',
    smtp,
    rules,
    ...gatewayOptions
  } = options;
  const { idleMs = null, rate = null } = options;
  const components: { name: string; close: () => Promise<void> }[] = [];
  atEnd(async () => {
    for (const { close } of components) await close();
  });
  const gateway = await openTestGateway({
    ...gatewayOptions,
    areas: async ({ world, db, ...context }) => {
      const site = {
        url,
        relayUrl: 'http://relay.example',
        radarUrl: 'http://radar.example',
        name: 'Content Radar',
        language,
      };
      const deletion = await openAccountDeletion(world, db, smtp === undefined ? null : site);
      const deps = { ...context, site, deletion };
      const handler = await openConsole(world, db, deps, {
        smtp,
        components,
        idleMs,
        rate,
        clients: options.clients ?? openClientResolver({ trustProxy: ['loopback'] }),
        rules: {
          access: 'open',
          newPerNetwork: 10,
          needsConfirmation: false,
          proofBits: 0,
          ...rules,
        },
      });
      return { '/console': handler };
    },
  });
  const browser: TestConsole['browser'] = (headers = {}, origin = gateway.origin) =>
    openBrowser(origin, { beforeSubmit: () => gateway.clock.advance(1), headers });
  return {
    ...gateway,
    browser,
    signIn: async (email = 'customer-1@example.com', password = 'password 1 of a test') => {
      const signedInBrowser = browser();
      // The server delays further sign-ins from one address.
      gateway.clock.advance(20_000);
      await signedInBrowser.submit('/console/sign-in', '/console/sign-in', { email, password });
      return signedInBrowser;
    },
  };
}
