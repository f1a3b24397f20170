// Types of the requests and responses of the gateway. Written by bin/node24
// tests/sdk/generate-declarations.ts.

export type Problem = {
  /** Address of a page about this kind of problem. */
  readonly type: string;
  readonly title: string;
  readonly status: number;

  /** Description of the error in this request. */
  readonly detail: string;

  /** Path of the request. */
  readonly instance: string;

  /** Error code for programs. More values may come. */
  readonly code: string;

  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** With invalid_request: at most twenty invalid fields, and what to write instead. */
  readonly errors?: readonly {
    readonly field: string;
    readonly message: string;
  }[];

  /** Seconds until the next attempt; with 429, and with 503 where a retry can help. */
  readonly retry_after?: number;

  /** With 402: price of the call. CNY as decimal text, exact. */
  readonly required?: string;

  /** With 402: amount that can be spent. CNY as decimal text, exact. */
  readonly available?: string;

  /** With 402: start of the next allowance. */
  readonly free_quota_resets_at?: string;

  /** With quota_exceeded: period of the exhausted quota. More values may come. */
  readonly quota?: string;

  /** With quota_exceeded: start of the next period. */
  readonly quota_resets_at?: string;
  readonly budget_resets_at?: string | null;

  /** With duplicate_idempotency_key: the first response. */
  readonly original?: {
    /** Identifies the call, also in the header X-Request-Id. */
    readonly request_id: string;
    readonly status: number;
    readonly url: string;
  };
};

export type Account = {
  readonly id: string;

  /** False for test keys, which have separate balances and use no provider. */
  readonly livemode: boolean;
  readonly currency: 'CNY';
  readonly balance: {
    /** Unspent top-ups. CNY as decimal text, exact. */
    readonly cash: string;

    /** Unspent part of all vouchers. CNY as decimal text, exact. */
    readonly vouchers: string;

    /** Held for running calls. CNY as decimal text, exact. */
    readonly held: string;

    /** Amount that can be spent, without the allowance. CNY as decimal text, exact. */
    readonly total: string;
  };
  readonly vouchers: readonly {
    readonly id: string;
    readonly name: string;

    /** Original amount. CNY as decimal text, exact. */
    readonly amount: string;

    /** Unspent amount. CNY as decimal text, exact. */
    readonly remaining: string;
    readonly expires_at: string | null;
  }[];
  readonly free_quota: {
    readonly period: 'daily';

    /** Allowance of a day. CNY as decimal text, exact. */
    readonly amount: string;

    /** Unspent allowance of today. CNY as decimal text, exact. */
    readonly remaining: string;

    /** Start of the next day in Shanghai. */
    readonly resets_at: string;
  };
  readonly limits: {
    readonly rate: {
      /** Requests with this key per window. */
      readonly q: number;

      /** Length of the window in seconds. */
      readonly w: number;
    };
    readonly quotas: {
      readonly day: {
        /** Maximum number of calls. */
        readonly limit: number;

        /** Number of calls so far. */
        readonly used: number;

        /** Start of the next period. */
        readonly resets_at: string;
      };
      readonly month: {
        /** Maximum number of calls. */
        readonly limit: number;

        /** Number of calls so far. */
        readonly used: number;

        /** Start of the next period. */
        readonly resets_at: string;
      };
    };
  };
};

export type Calls = {
  /** Newest first. */
  readonly calls: readonly {
    /** Identifies the call, also in the header X-Request-Id. */
    readonly request_id: string;

    /** False for test keys, which have separate balances and use no provider. */
    readonly livemode: boolean;
    readonly capability: string;
    readonly key: {
      readonly id: string;
      readonly name: string | null;
      readonly last4: string | null;
    };

    /** State of the call. More values may come. */
    readonly status: string;
    readonly http_status: number | null;

    /** Start. */
    readonly created_at: string;
    readonly completed_at: string | null;
    readonly idempotency_key: string | null;
    readonly usage: {
      readonly unit: 'per_call' | 'per_minute' | 'per_token';

      /** Number of units: calls, seconds (rounded up), or tokens. */
      readonly quantity: number;
      readonly increment: 'call' | 'second' | 'token';
    } | null;
    readonly charge: {
      readonly currency: 'CNY';

      /** Charge of the call. CNY as decimal text, exact. */
      readonly total: string;

      /** Part that the daily allowance paid. CNY as decimal text, exact. */
      readonly free_quota: string;

      /** Part that vouchers paid. CNY as decimal text, exact. */
      readonly voucher: string;

      /** Part that cash paid. CNY as decimal text, exact. */
      readonly cash: string;
    } | null;

    /** Refunds, oldest first. They do not change `charge`. */
    readonly refunds: readonly {
      /** Time of the refund. */
      readonly created_at: string;

      /** Refunded amount. CNY as decimal text, exact. */
      readonly total: string;

      /**
       * Part refunded as cash; at most the cash of the charge. CNY as decimal text,
       * exact.
       */
      readonly cash: string;

      /** Part refunded as a voucher. CNY as decimal text, exact. */
      readonly voucher: string;
      readonly reason: string | null;
    }[];
  }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
};

