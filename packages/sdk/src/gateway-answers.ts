// What the gateway answers and takes. Written by bin/node24
// tests/sdk/generate-declarations.ts.

export type Problem = {
  /** Address of a page about this kind of problem. */
  readonly type: string;
  readonly title: string;
  readonly status: number;

  /** What is wrong with this request. */
  readonly detail: string;

  /** Path of the request. */
  readonly instance: string;

  /** For programs. More values may come. */
  readonly code: string;

  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** With invalid_request: every field that does not fit, and what to write instead. */
  readonly errors?: readonly {
    readonly field: string;
    readonly message: string;
  }[];

  /** Seconds; with 429, and with 503 where trying again can help. */
  readonly retry_after?: number;

  /** With 402: the price. CNY as decimal text, exact. */
  readonly required?: string;

  /** With 402: what there is. CNY as decimal text, exact. */
  readonly available?: string;

  /** With 402: when the next allowance begins. */
  readonly free_quota_resets_at?: string;

  /** With quota_exceeded: which one is used up. More values may come. */
  readonly quota?: string;

  /** With quota_exceeded: when it begins anew. */
  readonly quota_resets_at?: string;
  readonly budget_resets_at?: string | null;

  /** With duplicate_idempotency_key: the first answer. */
  readonly original?: {
    /** Identifies the call, also in the header X-Request-Id. */
    readonly request_id: string;
    readonly status: number;
    readonly url: string;
  };
};

