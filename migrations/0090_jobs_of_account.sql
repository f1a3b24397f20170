-- An account's jobs, newest first: GET /api/v1/jobs.
CREATE INDEX jobs_of_account ON jobs (account_id, livemode, created_at DESC, id DESC)
  WHERE accepted IS NOT NULL;