export type Call = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys, which have separate balances and use no provider. */
  readonly livemode: boolean;
  readonly capability: string;
  readonly key: {
    readonly id: string;
    readonly name: string | null;
    readonly last4: string | null;
  };

  /** State of the call. More values may come. */
  readonly status: string;
  readonly http_status: number | null;

  /** Start. */
  readonly created_at: string;
  readonly completed_at: string | null;
  readonly idempotency_key: string | null;
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** Number of units: calls, seconds (rounded up), or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  } | null;
  readonly charge: {
    readonly currency: 'CNY';

    /** Charge of the call. CNY as decimal text, exact. */
    readonly total: string;

    /** Part that the daily allowance paid. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Part that vouchers paid. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Part that cash paid. CNY as decimal text, exact. */
    readonly cash: string;
  } | null;

  /** Refunds, oldest first. They do not change `charge`. */
  readonly refunds: readonly {
    /** Time of the refund. */
    readonly created_at: string;

    /** Refunded amount. CNY as decimal text, exact. */
    readonly total: string;

    /**
     * Part refunded as cash; at most the cash of the charge. CNY as decimal text,
     * exact.
     */
    readonly cash: string;

    /** Part refunded as a voucher. CNY as decimal text, exact. */
    readonly voucher: string;
    readonly reason: string | null;
  }[];

  /**
   * Response of the call; stored for 24 hours. Of a relay call without an
   * Idempotency-Key, only the usage is stored.
   */
  readonly answer: {
    readonly status: number;
    readonly content_type: string;
    readonly body: unknown;
  } | null;
};

export type Job = {
  /** Identifier of the job. */
  readonly id: string;
  readonly capability: string;

  /** State of the job. More values may come. */
  readonly status: string;

  /** Time of acceptance. */
  readonly created_at: string;

  /** Time of the last change. */
  readonly updated_at: string;

  /** Completed part, 0 to 1; null when unknown. */
  readonly progress: number | null;

  /** Result of the job; null until it has succeeded. */
  readonly result: Readonly<Record<string, unknown>> | null;

  /** The result has expired. */
  readonly result_expired?: true;

  /** Reason of the failure or expiry. */
  readonly error: {
    /** Address of a page about this kind of problem. */
    readonly type: string;
    readonly title: string;
    readonly status: number;

    /** Description of the error in this request. */
    readonly detail: string;

    /** Path of the request. */
    readonly instance: string;

    /** Error code for programs. More values may come. */
    readonly code: string;

    /** Identifies the call, also in the header X-Request-Id. */
    readonly request_id: string;

    /** With invalid_request: at most twenty invalid fields, and what to write instead. */
    readonly errors?: readonly {
      readonly field: string;
      readonly message: string;
    }[];

    /** Seconds until the next attempt; with 429, and with 503 where a retry can help. */
    readonly retry_after?: number;

    /** With 402: price of the call. CNY as decimal text, exact. */
    readonly required?: string;

    /** With 402: amount that can be spent. CNY as decimal text, exact. */
    readonly available?: string;

    /** With 402: start of the next allowance. */
    readonly free_quota_resets_at?: string;

    /** With quota_exceeded: period of the exhausted quota. More values may come. */
    readonly quota?: string;

    /** With quota_exceeded: start of the next period. */
    readonly quota_resets_at?: string;
    readonly budget_resets_at?: string | null;

    /** With duplicate_idempotency_key: the first response. */
    readonly original?: {
      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;
      readonly status: number;
      readonly url: string;
    };
  } | null;
};

