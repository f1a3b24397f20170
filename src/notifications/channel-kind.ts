// Types for one kind of channel: fields, rate limits, requests, and the meaning of response codes.
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
  /** `url`: an address that receives requests. `secret`: a value that is never shown again. */
  readonly type: 'url' | 'secret' | 'text';
  readonly isRequired: boolean;
  /** The value that forms suggest, and the value of an optional field that is absent. */
  readonly preset?: string;
  readonly pattern?: RegExp;
  /** The field belongs to the rotation of a secret, so forms and help texts omit it. */
  readonly isForRotation?: true;
};

/** Values by field name; optional fields may be absent. */
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
  /**
   * Number of fitting renderings to skip, longest first; 1 after the service refused the longest.
   */
  readonly skip: number;
};

export type CodeRule = {
  /** A path in the JSON body, such as `parameters.retry_after`; null: the HTTP status. */
  readonly field: string | null;
  readonly values: readonly (number | string | boolean)[];
};

export type TextRule = CodeRule & {
  /** The rule applies only when the lower-case body contains this text. */
  readonly text?: string;
};

/** The meaning of each response. `otherRefusals` applies to codes that no rule lists. */
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
  /** The service refuses an edit because the message has the new content already. */
  readonly unchanged?: TextRule;
  /** The message is too long for the service: a shorter rendering is sent. */
  readonly shorten?: readonly CodeRule[];
  /** Path of the message id in the body. */
  readonly idField?: string;
  /** Whether refusals with other codes are retried. 5xx responses are always retried. */
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
