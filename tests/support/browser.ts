// Starts Debian's Chromium for browser tests. Without Chromium, the tests are skipped outside of
// CI.
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { atEnd } from './at-end.ts';
import { requireTool } from './tools.ts';

const tool = requireTool('chromium');

const inPageScript = fileURLToPath(new URL('in-page.js', import.meta.url));

export const hasBrowser = tool.kind === 'found';

/** Time limit of a wait; Playwright's default of 30 s is short on a busy machine. */
const WAIT_TIMEOUT_MS = 150_000;

export type PageAppearance = {
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
};

export const desktop: PageAppearance = { width: 1280, height: 900, colorScheme: 'light' };
export const phone: PageAppearance = { width: 375, height: 800, colorScheme: 'dark' };
/** The width of the narrowest phone, and of a 640-pixel window at 200 % zoom. */
export const narrowPhone: PageAppearance = { width: 320, height: 700, colorScheme: 'light' };

export type Tab = Page & {
  /** Console errors (failed requests are among them), script errors and dialogs. */
  readonly complaints: string[];
};

export type TestBrowser = {
  /** A tab without shared storage; it is closed with the browser. */
  open(
    appearance: PageAppearance,
    options?: { readonly javaScriptEnabled?: boolean; readonly hasTouch?: boolean },
  ): Promise<Tab>;
};

/** Call at the top of a test file. */
export function openTestBrowser(): TestBrowser {
  let browser: Browser | null = null;
  beforeAll(async () => {
    if (tool.kind === 'missing') return;
    const args = ['--no-sandbox', '--disable-dev-shm-usage'];
    browser = await chromium.launch({ executablePath: tool.path, args, timeout: WAIT_TIMEOUT_MS });
  });
  atEnd(() => browser?.close());
  return {
    open: async ({ width, height, colorScheme }, options = {}) => {
      if (browser === null) throw new Error('there is no browser');
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme,
        ...options,
      });
      context.setDefaultTimeout(WAIT_TIMEOUT_MS);
      await context.addInitScript({ path: inPageScript });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('dialog', (dialog) => {
        complaints.push(`a dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      return Object.assign(page, { complaints });
    },
  };
}