export type Jobs = {
  readonly jobs: readonly {
    /** Identifier of the job. */
    readonly id: string;
    readonly capability: string;

    /** State of the job. More values may come. */
    readonly status: string;

    /** Time of acceptance. */
    readonly created_at: string;

    /** Time of the last change. */
    readonly updated_at: string;

    /** Completed part, 0 to 1; null when unknown. */
    readonly progress: number | null;

    /** Result of the job; null until it has succeeded. */
    readonly result: Readonly<Record<string, unknown>> | null;

    /** The result has expired. */
    readonly result_expired?: true;

    /** Reason of the failure or expiry. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** Description of the error in this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** Error code for programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: at most twenty invalid fields, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds until the next attempt; with 429, and with 503 where a retry can help. */
      readonly retry_after?: number;

      /** With 402: price of the call. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: amount that can be spent. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: start of the next allowance. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: period of the exhausted quota. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: start of the next period. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first response. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  }[];
  readonly has_more: boolean;

  /** Cursor of the next page; null on the last page. */
  readonly next_cursor: string | null;
};

export type Usage = {
  /** First day, Asia/Shanghai. */
  readonly from: string;

  /** Last day, inclusive. */
  readonly to: string;
  readonly group_by: 'day' | 'capability' | 'key';
  readonly rows: readonly {
    readonly group: string;

    /** Number of started calls. */
    readonly calls: number;

    /** Number of successful calls. */
    readonly succeeded: number;

    /** Charge of the call, by the balances that paid it. */
    readonly charge: {
      readonly currency: 'CNY';

      /** Charge of the call. CNY as decimal text, exact. */
      readonly total: string;

      /** Part that the daily allowance paid. CNY as decimal text, exact. */
      readonly free_quota: string;

      /** Part that vouchers paid. CNY as decimal text, exact. */
      readonly voucher: string;

      /** Part that cash paid. CNY as decimal text, exact. */
      readonly cash: string;
    };
  }[];
};

export type ChatUsage = {
  /** First day, Asia/Shanghai. */
  readonly from: string;

  /** Last day, inclusive. */
  readonly to: string;
  readonly group_by: 'day' | 'model' | 'key';
  readonly rows: readonly {
    readonly group: string;

    /** Number of calls that reached a model. */
    readonly calls: number;

    /** Number of calls with a complete response. */
    readonly succeeded: number;

    /** Tokens reported by the provider, or an estimate. */
    readonly prompt_tokens: number;

    /** Tokens reported by the provider, or an estimate. */
    readonly completion_tokens: number;
  }[];
};

export type Catalog = {
  /** Version of the price list. */
  readonly version: number;
  readonly currency: 'CNY';
  readonly free_quota: {
    readonly summary: string;

    /** Allowance of a day. In fen. */
    readonly cents: number;
    readonly period: 'daily';
    readonly display: string;
  };
  readonly buckets: readonly {
    readonly id: string;
    readonly name: string;
    readonly summary: string;
    readonly wallet_debit: boolean;
  }[];
  readonly skus: readonly {
    readonly id: string;
    readonly name: string;
    readonly summary: string;
    readonly bucket: string;
    readonly endpoint: string;
    readonly unit: 'per_call' | 'per_minute';
    readonly priced: boolean;
    readonly actions?: readonly string[];

    /** Price of a thousand calls. In fen. */
    readonly price_cents_per_1000?: number;
    readonly price_per_1000?: string;

    /** Price of a call, rounded up. In fen. */
    readonly price_cents?: number;
    readonly price?: string;

    /** Price of a minute of audio. In fen. */
    readonly price_cents_per_minute?: number;
    readonly price_per_minute?: string;
    readonly billing_increment_seconds?: number;
  }[];
  readonly capabilities: readonly {
    readonly id: string;
    readonly name: string;
    readonly endpoint: string;
    readonly availability: 'live' | 'coming_soon' | 'available';
    readonly key: 'sk' | 'ak';
    readonly sku: string | null;
    readonly configured: boolean;

    /** False when a call, or a part of it, would be refused now. */
    readonly healthy: boolean;

    /** Reason when `healthy` is false, otherwise null. */
    readonly reason: string | null;
  }[];
  readonly integrations: readonly {
    readonly id: string;
    readonly availability: string;
    readonly url: string | null;
  }[];
};

export type Platforms = {
  readonly platforms: readonly {
    readonly id: string;
    readonly name: string;
    readonly aliases: readonly string[];
    readonly actions: readonly string[];
  }[];
};

export type ModelPrices = {
  /** Version of the prices; null when no model has a price. */
  readonly version: number | null;
  readonly currency: 'CNY';
  readonly unit: 'million_tokens';
  readonly models: readonly {
    readonly id: string;
    readonly max_input: number | null;
    readonly max_output: number | null;
    readonly prices: readonly {
      /** Class of tokens. More values may come. */
      readonly class: string;

      /** Number of input tokens from which the price applies. */
      readonly from: number;

      /** Service tier of the price; absent for the standard tier. */
      readonly variant?: string;

      /**
       * Price of a million tokens; for classes request and tool: of one call. CNY as
       * decimal text, exact.
       */
      readonly price: string;
    }[];
  }[];
};

export type ModelReceipt = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** Identifier of the key. */
  readonly key: string;
  readonly dialect: string | null;
  readonly model_requested: string | null;
  readonly price_version: number;

  /** Hold of the call. CNY as decimal text, exact. */
  readonly held: string;

  /** Part of the hold that was added while the call ran. CNY as decimal text, exact. */
  readonly extended: string;

  /** Charge of the call. CNY as decimal text, exact. */
  readonly charge: string;

  /** True when the price of the requested model limited the charge. */
  readonly ceiling_applied: boolean;

  /** Price of usage beyond the hold. It was not charged. CNY as decimal text, exact. */
  readonly shortfall: string;
  readonly counted: string | null;

  /** Ending of the response. More values may come. */
  readonly ended: string;
  readonly cut: string | null;

  /** Number of unreadable events of the upstream. */
  readonly skipped_events: number;
  readonly lines: readonly {
    /** Class of tokens. More values may come. */
    readonly class: string;

    /** Number of tokens; for classes request and tool: of calls. */
    readonly tokens: number;

    /**
     * Price of a million tokens; for classes request and tool: of one call. CNY as
     * decimal text, exact.
     */
    readonly price: string;

    /** Exact amount, CNY as decimal text with up to 14 decimals. */
    readonly amount: string;

    /** Number of the charged attempt. */
    readonly attempt: number;
  }[];
  readonly attempts: readonly {
    readonly n: number;
    readonly model: string;
    readonly upstream: string | null;
    readonly class_of_failure: string | null;

    /** Number of requests to this upstream. */
    readonly tries: number;

    /** Start. */
    readonly started_at: string;
    readonly first_token_ms: number | null;

    /** Usage of the attempt; null when it sent no part of the response. */
    readonly usage: {
      /** Number of input tokens. */
      readonly input: number;

      /** Number of output tokens. */
      readonly output: number;

      /** Origin of the numbers. More values may come. */
      readonly counted?: string;

      /** Part of class cache_read; absent when it is zero. */
      readonly cache_read?: number;

      /** Part of class cache_write; absent when it is zero. */
      readonly cache_write?: number;

      /** Part of class cache_write_long; absent when it is zero. */
      readonly cache_write_long?: number;

      /** Part of class input_audio; absent when it is zero. */
      readonly input_audio?: number;

      /** Part of class input_image; absent when it is zero. */
      readonly input_image?: number;

      /** Part of class reasoning; absent when it is zero. */
      readonly reasoning?: number;

      /** Part of class output_audio; absent when it is zero. */
      readonly output_audio?: number;

      /** Part of class output_image; absent when it is zero. */
      readonly output_image?: number;
    } | null;

    /** True when the attempt continued a broken response. */
    readonly continuation: boolean;
    readonly billed: boolean;
  }[];
};

