// The way in, in this desk's words.
import type { DeskAssets } from '../../kernel/desk/desk-page.ts';
import type { SignInPage } from '../../kernel/desk/operator-desk.ts';
import { operatorSignIn } from '../../kernel/desk/operator-sign-in.ts';
import type { AdminContext } from './admin-context.ts';
import { adminWords } from './words.ts';

export function signInPage(
  context: AdminContext & { assets: DeskAssets },
  page: SignInPage,
): string {
  const { site, sessions } = context;
  const words = adminWords(site.language);
  const formToken = sessions.formToken(page.visitor);
  const back = { href: '/', label: words.toRadar };
  return operatorSignIn(context, { ...page, formToken, label: site.name, back }, words);
}
