// Definition of one kind of channel as data: fields, sizes, rates, request and response codes.
import type { RateLimit } from '../kernel/rate-limit/gcra.ts';
import type { NotificationMessage } from './message.ts';

export type ChannelKindName =
  | 'webhook'
  | 'email'
  | 'feishu'
  | 'lark'
  | 'wecom'
  | 'dingtalk'
  | 'telegram'
  | 'slack'
  | 'discord'
  | 'ntfy'
  | 'bark';

export type ChannelField = {
  readonly name: string;
  /** `url`: an address that receives requests. `secret`: shown once and never again. */
  readonly type: 'url' | 'secret' | 'text';
  readonly isRequired: boolean;
  /** What forms suggest. An optional field has this value when it is absent. */
  readonly preset?: string;
  readonly pattern?: RegExp;
};

/** Values by the names of the fields; optional ones may be absent. */
export type ChannelFields = Readonly<Record<string, string>>;

export type ChannelRequest = {
  readonly url: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** HTTP method; POST when absent. */
  readonly method?: 'POST' | 'PATCH';
};

export type RenderContext = {
  readonly fields: ChannelFields;
  /** Id of the delivery: the same on every try. */
  readonly id: string;
  /** Epoch milliseconds of this try. */
  readonly at: number;
  /** Time of the event, epoch milliseconds: the same on every try. */
  readonly eventAt: number;
  /** The number of renderings to skip that would fit; 1 after the service refused the longest. */
  readonly skip: number;
};

export type CodeRule = {
  /** A path in the JSON body, such as `parameters.retry_after`; null: the HTTP status. */
  readonly field: string | null;
  readonly values: readonly (number | string | boolean)[];
};

export type TextRule = CodeRule & {
  /** Only when the body contains this text, in lower case. */
  readonly text?: string;
};

/** Codes of the service. `otherRefusals` applies to codes that are not listed. */
export type ResponseRules = {
  /** All conditions must hold. `text`: the whole body. */
  readonly success: {
    readonly statuses: '2xx' | readonly number[];
    readonly code?: CodeRule;
    readonly text?: string;
  };
  readonly wait: readonly (CodeRule & { readonly waitMs?: number })[];
  /** Path of the retry delay in the body, in seconds. */
  readonly waitField?: string;
  readonly broken: readonly TextRule[];
  /** The message to edit has the new content already. */
  readonly unchanged?: TextRule;
  /** The message is too long for the service: a shorter rendering is sent. */
  readonly shorten?: readonly CodeRule[];
  /** Path of the message id in the body. */
  readonly idField?: string;
  /** Whether other refusals are retried. 5xx responses are always retried. */
  readonly otherRefusals: 'retry' | 'refuse';
};

export type ChannelKind = {
  readonly name: ChannelKindName;
  /** Display name on pages and on the command line. */
  readonly title: string;
  readonly fields: readonly ChannelField[];
  /** Empty for mail: the settings of the mail server contain its rate. */
  readonly rates: readonly RateLimit[];
  /** Receivers can recognise a duplicate by its id. */
  readonly hasIds: boolean;
  readonly responses: ResponseRules;
  /** Null: messages are sent by mail. */
  readonly render:
    | ((message: NotificationMessage, context: RenderContext) => ChannelRequest)
    | null;
  /** Changes a message that was sent; absent: another notification follows instead. */
  readonly edit?: (
    message: NotificationMessage,
    context: RenderContext & { readonly remoteId: string },
  ) => ChannelRequest;
};
