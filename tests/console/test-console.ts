// The console over a test's gateway, on the same port as the API, and browsers to use it with.
import { openSessions } from '../../src/gateway/accounts/session.ts';
import { openSignIn } from '../../src/gateway/accounts/sign-in.ts';
import { openConsole } from '../../src/gateway/console/open-console.ts';
import { openFormTokens } from '../../src/kernel/desk/form-token.ts';
import type { Language } from '../../src/kernel/desk/language.ts';
import { sharedSecret } from '../../src/store/secrets.ts';
import { type Browser, openBrowser } from '../support/form-browser.ts';
import { type GatewayOptions, openTestGateway, type TestGateway } from '../support/test-gateway.ts';

export type TestConsole = TestGateway & {
  browser(): Browser;
  /** A browser that has signed in: the file's first account unless told otherwise. */
  signIn(email?: string, password?: string): Promise<Browser>;
};

export type ConsoleOptions = GatewayOptions & {
  readonly language?: Language;
  /** As customers reach it; http://127.0.0.1 when absent. */
  readonly url?: string;
};

/** Call at the top of a test file. */
export async function openTestConsole(options: ConsoleOptions = {}): Promise<TestConsole> {
  const { language = 'en', url = 'http://gateway.example', ...rest } = options;
  const gateway = await openTestGateway({
    ...rest,
    desks: async (context) => {
      const { world, db, calls, capabilities, limits } = context;
      const sessions = await openSessions(world, db);
      const parts = {
        ...{ world, db, calls, capabilities, limits, sessions },
        site: {
          ...{ url, relayUrl: 'http://relay.example', radarUrl: 'http://radar.example' },
          ...{ name: 'Content Radar', language },
        },
        tokens: openFormTokens(world, await sharedSecret(world, db, 'account forms')),
        signIn: openSignIn(world, db, sessions),
      };
      return { '/console': openConsole(parts, ['loopback']) };
    },
  });
  const browser = () => openBrowser(gateway.origin, () => gateway.clock.advance(1));
  return {
    ...gateway,
    browser,
    signIn: async (email = 'customer-1@example.com', password = 'password 1 of a test') => {
      const signed = browser();
      // So many sign-ins from one address are slowed.
      gateway.clock.advance(20_000);
      await signed.submit('/console/sign-in', '/console/sign-in', { email, password });
      return signed;
    },
  };
}