export type ModelQuote = {
  readonly model: string;

  /** Version of the prices; null when the call is free. */
  readonly price_version: number | null;
  readonly bounds: {
    /** Assumed tokens per byte. */
    readonly ratio: number;

    /** Maximum number of input tokens. */
    readonly input_tokens: number;

    /** Maximum number of output tokens per response. */
    readonly output_tokens: number;

    /** Number of responses. */
    readonly responses: number;

    /** Maximum number of calls of each tool that the provider runs. */
    readonly tool_calls: Readonly<Record<string, number>>;

    /** Number of images in the request. */
    readonly images: number;

    /** Pages of all documents; 100 for a document that cannot be read. */
    readonly pages: number;

    /** Seconds of audio in the request, rounded up. */
    readonly audio_seconds: number;
  } | null;
  readonly lines: readonly {
    /** Class of tokens. More values may come. */
    readonly class: string;
    readonly from?: number;

    /** Service tier of the price; absent for the standard tier. */
    readonly variant?: string;
    readonly tokens?: number;

    /**
     * Price of a million tokens; for classes request and tool: of one call. CNY as
     * decimal text, exact.
     */
    readonly price: string;
  }[];

  /** Hold of the call. CNY as decimal text, exact. */
  readonly hold: string;

  /**
   * Maximum charge, also of a stream whose hold is raised while it runs. CNY as
   * decimal text, exact.
   */
  readonly ceiling: string;
};

export type ModelQuoteRequest = {
  /** Path of the relay endpoint, such as /relay/v1/messages. */
  readonly path: string;

  /** Body of the planned request. */
  readonly body: Readonly<Record<string, unknown>>;
};

