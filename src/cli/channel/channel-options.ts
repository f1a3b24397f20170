// Options of `radar channel add`, and the fault of all commands for an unknown channel.
import { Fault } from '../../kernel/errors/fault.ts';

export type ChannelAddOptions = {
  readonly name?: string;
  readonly set?: readonly string[];
  readonly whenUnsure: 'send' | 'drop';
};

export const unknownChannelFault = (id: string) =>
  new Fault('not_found', `There is no channel called ${id}. See: radar channel list`);
