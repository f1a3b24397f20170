// Asking for another address with the password, and keeping the present one after all.

import { typed } from '../keys/form-input.ts';
import type { ConsoleAnswer, ConsoleAsked, ConsoleContext } from '../shell/console-context.ts';
import { movedDone } from '../shell/notice.ts';
import { showAccount } from './account.ts';

const ACCOUNT = '/console/account';

export async function askAddress(
  context: ConsoleContext,
  asked: ConsoleAsked,
): Promise<ConsoleAnswer> {
  const { words, session, addressChange } = context;
  const heard = await addressChange.ask(session, {
    address: typed(asked.form, 'address'),
    // Not trimmed: spaces may be part of it.
    password: (asked.form.get('confirm') ?? '').slice(0, 1_000),
  });
  const wrong = (errors: Readonly<Record<string, string>>, status = 422) =>
    showAccount(context, asked, errors, status);
  switch (heard.kind) {
    case 'written':
      return movedDone(ACCOUNT, 'addressAsked');
    case 'changed':
      return movedDone(ACCOUNT, 'addressChanged');
    case 'malformed':
      return wrong({ address: words.emailMalformed });
    case 'same':
      return wrong({ address: words.addressSame });
    case 'taken':
      return wrong({ address: words.addressTaken }, 409);
    case 'wrong':
      return wrong({ confirm: words.passwordWrong });
    case 'too_many':
      return wrong({ confirm: words.tooMany(Math.ceil(heard.waitMs / 1000)) }, 429);
  }
}

export async function keepAddress({
  account,
  addressChange,
}: ConsoleContext): Promise<ConsoleAnswer> {
  await addressChange.cancel(account.id);
  return movedDone(ACCOUNT, 'addressKept');
}
