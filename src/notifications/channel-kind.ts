// What one kind of channel is: its fields, sizes, pace, request and response codes, as data.
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
  /** `url`: an address that is requested. `secret`: shown once, then never. */
  readonly type: 'url' | 'secret' | 'text';
  readonly isRequired: boolean;
  /** Used when the field is absent. */
  readonly preset?: string;
  readonly pattern?: RegExp;
};

/** Values by the names of the fields; optional ones may be absent. */
export type ChannelFields = Readonly<Record<string, string>>;

export type ChannelRequest = {
  readonly url: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** POST when absent. */
  readonly method?: 'POST' | 'PATCH';
};

export type RenderContext = {
  readonly fields: ChannelFields;
  /** Of the delivery: the same on every try. */
  readonly id: string;
  /** Epoch milliseconds of this try. */
  readonly at: number;
  /** The event's time, epoch milliseconds: the same on every try. */
  readonly eventAt: number;
  /** How many sizes that fit are passed over, after the service refused a size. */
  readonly skip: number;
};

export type CodeRule = {
  /** A path in the JSON body, such as `parameters.retry_after`; null: the HTTP status. */
  readonly field: string | null;
  readonly values: readonly (number | string | boolean)[];
};

/** The service's codes. What no rule names is `otherwise`. */
export type ResponseRules = {
  /** All of them hold. `text`: the whole body. */
  readonly success: {
    readonly statuses: '2xx' | readonly number[];
    readonly code?: CodeRule;
    readonly text?: string;
  };
  readonly wait: readonly (CodeRule & { readonly waitMs?: number })[];
  /** Where the body states how many seconds to wait. */
  readonly waitField?: string;
  readonly broken: readonly (CodeRule & {
    /** With this text in the body, lower case. */
    readonly text?: string;
  })[];
  /** The service found the message too long: one shorter rendering follows. */
  readonly shorten?: readonly CodeRule[];
  /** Where the body has the id of the message. */
  readonly idField?: string;
  /** Whether other refusals are tried again; 5xx always are. */
  readonly otherwise: 'retry' | 'refuse';
};

export type ChannelKind = {
  readonly name: ChannelKindName;
  /** As pages and the command line show it. */
  readonly title: string;
  readonly fields: readonly ChannelField[];
  readonly rates: readonly RateLimit[];
  /** A duplicate can be recognised by its id. */
  readonly hasIds: boolean;
  readonly responses: ResponseRules;
  /** Null: it is sent as a mail. */
  readonly render:
    | ((message: NotificationMessage, context: RenderContext) => ChannelRequest)
    | null;
  /** Changes a message that was sent; absent: another notification follows instead. */
  readonly edit?: (
    message: NotificationMessage,
    context: RenderContext & { readonly remoteId: string },
  ) => ChannelRequest;
};

/** The most notifications in one minute. */
export const perMinute = ({ rates }: Pick<ChannelKind, 'rates'>): number =>
  Math.min(...rates.map(({ perSecond }) => perSecond * 60));
