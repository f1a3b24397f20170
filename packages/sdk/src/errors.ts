// Two kinds of errors: the service refuses a request with problem details (RFC 9457), or the
// service cannot be reached or sends an invalid response.

/** Additional fields of a problem, by its code. Other codes have none. */
export type ProblemFields = {
  readonly invalid_request: {
    /** Every invalid field; absent when the request as a whole is invalid. */
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
  };
  readonly insufficient_balance: {
    /** Amounts in CNY, as exact decimal text. */
    readonly required: string;
    readonly available: string;
    readonly free_quota_resets_at: string;
  };
  /** `available` is the max_charge of the request. */
  readonly max_charge_exceeded: ProblemFields['insufficient_balance'];
  readonly key_budget_exceeded: ProblemFields['insufficient_balance'] & {
    /** Null: the budget never resets. */
    readonly budget_resets_at: string | null;
  };
  readonly duplicate_idempotency_key: {
    /** The first response, which can be read at `url`. */
    readonly original: {
      readonly request_id: string;
      readonly status: number;
      readonly url: string;
    };
  };
};

export type ProblemDetails = {
  readonly code: string;
  readonly title?: string;
  readonly detail?: string;
  readonly status?: number;
} & Readonly<Record<string, unknown>>;

type Refusal = {
  readonly status: number;
  readonly problem: ProblemDetails;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
};

/** The service responded with a refusal. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** For programs: `invalid_request`, `insufficient_balance`, … More codes may be added. */
  readonly code: string;
  /** Identifies the request in questions to the operator. */
  readonly requestId: string | null;
  /** Minimum delay before a retry in seconds; null when the service stated none. */
  readonly retryAfterSeconds: number | null;
  /** The whole body. */
  readonly problem: ProblemDetails;

  constructor({ status, problem, requestId, retryAfterSeconds }: Refusal) {
    super(`${problem.code}: ${problem.detail ?? problem.title ?? `HTTP ${status}`}`);
    this.status = status;
    this.code = problem.code;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.problem = problem;
  }
}

/** No complete or valid response arrived, also after every retry. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/**
 * Whether an error has this code. Afterwards `error.problem` has the matching fields: `if
 * (isProblem(error, 'insufficient_balance')) show(error.problem.required)`.
 */
export function isProblem<Code extends keyof ProblemFields>(
  error: unknown,
  code: Code,
): error is ApiError & { readonly problem: ProblemFields[Code] };
export function isProblem(error: unknown, code: string): error is ApiError;
export function isProblem(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}
