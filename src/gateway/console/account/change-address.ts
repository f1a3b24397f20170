// Requests a new e-mail address with the password, or cancels the request.

import { readField } from '../keys/form-input.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { redirectWithNotice } from '../shell/notice.ts';
import { showAccount } from './account.ts';

const ACCOUNT = '/console/account';

export async function requestAddressChange(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { messages, session, addressChange } = context;
  const result = await addressChange.request(session, {
    address: readField(request.form, 'address'),
    // Not trimmed: spaces may be part of the password.
    password: (request.form.get('confirm') ?? '').slice(0, 1_000),
    origin: request.from,
  });
  const invalidPage = (errors: Readonly<Record<string, string>>, status = 422) =>
    showAccount(context, request, errors, status);
  switch (result.kind) {
    case 'written':
      return redirectWithNotice(ACCOUNT, 'addressRequested');
    case 'changed':
      return redirectWithNotice(ACCOUNT, 'addressChanged');
    case 'malformed':
      return invalidPage({ address: messages.emailMalformed });
    case 'same':
      return invalidPage({ address: messages.addressSame });
    case 'address_taken':
      return invalidPage({ address: messages.addressTaken }, 409);
    case 'wrong':
      return invalidPage({ confirm: messages.passwordWrong });
    case 'too_many':
      return invalidPage({ confirm: messages.tooMany(Math.ceil(result.waitMs / 1000)) }, 429);
  }
}

export async function cancelAddressChange({
  account,
  addressChange,
}: ConsoleContext): Promise<ConsoleResponse> {
  await addressChange.cancel(account.id);
  return redirectWithNotice(ACCOUNT, 'addressKept');
}
