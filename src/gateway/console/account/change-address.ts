// Requests a new e-mail address with the password, or cancels the request.

import { readField, readPassword } from '../keys/form-input.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { redirectWithNotice } from '../shell/notice.ts';
import { showAccount } from './account.ts';

const ACCOUNT_PATH = '/console/account';

export async function requestAddressChange(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { messages, session, addressChange } = context;
  const result = await addressChange.request(session, {
    address: readField(request.form, 'address'),
    password: readPassword(request.form, 'confirm'),
    origin: request.from,
  });
  const renderInvalid = (errors: Readonly<Record<string, string>>, status = 422) =>
    showAccount(context, request, errors, status);
  switch (result.kind) {
    case 'mail_queued':
      return redirectWithNotice(ACCOUNT_PATH, 'addressRequested');
    case 'changed':
      return redirectWithNotice(ACCOUNT_PATH, 'addressChanged');
    case 'malformed':
      return renderInvalid({ address: messages.emailMalformed });
    case 'same':
      return renderInvalid({ address: messages.addressSame });
    case 'address_taken':
      return renderInvalid({ address: messages.addressTaken }, 409);
    case 'wrong':
      return renderInvalid({ confirm: messages.passwordWrong });
    case 'too_many':
      return renderInvalid({ confirm: messages.tooMany(Math.ceil(result.waitMs / 1000)) }, 429);
  }
}

export async function cancelAddressChange({
  account,
  addressChange,
}: ConsoleContext): Promise<ConsoleResponse> {
  await addressChange.cancel(account.id);
  return redirectWithNotice(ACCOUNT_PATH, 'addressKept');
}