export type Account = {
  readonly id: string;

  /** False for test keys: separate balances, no provider. */
  readonly livemode: boolean;
  readonly currency: 'CNY';
  readonly balance: {
    /** Topped up and not spent. CNY as decimal text, exact. */
    readonly cash: string;

    /** Left on vouchers. CNY as decimal text, exact. */
    readonly vouchers: string;

    /** Held for calls that run now. CNY as decimal text, exact. */
    readonly held: string;

    /** What can be spent, without the allowance. CNY as decimal text, exact. */
    readonly total: string;
  };
  readonly vouchers: readonly {
    readonly id: string;
    readonly name: string;

    /** When it was issued. CNY as decimal text, exact. */
    readonly amount: string;

    /** Left. CNY as decimal text, exact. */
    readonly remaining: string;
    readonly expires_at: string | null;
  }[];
  readonly free_quota: {
    readonly period: 'daily';

    /** Every day. CNY as decimal text, exact. */
    readonly amount: string;

    /** Of today. CNY as decimal text, exact. */
    readonly remaining: string;

    /** Midnight in Shanghai. */
    readonly resets_at: string;
  };
  readonly limits: {
    readonly rate: {
      /** Requests with this key in a window. */
      readonly q: number;

      /** Seconds. */
      readonly w: number;
    };
    readonly quotas: {
      readonly day: {
        /** Calls. */
        readonly limit: number;

        /** Calls so far. */
        readonly used: number;

        /** When it begins anew. */
        readonly resets_at: string;
      };
      readonly month: {
        /** Calls. */
        readonly limit: number;

        /** Calls so far. */
        readonly used: number;

        /** When it begins anew. */
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

    /** False for test keys: separate balances, no provider. */
    readonly livemode: boolean;
    readonly capability: string;
    readonly key: {
      readonly id: string;
      readonly name: string | null;
      readonly last4: string | null;
    };

    /** How it stands. More values may come. */
    readonly status: string;
    readonly http_status: number | null;

    /** When it began. */
    readonly created_at: string;
    readonly completed_at: string | null;
    readonly idempotency_key: string | null;
    readonly usage: {
      readonly unit: 'per_call' | 'per_minute' | 'per_token';

      /** In increments: calls, started seconds, or tokens. */
      readonly quantity: number;
      readonly increment: 'call' | 'second' | 'token';
    } | null;
    readonly charge: {
      readonly currency: 'CNY';

      /** What the call cost. CNY as decimal text, exact. */
      readonly total: string;

      /** Of it, from the daily allowance. CNY as decimal text, exact. */
      readonly free_quota: string;

      /** Of it, from vouchers. CNY as decimal text, exact. */
      readonly voucher: string;

      /** Of it, from the balance. CNY as decimal text, exact. */
      readonly cash: string;
    } | null;

    /** Oldest first. The charge stays as it was. */
    readonly refunds: readonly {
      /** When it was refunded. */
      readonly created_at: string;

      /** What was refunded. CNY as decimal text, exact. */
      readonly total: string;

      /** Of it, as cash: at most the cash of the charge. CNY as decimal text, exact. */
      readonly cash: string;

      /** Of it, as a voucher. CNY as decimal text, exact. */
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

  /** False for test keys: separate balances, no provider. */
  readonly livemode: boolean;
  readonly capability: string;
  readonly key: {
    readonly id: string;
    readonly name: string | null;
    readonly last4: string | null;
  };

  /** How it stands. More values may come. */
  readonly status: string;
  readonly http_status: number | null;

  /** When it began. */
  readonly created_at: string;
  readonly completed_at: string | null;
  readonly idempotency_key: string | null;
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** In increments: calls, started seconds, or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  } | null;
  readonly charge: {
    readonly currency: 'CNY';

    /** What the call cost. CNY as decimal text, exact. */
    readonly total: string;

    /** Of it, from the daily allowance. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Of it, from vouchers. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Of it, from the balance. CNY as decimal text, exact. */
    readonly cash: string;
  } | null;

  /** Oldest first. The charge stays as it was. */
  readonly refunds: readonly {
    /** When it was refunded. */
    readonly created_at: string;

    /** What was refunded. CNY as decimal text, exact. */
    readonly total: string;

    /** Of it, as cash: at most the cash of the charge. CNY as decimal text, exact. */
    readonly cash: string;

    /** Of it, as a voucher. CNY as decimal text, exact. */
    readonly voucher: string;
    readonly reason: string | null;
  }[];

  /** What was answered; kept for 24 hours. */
  readonly answer: {
    readonly status: number;
    readonly content_type: string;
    readonly body: unknown;
  } | null;
};

export type Job = {
  /** Of the job. */
  readonly id: string;
  readonly capability: string;

  /** Its state. More values may come. */
  readonly status: string;

  /** When it was accepted. */
  readonly created_at: string;

  /** When it last came on. */
  readonly updated_at: string;

  /** 0 to 1; null: not known. */
  readonly progress: number | null;

  /** What it made; null until it has succeeded. */
  readonly result: Readonly<Record<string, unknown>> | null;

  /** The result is not kept any more. */
  readonly result_expired?: true;

  /** Why it failed or expired. */
  readonly error: {
    /** Address of a page about this kind of problem. */
    readonly type: string;
    readonly title: string;
    readonly status: number;

    /** What is wrong with this request. */
    readonly detail: string;

    /** Path of the request. */
    readonly instance: string;

    /** For programs. More values may come. */
    readonly code: string;

    /** Identifies the call, also in the header X-Request-Id. */
    readonly request_id: string;

    /** With invalid_request: every field that does not fit, and what to write instead. */
    readonly errors?: readonly {
      readonly field: string;
      readonly message: string;
    }[];

    /** Seconds; with 429, and with 503 where trying again can help. */
    readonly retry_after?: number;

    /** With 402: the price. CNY as decimal text, exact. */
    readonly required?: string;

    /** With 402: what there is. CNY as decimal text, exact. */
    readonly available?: string;

    /** With 402: when the next allowance begins. */
    readonly free_quota_resets_at?: string;

    /** With quota_exceeded: which one is used up. More values may come. */
    readonly quota?: string;

    /** With quota_exceeded: when it begins anew. */
    readonly quota_resets_at?: string;
    readonly budget_resets_at?: string | null;

    /** With duplicate_idempotency_key: the first answer. */
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
    /** Of the job. */
    readonly id: string;
    readonly capability: string;

    /** Its state. More values may come. */
    readonly status: string;

    /** When it was accepted. */
    readonly created_at: string;

    /** When it last came on. */
    readonly updated_at: string;

    /** 0 to 1; null: not known. */
    readonly progress: number | null;

    /** What it made; null until it has succeeded. */
    readonly result: Readonly<Record<string, unknown>> | null;

    /** The result is not kept any more. */
    readonly result_expired?: true;

    /** Why it failed or expired. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** What is wrong with this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** For programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: every field that does not fit, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds; with 429, and with 503 where trying again can help. */
      readonly retry_after?: number;

      /** With 402: the price. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: what there is. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: when the next allowance begins. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: which one is used up. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: when it begins anew. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first answer. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  }[];
  readonly has_more: boolean;

  /** For the next page; null on the last one. */
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

    /** Started. */
    readonly calls: number;

    /** Of them. */
    readonly succeeded: number;

    /** What was charged, and from where. */
    readonly charge: {
      readonly currency: 'CNY';

      /** What the call cost. CNY as decimal text, exact. */
      readonly total: string;

      /** Of it, from the daily allowance. CNY as decimal text, exact. */
      readonly free_quota: string;

      /** Of it, from vouchers. CNY as decimal text, exact. */
      readonly voucher: string;

      /** Of it, from the balance. CNY as decimal text, exact. */
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

    /** Chat calls that reached a model. */
    readonly calls: number;

    /** Of them, those that were answered to the end. */
    readonly succeeded: number;

    /** As the model’s provider counts them, or estimated. */
    readonly prompt_tokens: number;

    /** As the model’s provider counts them, or estimated. */
    readonly completion_tokens: number;
  }[];
};

export type Catalog = {
  /** Of the price list. */
  readonly version: number;
  readonly currency: 'CNY';
  readonly free_quota: {
    readonly summary: string;

    /** A day. In fen. */
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

    /** Of a thousand calls. In fen. */
    readonly price_cents_per_1000?: number;
    readonly price_per_1000?: string;

    /** Of a call, rounded up. In fen. */
    readonly price_cents?: number;
    readonly price?: string;

    /** Of a minute of audio. In fen. */
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

    /** False: a call would be refused right now, in whole or part. */
    readonly healthy: boolean;

    /** Why it is not healthy; null when it is. */
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
  /** Null: no model has a price. */
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

      /** The price holds from so many input tokens on. */
      readonly from: number;

      /**
       * Of a million tokens; of one call for request and tool classes. CNY as decimal
       * text, exact.
       */
      readonly price: string;
    }[];
  }[];
};

export type ModelReceipt = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** Id of the key. */
  readonly key: string;
  readonly dialect: string | null;
  readonly model_requested: string | null;
  readonly price_version: number;

  /** What was held. CNY as decimal text, exact. */
  readonly held: string;

  /** Of it, what a raise of the hold added. CNY as decimal text, exact. */
  readonly extended: string;

  /** What the call cost. CNY as decimal text, exact. */
  readonly charge: string;

  /** The price of the requested model limited the charge. */
  readonly ceiling_applied: boolean;

  /**
   * What the usage cost beyond the hold. It was not charged. CNY as decimal text,
   * exact.
   */
  readonly shortfall: string;
  readonly counted: string | null;

  /** How the response ended. More values may come. */
  readonly ended: string;
  readonly cut: string | null;

  /** Events of the upstream that could not be read. */
  readonly skipped_events: number;
  readonly lines: readonly {
    /** Class of tokens. More values may come. */
    readonly class: string;

    /** Or calls, for request and tool classes. */
    readonly tokens: number;

    /**
     * Of a million tokens; of one call for request and tool classes. CNY as decimal
     * text, exact.
     */
    readonly price: string;

    /** Exact, CNY as decimal text with up to 14 decimals. */
    readonly amount: string;

    /** Number of the attempt that is charged. */
    readonly attempt: number;
  }[];
  readonly attempts: readonly {
    readonly n: number;
    readonly model: string;
    readonly upstream: string | null;
    readonly class_of_failure: string | null;

    /** Requests to this upstream. */
    readonly tries: number;

    /** When it began. */
    readonly started_at: string;
    readonly first_token_ms: number | null;

    /** Of the attempt that is charged. */
    readonly usage: {
      /** Tokens. */
      readonly input: number;

      /** Tokens. */
      readonly output: number;
    } | null;

    /** It continued a response that broke off. */
    readonly continuation: boolean;
    readonly billed: boolean;
  }[];
};

export type ModelQuote = {
  readonly model: string;

  /** Null: the call is free. */
  readonly price_version: number | null;
  readonly bounds: {
    /** Tokens a byte. */
    readonly ratio: number;

    /** At most. */
    readonly input_tokens: number;

    /** At most, for each response. */
    readonly output_tokens: number;

    /** How many. */
    readonly responses: number;

    /** Of each tool that the provider runs, at most. */
    readonly tool_calls: Readonly<Record<string, number>>;
  } | null;
  readonly lines: readonly {
    /** Class of tokens. More values may come. */
    readonly class: string;
    readonly from?: number;
    readonly tokens?: number;

    /**
     * Of a million tokens; of one call for request and tool classes. CNY as decimal
     * text, exact.
     */
    readonly price: string;
  }[];

  /** What would be held. CNY as decimal text, exact. */
  readonly hold: string;

  /** The call never costs more. CNY as decimal text, exact. */
  readonly ceiling: string;
};

export type ModelQuoteRequest = {
  /** Of the relay, such as /relay/v1/messages. */
  readonly path: string;

  /** The request as it would be sent. */
  readonly body: Readonly<Record<string, unknown>>;
};

export type SocialAnswer = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys: separate balances, no provider. */
  readonly livemode: boolean;
  readonly data:
    | {
        /** Id of the platform. */
        readonly platform: string;

        /** A public post. What is not known is null, never made up. */
        readonly post: {
          /** Identifier on its platform. */
          readonly id: string;

          /** Where it can be seen. */
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
            /** What it is. More values may come. */
            readonly type: string;

            /** Where its bytes are. */
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

          /** Without their marks. */
          readonly tags: readonly string[];
          readonly language: string | null;
        };
      }
    | {
        /** Id of the platform. */
        readonly platform: string;

        /** What was searched for. */
        readonly keyword: string;
        readonly posts: readonly {
          /** Identifier on its platform. */
          readonly id: string;

          /** Where it can be seen. */
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
            /** What it is. More values may come. */
            readonly type: string;

            /** Where its bytes are. */
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

          /** Without their marks. */
          readonly tags: readonly string[];
          readonly language: string | null;
        }[];

        /** For params.page of the next call, or null. */
        readonly next_page: string | null;
      };

  /** How much it was. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** In increments: calls, started seconds, or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** What was charged, and from where. */
  readonly charge: {
    readonly currency: 'CNY';

    /** What the call cost. CNY as decimal text, exact. */
    readonly total: string;

    /** Of it, from the daily allowance. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Of it, from vouchers. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Of it, from the balance. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type SocialAccepted = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys: separate balances, no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Of the job. */
    readonly id: string;
    readonly capability: string;

    /** Its state. More values may come. */
    readonly status: string;

    /** When it was accepted. */
    readonly created_at: string;

    /** When it last came on. */
    readonly updated_at: string;

    /** 0 to 1; null: not known. */
    readonly progress: number | null;

    /** What it made; null until it has succeeded. */
    readonly result:
      | {
          /** Id of the platform. */
          readonly platform: string;

          /** A public post. What is not known is null, never made up. */
          readonly post: {
            /** Identifier on its platform. */
            readonly id: string;

            /** Where it can be seen. */
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
              /** What it is. More values may come. */
              readonly type: string;

              /** Where its bytes are. */
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

            /** Without their marks. */
            readonly tags: readonly string[];
            readonly language: string | null;
          };
        }
      | {
          /** Id of the platform. */
          readonly platform: string;

          /** What was searched for. */
          readonly keyword: string;
          readonly posts: readonly {
            /** Identifier on its platform. */
            readonly id: string;

            /** Where it can be seen. */
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
              /** What it is. More values may come. */
              readonly type: string;

              /** Where its bytes are. */
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

            /** Without their marks. */
            readonly tags: readonly string[];
            readonly language: string | null;
          }[];

          /** For params.page of the next call, or null. */
          readonly next_page: string | null;
        }
      | null;

    /** The result is not kept any more. */
    readonly result_expired?: true;

    /** Why it failed or expired. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** What is wrong with this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** For programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: every field that does not fit, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds; with 429, and with 503 where trying again can help. */
      readonly retry_after?: number;

      /** With 402: the price. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: what there is. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: when the next allowance begins. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: which one is used up. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: when it begins anew. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first answer. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  };

  /** How much it was. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** In increments: calls, started seconds, or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** What was charged, and from where. */
  readonly charge: {
    readonly currency: 'CNY';

    /** What the call cost. CNY as decimal text, exact. */
    readonly total: string;

    /** Of it, from the daily allowance. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Of it, from vouchers. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Of it, from the balance. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type TranscribeAnswer = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys: separate balances, no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Everything that is said. */
    readonly text: string;
    readonly language: string | null;

    /** Length of the audio. */
    readonly duration_seconds: number;
    readonly segments: readonly {
      /** Seconds. */
      readonly start: number;

      /** Seconds. */
      readonly end: number;
      readonly text: string;
    }[];
    readonly title: string | null;

    /** With format srt. */
    readonly srt?: string;

    /** With format vtt. */
    readonly vtt?: string;
  };

  /** How much it was. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** In increments: calls, started seconds, or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** What was charged, and from where. */
  readonly charge: {
    readonly currency: 'CNY';

    /** What the call cost. CNY as decimal text, exact. */
    readonly total: string;

    /** Of it, from the daily allowance. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Of it, from vouchers. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Of it, from the balance. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type TranscribeAccepted = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys: separate balances, no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Of the job. */
    readonly id: string;
    readonly capability: string;

    /** Its state. More values may come. */
    readonly status: string;

    /** When it was accepted. */
    readonly created_at: string;

    /** When it last came on. */
    readonly updated_at: string;

    /** 0 to 1; null: not known. */
    readonly progress: number | null;

    /** What it made; null until it has succeeded. */
    readonly result: {
      /** Everything that is said. */
      readonly text: string;
      readonly language: string | null;

      /** Length of the audio. */
      readonly duration_seconds: number;
      readonly segments: readonly {
        /** Seconds. */
        readonly start: number;

        /** Seconds. */
        readonly end: number;
        readonly text: string;
      }[];
      readonly title: string | null;

      /** With format srt. */
      readonly srt?: string;

      /** With format vtt. */
      readonly vtt?: string;
    } | null;

    /** The result is not kept any more. */
    readonly result_expired?: true;

    /** Why it failed or expired. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** What is wrong with this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** For programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: every field that does not fit, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds; with 429, and with 503 where trying again can help. */
      readonly retry_after?: number;

      /** With 402: the price. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: what there is. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: when the next allowance begins. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: which one is used up. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: when it begins anew. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first answer. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  };

  /** How much it was. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** In increments: calls, started seconds, or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** What was charged, and from where. */
  readonly charge: {
    readonly currency: 'CNY';

    /** What the call cost. CNY as decimal text, exact. */
    readonly total: string;

    /** Of it, from the daily allowance. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Of it, from vouchers. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Of it, from the balance. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type SvcImageAnswer = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys: separate balances, no provider. */
  readonly livemode: boolean;
  readonly data: {
    readonly images: readonly {
      /** Kept for 24 hours. */
      readonly url: string;
      readonly mime_type: string;

      /** Pixels. */
      readonly width: number;

      /** Pixels. */
      readonly height: number;
    }[];
    readonly revised_prompt: string | null;

    /** What was made instead of what was asked for; absent when it was made as asked. */
    readonly notes?: readonly string[];
  };

  /** How much it was. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** In increments: calls, started seconds, or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** What was charged, and from where. */
  readonly charge: {
    readonly currency: 'CNY';

    /** What the call cost. CNY as decimal text, exact. */
    readonly total: string;

    /** Of it, from the daily allowance. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Of it, from vouchers. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Of it, from the balance. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type SvcImageAccepted = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys: separate balances, no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Of the job. */
    readonly id: string;
    readonly capability: string;

    /** Its state. More values may come. */
    readonly status: string;

    /** When it was accepted. */
    readonly created_at: string;

    /** When it last came on. */
    readonly updated_at: string;

    /** 0 to 1; null: not known. */
    readonly progress: number | null;

    /** What it made; null until it has succeeded. */
    readonly result: {
      readonly images: readonly {
        /** Kept for 24 hours. */
        readonly url: string;
        readonly mime_type: string;

        /** Pixels. */
        readonly width: number;

        /** Pixels. */
        readonly height: number;
      }[];
      readonly revised_prompt: string | null;

      /** What was made instead of what was asked for; absent when it was made as asked. */
      readonly notes?: readonly string[];
    } | null;

    /** The result is not kept any more. */
    readonly result_expired?: true;

    /** Why it failed or expired. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** What is wrong with this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** For programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: every field that does not fit, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds; with 429, and with 503 where trying again can help. */
      readonly retry_after?: number;

      /** With 402: the price. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: what there is. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: when the next allowance begins. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: which one is used up. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: when it begins anew. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first answer. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  };

  /** How much it was. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** In increments: calls, started seconds, or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** What was charged, and from where. */
  readonly charge: {
    readonly currency: 'CNY';

    /** What the call cost. CNY as decimal text, exact. */
    readonly total: string;

    /** Of it, from the daily allowance. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Of it, from vouchers. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Of it, from the balance. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type OcrAnswer = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys: separate balances, no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** In the order of image_urls. */
    readonly images: readonly {
      /** As it was sent. */
      readonly url: string;

      /** Everything that is written in it. */
      readonly text: string | null;
      readonly blocks:
        | readonly {
            readonly text: string;

            /** How sure the reading is, 0 to 1. */
            readonly confidence: number;

            /** x, y, width, height in pixels. */
            readonly box: readonly number[];
          }[]
        | null;

      /** Null, or why this image alone could not be read. */
      readonly error: unknown;
    }[];
  };

  /** How much it was. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** In increments: calls, started seconds, or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** What was charged, and from where. */
  readonly charge: {
    readonly currency: 'CNY';

    /** What the call cost. CNY as decimal text, exact. */
    readonly total: string;

    /** Of it, from the daily allowance. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Of it, from vouchers. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Of it, from the balance. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type OcrAccepted = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys: separate balances, no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Of the job. */
    readonly id: string;
    readonly capability: string;

    /** Its state. More values may come. */
    readonly status: string;

    /** When it was accepted. */
    readonly created_at: string;

    /** When it last came on. */
    readonly updated_at: string;

    /** 0 to 1; null: not known. */
    readonly progress: number | null;

    /** What it made; null until it has succeeded. */
    readonly result: {
      /** In the order of image_urls. */
      readonly images: readonly {
        /** As it was sent. */
        readonly url: string;

        /** Everything that is written in it. */
        readonly text: string | null;
        readonly blocks:
          | readonly {
              readonly text: string;

              /** How sure the reading is, 0 to 1. */
              readonly confidence: number;

              /** x, y, width, height in pixels. */
              readonly box: readonly number[];
            }[]
          | null;

        /** Null, or why this image alone could not be read. */
        readonly error: unknown;
      }[];
    } | null;

    /** The result is not kept any more. */
    readonly result_expired?: true;

    /** Why it failed or expired. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** What is wrong with this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** For programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: every field that does not fit, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds; with 429, and with 503 where trying again can help. */
      readonly retry_after?: number;

      /** With 402: the price. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: what there is. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: when the next allowance begins. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: which one is used up. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: when it begins anew. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first answer. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  };

  /** How much it was. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** In increments: calls, started seconds, or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** What was charged, and from where. */
  readonly charge: {
    readonly currency: 'CNY';

    /** What the call cost. CNY as decimal text, exact. */
    readonly total: string;

    /** Of it, from the daily allowance. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Of it, from vouchers. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Of it, from the balance. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type SvcVideoAccepted = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys: separate balances, no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Of the job. */
    readonly id: string;
    readonly capability: string;

    /** Its state. More values may come. */
    readonly status: string;

    /** When it was accepted. */
    readonly created_at: string;

    /** When it last came on. */
    readonly updated_at: string;

    /** 0 to 1; null: not known. */
    readonly progress: number | null;

    /** What it made; null until it has succeeded. */
    readonly result: {
      readonly videos: readonly {
        /** Kept for seven days. */
        readonly url: string;
        readonly mime_type: string;
        readonly width: number | null;
        readonly height: number | null;
        readonly duration_seconds: number | null;
      }[];

      /** What was made instead of what was asked for; absent when it was made as asked. */
      readonly notes?: readonly string[];
    } | null;

    /** The result is not kept any more. */
    readonly result_expired?: true;

    /** Why it failed or expired. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** What is wrong with this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** For programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: every field that does not fit, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds; with 429, and with 503 where trying again can help. */
      readonly retry_after?: number;

      /** With 402: the price. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: what there is. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: when the next allowance begins. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: which one is used up. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: when it begins anew. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first answer. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  };

  /** How much it was. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** In increments: calls, started seconds, or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** What was charged, and from where. */
  readonly charge: {
    readonly currency: 'CNY';

    /** What the call cost. CNY as decimal text, exact. */
    readonly total: string;

    /** Of it, from the daily allowance. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Of it, from vouchers. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Of it, from the balance. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type SearchAnswer = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys: separate balances, no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** What was asked. */
    readonly query: string;
    readonly results: readonly {
      readonly title: string;

      /** Where it is. */
      readonly url: string;
      readonly snippet: string;
      readonly published_at: string | null;
      readonly source: string | null;
    }[];

    /** Who answered. */
    readonly provider: string;
  };

  /** How much it was. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** In increments: calls, started seconds, or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** What was charged, and from where. */
  readonly charge: {
    readonly currency: 'CNY';

    /** What the call cost. CNY as decimal text, exact. */
    readonly total: string;

    /** Of it, from the daily allowance. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Of it, from vouchers. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Of it, from the balance. CNY as decimal text, exact. */
    readonly cash: string;
  };
};

export type SearchAccepted = {
  /** Identifies the call, also in the header X-Request-Id. */
  readonly request_id: string;

  /** False for test keys: separate balances, no provider. */
  readonly livemode: boolean;
  readonly data: {
    /** Of the job. */
    readonly id: string;
    readonly capability: string;

    /** Its state. More values may come. */
    readonly status: string;

    /** When it was accepted. */
    readonly created_at: string;

    /** When it last came on. */
    readonly updated_at: string;

    /** 0 to 1; null: not known. */
    readonly progress: number | null;

    /** What it made; null until it has succeeded. */
    readonly result: {
      /** What was asked. */
      readonly query: string;
      readonly results: readonly {
        readonly title: string;

        /** Where it is. */
        readonly url: string;
        readonly snippet: string;
        readonly published_at: string | null;
        readonly source: string | null;
      }[];

      /** Who answered. */
      readonly provider: string;
    } | null;

    /** The result is not kept any more. */
    readonly result_expired?: true;

    /** Why it failed or expired. */
    readonly error: {
      /** Address of a page about this kind of problem. */
      readonly type: string;
      readonly title: string;
      readonly status: number;

      /** What is wrong with this request. */
      readonly detail: string;

      /** Path of the request. */
      readonly instance: string;

      /** For programs. More values may come. */
      readonly code: string;

      /** Identifies the call, also in the header X-Request-Id. */
      readonly request_id: string;

      /** With invalid_request: every field that does not fit, and what to write instead. */
      readonly errors?: readonly {
        readonly field: string;
        readonly message: string;
      }[];

      /** Seconds; with 429, and with 503 where trying again can help. */
      readonly retry_after?: number;

      /** With 402: the price. CNY as decimal text, exact. */
      readonly required?: string;

      /** With 402: what there is. CNY as decimal text, exact. */
      readonly available?: string;

      /** With 402: when the next allowance begins. */
      readonly free_quota_resets_at?: string;

      /** With quota_exceeded: which one is used up. More values may come. */
      readonly quota?: string;

      /** With quota_exceeded: when it begins anew. */
      readonly quota_resets_at?: string;
      readonly budget_resets_at?: string | null;

      /** With duplicate_idempotency_key: the first answer. */
      readonly original?: {
        /** Identifies the call, also in the header X-Request-Id. */
        readonly request_id: string;
        readonly status: number;
        readonly url: string;
      };
    } | null;
  };

  /** How much it was. */
  readonly usage: {
    readonly unit: 'per_call' | 'per_minute' | 'per_token';

    /** In increments: calls, started seconds, or tokens. */
    readonly quantity: number;
    readonly increment: 'call' | 'second' | 'token';
  };

  /** What was charged, and from where. */
  readonly charge: {
    readonly currency: 'CNY';

    /** What the call cost. CNY as decimal text, exact. */
    readonly total: string;

    /** Of it, from the daily allowance. CNY as decimal text, exact. */
    readonly free_quota: string;

    /** Of it, from vouchers. CNY as decimal text, exact. */
    readonly voucher: string;

    /** Of it, from the balance. CNY as decimal text, exact. */
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

        /** A next_page given before */
        readonly page?: string;
        readonly limit?: number;
      };
    };

export type TranscribeRequest = {
  /** A share link, or a share text with one */
  readonly url: string;
  readonly format?: 'srt' | 'vtt';

  /** Refuse the call when it would cost more. CNY as decimal text, exact. */
  readonly max_charge?: string;
};

export type SvcImageRequest = {
  readonly prompt: string;

  /** W:H, both 1 to 32, between 1:4 and 4:1; data.notes says when it was not made */
  readonly aspect_ratio?: string;

  /** Refuse the call when it would cost more. CNY as decimal text, exact. */
  readonly max_charge?: string;
};

export type OcrRequest = {
  readonly image_urls: readonly string[];

  /** Refuse the call when it would cost more. CNY as decimal text, exact. */
  readonly max_charge?: string;
};

export type SvcVideoRequest = {
  readonly prompt: string;

  /** data.notes says when the provider made another length */
  readonly seconds?: number;

  /** Refuse the call when it would cost more. CNY as decimal text, exact. */
  readonly max_charge?: string;
};

export type RelayError = {
  readonly error: {
    /** What is wrong with this request. */
    readonly message: string;
    readonly type: string;

    /** The member of the body that it is about. */
    readonly param: string | null;

    /** For programs. */
    readonly code: string | null;
  };
};

export type RelayMessagesError = {
  readonly type: 'error';
  readonly error: {
    readonly type: string;

    /** What is wrong with this request. */
    readonly message: string;
  };
  readonly request_id: string;
};

/** In OpenAI’s or Anthropic’s form. */
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
  /** Of the conversation. */
  readonly input_tokens: number;
};

export type RelayChatRequest = {
  /** Id of a model, as the list names it. */
  readonly model: string;

  /** Refuse the call when it may cost more. CNY as decimal text, exact. */
  readonly max_charge?: string;

  /** True: events, each as soon as it arrives. */
  readonly stream?: boolean;

  /** The conversation so far. */
  readonly messages: readonly {
    readonly role: string;
  }[];

  /** How many answers; each has its price. */
  readonly n?: number;

  /** Most tokens of an answer. */
  readonly max_completion_tokens?: number;

  /** The older name of max_completion_tokens. */
  readonly max_tokens?: number;
};

export type RelayChatAnswer = {
  readonly id: string;
  readonly object: string;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
  }[];

  /** Tokens, as the dialect counts them. */
  readonly usage?: Readonly<Record<string, unknown>>;
};

export type RelayResponsesRequest = {
  /** Id of a model, as the list names it. */
  readonly model: string;

  /** Refuse the call when it may cost more. CNY as decimal text, exact. */
  readonly max_charge?: string;

  /** True: events, each as soon as it arrives. */
  readonly stream?: boolean;

  /** A text or a list of items. References to stored state are refused. */
  readonly input: string | readonly Readonly<Record<string, unknown>>[];

  /** Most tokens of the answer. */
  readonly max_output_tokens?: number;

  /** Always sent on as false. */
  readonly store?: boolean;
};

export type RelayResponsesAnswer = {
  readonly id: string;
  readonly status: string;
  readonly output: readonly Readonly<Record<string, unknown>>[];
  readonly usage?: Readonly<Record<string, unknown>> | null;
};

export type RelayMessagesRequest = {
  /** Id of a model, as the list names it. */
  readonly model: string;

  /** Refuse the call when it may cost more. CNY as decimal text, exact. */
  readonly max_charge?: string;

  /** True: events, each as soon as it arrives. */
  readonly stream?: boolean;

  /** The conversation so far. */
  readonly messages: readonly {
    readonly role: string;
  }[];

  /** Most tokens of the answer. */
  readonly max_tokens: number;
};

export type RelayMessagesAnswer = {
  readonly id: string;
  readonly type: 'message';
  readonly content: readonly {
    readonly type: string;
  }[];
  readonly stop_reason: string | null;

  /** Tokens, as the dialect counts them. */
  readonly usage: Readonly<Record<string, unknown>>;
};

export type RelayEmbeddingsRequest = {
  /** Id of a model, as the list names it. */
  readonly model: string;

  /** Refuse the call when it may cost more. CNY as decimal text, exact. */
  readonly max_charge?: string;

  /** A text, a list of texts, or tokens. */
  readonly input: string | readonly unknown[];
};

export type RelayEmbeddingsAnswer = {
  readonly data: readonly {
    readonly index: number;
  }[];
  readonly model: string;

  /** Tokens, as the dialect counts them. */
  readonly usage?: Readonly<Record<string, unknown>>;
};

/** The query of callSearch. */
export type CallSearchQuery = {
  /** What to search for. */
  readonly q: string;

  /** How many at most. */
  readonly limit?: number;

  /** Which page, from 1. */
  readonly page?: number;
};

/** The query of listCalls. */
export type ListCallsQuery = {
  /** next_cursor of the page before, unchanged. */
  readonly cursor?: string;

  /** How many at most. */
  readonly limit?: number;
};

/** The query of listJobs. */
export type ListJobsQuery = {
  /** next_cursor of the page before, unchanged. */
  readonly cursor?: string;

  /** How many at most. */
  readonly limit?: number;
};

/** The query of readJob. */
export type ReadJobQuery = {
  /** Answer when the state changes, at the latest after so many seconds. */
  readonly wait?: number;
};

/** The query of readUsage. */
export type ReadUsageQuery = {
  /**
   * First day, YYYY-MM-DD in Asia/Shanghai; the first of the month of `to` when
   * absent.
   */
  readonly from?: string;

  /** Last day, inclusive; today when absent; at most 366 days in all. */
  readonly to?: string;

  /** What a row stands for. */
  readonly group_by?: 'day' | 'capability' | 'key';
};

/** The query of readChatUsage. */
export type ReadChatUsageQuery = {
  /**
   * First day, YYYY-MM-DD in Asia/Shanghai; the first of the month of `to` when
   * absent.
   */
  readonly from?: string;

  /** Last day, inclusive; today when absent; at most 366 days in all. */
  readonly to?: string;

  /** What a row stands for. */
  readonly group_by?: 'day' | 'model' | 'key';
};
