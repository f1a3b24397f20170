-- How providers did in each hour, of all processes together.
-- `latency_ms`: the sum, over the calls, of the moving mean that was reported with them.
CREATE TABLE provider_hours (
  hour       timestamptz NOT NULL,
  capability text COLLATE "C" NOT NULL,
  provider   text COLLATE "C" NOT NULL,
  calls      bigint NOT NULL,
  failures   bigint NOT NULL,
  latency_ms bigint NOT NULL,
  PRIMARY KEY (hour, capability, provider)
);
