// Rate limit of one client: a token bucket that starts full, loses a token per request and refills.
// A refusal takes no token, so waiting for the reported time always succeeds.

export type Bucket = {
  tokens: number;
  /** Epoch ms up to which tokens have been added. */
  at: number;
};

export type BucketRate = {
  readonly perSecond: number;
  readonly burst: number;
};

export const fullBucket = (rate: BucketRate, now: number): Bucket => ({
  tokens: rate.burst,
  at: now,
});

// Corrects rounding errors of sums, which are far smaller than a token.
const HAIR = 1e-6;

/** Returns 0 when a token was taken; otherwise the whole seconds until one is available. */
export function takeToken(bucket: Bucket, rate: BucketRate, now: number): number {
  const { perSecond, burst } = rate;
  // A clock that was set back adds no tokens and does not stop the refill.
  if (now > bucket.at) {
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perSecond) / 1000);
  }
  bucket.at = now;
  if (bucket.tokens >= 1 - HAIR) {
    bucket.tokens -= 1;
    return 0;
  }
  return Math.max(1, Math.ceil((1 - HAIR / 2 - bucket.tokens) / perSecond));
}