export type SocialAnswer = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys, which have separate balances and use no provider. */
  readonly livemode: boolean;
  readonly data:
    | {
        /** Identifier of the platform. */
        readonly platform: string;

        /** A public post. Unknown values are null. */
        readonly post: {
          /** Identifier on its platform. */
          readonly id: string;

          /** Address of the post. */
          readonly url: string;
          readonly type: 'video' | 'image' | 'text' | 'article';
          readonly title: string | null;
          readonly text: string | null;
          readonly author: {
            readonly id: string | null;
            readonly name: string | null;
            readonly url: string | null;
            readonly avatar_url: string | null;
          };
          readonly published_at: string | null;
          readonly media: readonly {
            /** Kind of media. More values may come. */
            readonly type: string;

            /** Address of the file. */
            readonly url: string;
            readonly width: number | null;
            readonly height: number | null;
            readonly duration_seconds: number | null;
          }[];
          readonly metrics: {
            readonly views: number | null;
            readonly likes: number | null;
            readonly comments: number | null;
            readonly shares: number | null;
            readonly favorites: number | null;
          };

          /** Tags without the sign `#`. */
          readonly tags: readonly string[];
          readonly language: string | null;
        };
      }
    | {
        /** Identifier of the platform. */
        readonly platform: string;

        /** Searched keyword. */
        readonly keyword: string;
        readonly posts: readonly {
          /** Identifier on its platform. */
          readonly id: string;

          /** Address of the post. */
          readonly url: string;
          readonly type: 'video' | 'image' | 'text' | 'article';
          readonly title: string | null;
          readonly text: string | null;
          readonly author: {
            readonly id: string | null;
            readonly name: string | null;
            readonly url: string | null;
            readonly avatar_url: string | null;
          };
          readonly published_at: string | null;
          readonly media: readonly {
            /** Kind of media. More values may come. */
            readonly type: string;

            /** Address of the file. */
            readonly url: string;
            readonly width: number | null;
            readonly height: number | null;
            readonly duration_seconds: number | null;
          }[];
          readonly metrics: {
            readonly views: number | null;
            readonly likes: number | null;
            readonly comments: number | null;
            readonly shares: number | null;
            readonly favorites: number | null;
          };

          /** Tags without the sign `#`. */
          readonly tags: readonly string[];
          readonly language: string | null;
        }[];

        /** Value of `params.page` for the next page; null on the last page. */
        readonly next_page: string | null;
      };

  /** Charged quantity. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** Number of units: calls, seconds (rounded up), or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** Charge of the call, by the balances that paid it. */
  readonly charge: {
    readonly currency: 'CNY';

    /** Charge of the call. CNY as decimal text, exact. */
    readonly total: string;

    /** Part that the daily allowance paid. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Part that vouchers paid. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Part that cash paid. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type SocialAccepted = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys, which have separate balances and use no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Identifier of the job. */
    readonly id: string;
    readonly capability: string;

    /** State of the job. More values may come. */
    readonly status: string;

    /** Time of acceptance. */
    readonly created_at: string;

    /** Time of the last change. */
    readonly updated_at: string;

    /** Completed part, 0 to 1; null when unknown. */
    readonly progress: number | null;

    /** Result of the job; null until it has succeeded. */
    readonly result:
      | {
          /** Identifier of the platform. */
          readonly platform: string;

          /** A public post. Unknown values are null. */
          readonly post: {
            /** Identifier on its platform. */
            readonly id: string;

            /** Address of the post. */
            readonly url: string;
            readonly type: 'video' | 'image' | 'text' | 'article';
            readonly title: string | null;
            readonly text: string | null;
            readonly author: {
              readonly id: string | null;
              readonly name: string | null;
              readonly url: string | null;
              readonly avatar_url: string | null;
            };
            readonly published_at: string | null;
            readonly media: readonly {
              /** Kind of media. More values may come. */
              readonly type: string;

              /** Address of the file. */
              readonly url: string;
              readonly width: number | null;
              readonly height: number | null;
              readonly duration_seconds: number | null;
            }[];
            readonly metrics: {
              readonly views: number | null;
              readonly likes: number | null;
              readonly comments: number | null;
              readonly shares: number | null;
              readonly favorites: number | null;
            };

            /** Tags without the sign `#`. */
            readonly tags: readonly string[];
            readonly language: string | null;
          };
        }
      | {
          /** Identifier of the platform. */
          readonly platform: string;

          /** Searched keyword. */
          readonly keyword: string;
          readonly posts: readonly {
            /** Identifier on its platform. */
            readonly id: string;

            /** Address of the post. */
            readonly url: string;
            readonly type: 'video' | 'image' | 'text' | 'article';
            readonly title: string | null;
            readonly text: string | null;
            readonly author: {
              readonly id: string | null;
              readonly name: string | null;
              readonly url: string | null;
              readonly avatar_url: string | null;
            };
            readonly published_at: string | null;
            readonly media: readonly {
              /** Kind of media. More values may come. */
              readonly type: string;

              /** Address of the file. */
              readonly url: string;
              readonly width: number | null;
              readonly height: number | null;
              readonly duration_seconds: number | null;
            }[];
            readonly metrics: {
              readonly views: number | null;
              readonly likes: number | null;
              readonly comments: number | null;
              readonly shares: number | null;
              readonly favorites: number | null;
            };

            /** Tags without the sign `#`. */
            readonly tags: readonly string[];
            readonly language: string | null;
          }[];

          /** Value of `params.page` for the next page; null on the last page. */
          readonly next_page: string | null;
        }
      | null;

    /** The result has expired. */
    readonly result_expired?: true;

    /** Reason of the failure or expiry. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** Description of the error in this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** Error code for programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: at most twenty invalid fields, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds until the next attempt; with 429, and with 503 where a retry can help. */
      readonly retry_after?: number;

      /** With 402: price of the call. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: amount that can be spent. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: start of the next allowance. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: period of the exhausted quota. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: start of the next period. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first response. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  };

  /** Charged quantity. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** Number of units: calls, seconds (rounded up), or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** Charge of the call, by the balances that paid it. */
  readonly charge: {
    readonly currency: 'CNY';

    /** Charge of the call. CNY as decimal text, exact. */
    readonly total: string;

    /** Part that the daily allowance paid. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Part that vouchers paid. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Part that cash paid. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type TranscribeAnswer = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys, which have separate balances and use no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Complete transcript. */
    readonly text: string;
    readonly language: string | null;

    /** Length of the audio in seconds. */
    readonly duration_seconds: number;
    readonly segments: readonly {
      /** Start in seconds. */
      readonly start: number;

      /** End in seconds. */
      readonly end: number;
      readonly text: string;
    }[];
    readonly title: string | null;

    /** Subtitles, with format srt. */
    readonly srt?: string;

    /** Subtitles, with format vtt. */
    readonly vtt?: string;
  };

  /** Charged quantity. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** Number of units: calls, seconds (rounded up), or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** Charge of the call, by the balances that paid it. */
  readonly charge: {
    readonly currency: 'CNY';

    /** Charge of the call. CNY as decimal text, exact. */
    readonly total: string;

    /** Part that the daily allowance paid. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Part that vouchers paid. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Part that cash paid. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type TranscribeAccepted = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys, which have separate balances and use no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Identifier of the job. */
    readonly id: string;
    readonly capability: string;

    /** State of the job. More values may come. */
    readonly status: string;

    /** Time of acceptance. */
    readonly created_at: string;

    /** Time of the last change. */
    readonly updated_at: string;

    /** Completed part, 0 to 1; null when unknown. */
    readonly progress: number | null;

    /** Result of the job; null until it has succeeded. */
    readonly result: {
      /** Complete transcript. */
      readonly text: string;
      readonly language: string | null;

      /** Length of the audio in seconds. */
      readonly duration_seconds: number;
      readonly segments: readonly {
        /** Start in seconds. */
        readonly start: number;

        /** End in seconds. */
        readonly end: number;
        readonly text: string;
      }[];
      readonly title: string | null;

      /** Subtitles, with format srt. */
      readonly srt?: string;

      /** Subtitles, with format vtt. */
      readonly vtt?: string;
    } | null;

    /** The result has expired. */
    readonly result_expired?: true;

    /** Reason of the failure or expiry. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** Description of the error in this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** Error code for programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: at most twenty invalid fields, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds until the next attempt; with 429, and with 503 where a retry can help. */
      readonly retry_after?: number;

      /** With 402: price of the call. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: amount that can be spent. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: start of the next allowance. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: period of the exhausted quota. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: start of the next period. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first response. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  };

  /** Charged quantity. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** Number of units: calls, seconds (rounded up), or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** Charge of the call, by the balances that paid it. */
  readonly charge: {
    readonly currency: 'CNY';

    /** Charge of the call. CNY as decimal text, exact. */
    readonly total: string;

    /** Part that the daily allowance paid. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Part that vouchers paid. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Part that cash paid. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type SvcImageAnswer = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys, which have separate balances and use no provider. */
  readonly livemode: boolean;
  readonly data: {
    readonly images: readonly {
      /** Address of the file, valid for 24 hours. */
      readonly url: string;
      readonly mime_type: string;

      /** Width in pixels. */
      readonly width: number;

      /** Height in pixels. */
      readonly height: number;
    }[];
    readonly revised_prompt: string | null;

    /** Differences between the request and the result; absent when there are none. */
    readonly notes?: readonly string[];
  };

  /** Charged quantity. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** Number of units: calls, seconds (rounded up), or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** Charge of the call, by the balances that paid it. */
  readonly charge: {
    readonly currency: 'CNY';

    /** Charge of the call. CNY as decimal text, exact. */
    readonly total: string;

    /** Part that the daily allowance paid. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Part that vouchers paid. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Part that cash paid. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type SvcImageAccepted = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys, which have separate balances and use no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Identifier of the job. */
    readonly id: string;
    readonly capability: string;

    /** State of the job. More values may come. */
    readonly status: string;

    /** Time of acceptance. */
    readonly created_at: string;

    /** Time of the last change. */
    readonly updated_at: string;

    /** Completed part, 0 to 1; null when unknown. */
    readonly progress: number | null;

    /** Result of the job; null until it has succeeded. */
    readonly result: {
      readonly images: readonly {
        /** Address of the file, valid for 24 hours. */
        readonly url: string;
        readonly mime_type: string;

        /** Width in pixels. */
        readonly width: number;

        /** Height in pixels. */
        readonly height: number;
      }[];
      readonly revised_prompt: string | null;

      /** Differences between the request and the result; absent when there are none. */
      readonly notes?: readonly string[];
    } | null;

    /** The result has expired. */
    readonly result_expired?: true;

    /** Reason of the failure or expiry. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** Description of the error in this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** Error code for programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: at most twenty invalid fields, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds until the next attempt; with 429, and with 503 where a retry can help. */
      readonly retry_after?: number;

      /** With 402: price of the call. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: amount that can be spent. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: start of the next allowance. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: period of the exhausted quota. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: start of the next period. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first response. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  };

  /** Charged quantity. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** Number of units: calls, seconds (rounded up), or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** Charge of the call, by the balances that paid it. */
  readonly charge: {
    readonly currency: 'CNY';

    /** Charge of the call. CNY as decimal text, exact. */
    readonly total: string;

    /** Part that the daily allowance paid. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Part that vouchers paid. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Part that cash paid. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type OcrAnswer = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys, which have separate balances and use no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Images in the order of image_urls. */
    readonly images: readonly {
      /** Address of the image, as in the request. */
      readonly url: string;

      /** Complete text of the image. */
      readonly text: string | null;
      readonly blocks:
        | readonly {
            readonly text: string;

            /** Confidence of the recognition, 0 to 1. */
            readonly confidence: number;

            /** x, y, width, height in pixels. */
            readonly box: readonly number[];
          }[]
        | null;

      /** Reason why this image could not be read; null when it was read. */
      readonly error: unknown;
    }[];
  };

  /** Charged quantity. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** Number of units: calls, seconds (rounded up), or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** Charge of the call, by the balances that paid it. */
  readonly charge: {
    readonly currency: 'CNY';

    /** Charge of the call. CNY as decimal text, exact. */
    readonly total: string;

    /** Part that the daily allowance paid. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Part that vouchers paid. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Part that cash paid. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type OcrAccepted = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys, which have separate balances and use no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Identifier of the job. */
    readonly id: string;
    readonly capability: string;

    /** State of the job. More values may come. */
    readonly status: string;

    /** Time of acceptance. */
    readonly created_at: string;

    /** Time of the last change. */
    readonly updated_at: string;

    /** Completed part, 0 to 1; null when unknown. */
    readonly progress: number | null;

    /** Result of the job; null until it has succeeded. */
    readonly result: {
      /** Images in the order of image_urls. */
      readonly images: readonly {
        /** Address of the image, as in the request. */
        readonly url: string;

        /** Complete text of the image. */
        readonly text: string | null;
        readonly blocks:
          | readonly {
              readonly text: string;

              /** Confidence of the recognition, 0 to 1. */
              readonly confidence: number;

              /** x, y, width, height in pixels. */
              readonly box: readonly number[];
            }[]
          | null;

        /** Reason why this image could not be read; null when it was read. */
        readonly error: unknown;
      }[];
    } | null;

    /** The result has expired. */
    readonly result_expired?: true;

    /** Reason of the failure or expiry. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** Description of the error in this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** Error code for programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: at most twenty invalid fields, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds until the next attempt; with 429, and with 503 where a retry can help. */
      readonly retry_after?: number;

      /** With 402: price of the call. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: amount that can be spent. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: start of the next allowance. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: period of the exhausted quota. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: start of the next period. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first response. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  };

  /** Charged quantity. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** Number of units: calls, seconds (rounded up), or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** Charge of the call, by the balances that paid it. */
  readonly charge: {
    readonly currency: 'CNY';

    /** Charge of the call. CNY as decimal text, exact. */
    readonly total: string;

    /** Part that the daily allowance paid. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Part that vouchers paid. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Part that cash paid. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type SvcVideoAccepted = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys, which have separate balances and use no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Identifier of the job. */
    readonly id: string;
    readonly capability: string;

    /** State of the job. More values may come. */
    readonly status: string;

    /** Time of acceptance. */
    readonly created_at: string;

    /** Time of the last change. */
    readonly updated_at: string;

    /** Completed part, 0 to 1; null when unknown. */
    readonly progress: number | null;

    /** Result of the job; null until it has succeeded. */
    readonly result: {
      readonly videos: readonly {
        /** Address of the file, valid for seven days. */
        readonly url: string;
        readonly mime_type: string;
        readonly width: number | null;
        readonly height: number | null;
        readonly duration_seconds: number | null;
      }[];

      /** Differences between the request and the result; absent when there are none. */
      readonly notes?: readonly string[];
    } | null;

    /** The result has expired. */
    readonly result_expired?: true;

    /** Reason of the failure or expiry. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** Description of the error in this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** Error code for programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: at most twenty invalid fields, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds until the next attempt; with 429, and with 503 where a retry can help. */
      readonly retry_after?: number;

      /** With 402: price of the call. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: amount that can be spent. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: start of the next allowance. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: period of the exhausted quota. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: start of the next period. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first response. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  };

  /** Charged quantity. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** Number of units: calls, seconds (rounded up), or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** Charge of the call, by the balances that paid it. */
  readonly charge: {
    readonly currency: 'CNY';

    /** Charge of the call. CNY as decimal text, exact. */
    readonly total: string;

    /** Part that the daily allowance paid. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Part that vouchers paid. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Part that cash paid. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type SearchAnswer = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys, which have separate balances and use no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Search query. */
    readonly query: string;
    readonly results: readonly {
      readonly title: string;

      /** Address of the page. */
      readonly url: string;
      readonly snippet: string;
      readonly published_at: string | null;
      readonly source: string | null;
    }[];

    /** Provider of the results. */
    readonly provider: string;
  };

  /** Charged quantity. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** Number of units: calls, seconds (rounded up), or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** Charge of the call, by the balances that paid it. */
  readonly charge: {
    readonly currency: 'CNY';

    /** Charge of the call. CNY as decimal text, exact. */
    readonly total: string;

    /** Part that the daily allowance paid. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Part that vouchers paid. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Part that cash paid. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type SearchAccepted = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys, which have separate balances and use no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Identifier of the job. */
    readonly id: string;
    readonly capability: string;

    /** State of the job. More values may come. */
    readonly status: string;

    /** Time of acceptance. */
    readonly created_at: string;

    /** Time of the last change. */
    readonly updated_at: string;

    /** Completed part, 0 to 1; null when unknown. */
    readonly progress: number | null;

    /** Result of the job; null until it has succeeded. */
    readonly result: {
      /** Search query. */
      readonly query: string;
      readonly results: readonly {
        readonly title: string;

        /** Address of the page. */
        readonly url: string;
        readonly snippet: string;
        readonly published_at: string | null;
        readonly source: string | null;
      }[];

      /** Provider of the results. */
      readonly provider: string;
    } | null;

    /** The result has expired. */
    readonly result_expired?: true;

    /** Reason of the failure or expiry. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** Description of the error in this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** Error code for programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: at most twenty invalid fields, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds until the next attempt; with 429, and with 503 where a retry can help. */
      readonly retry_after?: number;

      /** With 402: price of the call. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: amount that can be spent. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: start of the next allowance. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: period of the exhausted quota. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: start of the next period. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first response. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  };

  /** Charged quantity. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** Number of units: calls, seconds (rounded up), or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** Charge of the call, by the balances that paid it. */
  readonly charge: {
    readonly currency: 'CNY';

    /** Charge of the call. CNY as decimal text, exact. */
    readonly total: string;

    /** Part that the daily allowance paid. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Part that vouchers paid. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Part that cash paid. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type SocialRequest =
  | {
      /** Id of a platform */
      readonly platform:
        | 'douyin'
        | 'xiaohongshu'
        | 'kuaishou'
        | 'bilibili'
        | 'weibo'
        | 'zhihu'
        | 'wechat_channels'
        | 'tiktok'
        | 'youtube'
        | 'twitter'
        | 'instagram';
      readonly action: 'content';
      readonly params: {
        /** A link of the platform, or a share text with one */
        readonly url: string;
      };
    }
  | {
      /** Id of a platform */
      readonly platform:
        | 'douyin'
        | 'xiaohongshu'
        | 'kuaishou'
        | 'bilibili'
        | 'weibo'
        | 'zhihu'
        | 'wechat_channels'
        | 'tiktok'
        | 'youtube'
        | 'twitter'
        | 'instagram';
      readonly action: 'search';
      readonly params: {
        readonly keyword: string;

        /** next_page of an earlier response */
        readonly page?: string;
        readonly limit?: number;
      };
    };

export type TranscribeRequest = {
  /** A share link, or a share text with one */
  readonly url: string;
  readonly format?: 'srt' | 'vtt';

  /**
   * Maximum charge. A call with a higher price is refused. CNY as decimal text,
   * exact.
   */
  readonly max_charge?: string;
};

export type SvcImageRequest = {
  readonly prompt: string;

  /**
   * W:H, both 1 to 32, between 1:4 and 4:1; data.notes states if the image has
   * another ratio
   */
  readonly aspect_ratio?: string;

  /**
   * Maximum charge. A call with a higher price is refused. CNY as decimal text,
   * exact.
   */
  readonly max_charge?: string;
};

export type OcrRequest = {
  readonly image_urls: readonly string[];

  /**
   * Maximum charge. A call with a higher price is refused. CNY as decimal text,
   * exact.
   */
  readonly max_charge?: string;
};

export type SvcVideoRequest = {
  readonly prompt: string;

  /** data.notes states when the video has another length */
  readonly seconds?: number;

  /**
   * Maximum charge. A call with a higher price is refused. CNY as decimal text,
   * exact.
   */
  readonly max_charge?: string;
};

export type RelayError = {
  readonly error: {
    /** Description of the error in this request. */
    readonly message: string;
    readonly type: string;

    /** Invalid member of the body. */
    readonly param: string | null;

    /** Error code for programs. */
    readonly code: string | null;
  };
};

export type RelayMessagesError = {
  readonly type: 'error';
  readonly error: {
    readonly type: string;

    /** Description of the error in this request. */
    readonly message: string;
  };
  readonly request_id: string;
};

/** A model in the form of OpenAI or Anthropic. */
export type RelayModel =
  | {
      readonly id: string;
      readonly object: 'model';
      readonly owned_by: string;
    }
  | {
      readonly id: string;
      readonly type: 'model';
      readonly display_name: string;
    };

export type RelayModels = {
  readonly data: readonly (
    | {
        readonly id: string;
        readonly object: 'model';
        readonly owned_by: string;
      }
    | {
        readonly id: string;
        readonly type: 'model';
        readonly display_name: string;
      }
  )[];
};

export type RelayTokenCount = {
  /** Tokens of the conversation. */
  readonly input_tokens: number;
};

export type RelayChatRequest = {
  /** Identifier of a model from the list of models. */
  readonly model: string;

  /**
   * Maximum charge. A call that may cost more is refused. CNY as decimal text,
   * exact.
   */
  readonly max_charge?: string;

  /** True for a stream of events. */
  readonly stream?: boolean;

  /** Messages of the conversation. */
  readonly messages: readonly {
    readonly role: string;
  }[];

  /** Number of responses; each is charged. */
  readonly n?: number;

  /** Maximum tokens of a response. */
  readonly max_completion_tokens?: number;

  /** Former name of max_completion_tokens. */
  readonly max_tokens?: number;
};

export type RelayChatAnswer = {
  readonly id: string;
  readonly object: string;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
  }[];

  /** Token usage in the form of the dialect. */
  readonly usage?: Readonly<Record<string, unknown>>;
};

export type RelayResponsesRequest = {
  /** Identifier of a model from the list of models. */
  readonly model: string;

  /**
   * Maximum charge. A call that may cost more is refused. CNY as decimal text,
   * exact.
   */
  readonly max_charge?: string;

  /** True for a stream of events. */
  readonly stream?: boolean;

  /** A text or a list of items. References to stored state are refused. */
  readonly input: string | readonly Readonly<Record<string, unknown>>[];

  /** Maximum tokens of the response. */
  readonly max_output_tokens?: number;

  /** The relay always sends false. */
  readonly store?: boolean;
};

export type RelayResponsesAnswer = {
  readonly id: string;
  readonly status: string;
  readonly output: readonly Readonly<Record<string, unknown>>[];
  readonly usage?: Readonly<Record<string, unknown>> | null;
};

export type RelayMessagesRequest = {
  /** Identifier of a model from the list of models. */
  readonly model: string;

  /**
   * Maximum charge. A call that may cost more is refused. CNY as decimal text,
   * exact.
   */
  readonly max_charge?: string;

  /** True for a stream of events. */
  readonly stream?: boolean;

  /** Messages of the conversation. */
  readonly messages: readonly {
    readonly role: string;
  }[];

  /** Maximum tokens of the response. */
  readonly max_tokens: number;
};

export type RelayMessagesAnswer = {
  readonly id: string;
  readonly type: 'message';
  readonly content: readonly {
    readonly type: string;
  }[];
  readonly stop_reason: string | null;

  /** Token usage in the form of the dialect. */
  readonly usage: Readonly<Record<string, unknown>>;
};

export type RelayEmbeddingsRequest = {
  /** Identifier of a model from the list of models. */
  readonly model: string;

  /**
   * Maximum charge. A call that may cost more is refused. CNY as decimal text,
   * exact.
   */
  readonly max_charge?: string;

  /** A text, a list of texts, or tokens. */
  readonly input: string | readonly unknown[];
};

export type RelayEmbeddingsAnswer = {
  readonly data: readonly {
    readonly index: number;
  }[];
  readonly model: string;

  /** Token usage in the form of the dialect. */
  readonly usage?: Readonly<Record<string, unknown>>;
};

/** The query of callSearch. */
export type CallSearchQuery = {
  /** Search text. */
  readonly q: string;

  /** Maximum number of results. */
  readonly limit?: number;

  /** Number of the page, from 1. */
  readonly page?: number;
};

/** The query of listCalls. */
export type ListCallsQuery = {
  /** next_cursor of the previous page, unchanged. */
  readonly cursor?: string;

  /** Maximum number of results. */
  readonly limit?: number;
};

/** The query of listJobs. */
export type ListJobsQuery = {
  /** next_cursor of the previous page, unchanged. */
  readonly cursor?: string;

  /** Maximum number of results. */
  readonly limit?: number;
};

/** The query of readJob. */
export type ReadJobQuery = {
  /** Maximum seconds to wait for a change of state before the response. */
  readonly wait?: number;
};

/** The query of readUsage. */
export type ReadUsageQuery = {
  /**
   * First day, YYYY-MM-DD in Asia/Shanghai. Default: the first day of the month of
   * `to`.
   */
  readonly from?: string;

  /** Last day, inclusive. Default: today. The range has at most 366 days. */
  readonly to?: string;

  /** Grouping of the rows. */
  readonly group_by?: 'day' | 'capability' | 'key';
};

/** The query of readChatUsage. */
export type ReadChatUsageQuery = {
  /**
   * First day, YYYY-MM-DD in Asia/Shanghai. Default: the first day of the month of
   * `to`.
   */
  readonly from?: string;

  /** Last day, inclusive. Default: today. The range has at most 366 days. */
  readonly to?: string;

  /** Grouping of the rows. */
  readonly group_by?: 'day' | 'model' | 'key';
};
