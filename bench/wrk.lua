-- Asks the addresses of a file in turn, each with the validator that stands beside it, if any;
-- tells what came of it in one line of JSON. Usage: wrk … -s wrk.lua <address> -- <file>

local requests = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local path, etag = line:match("^(%S+)\t?(.*)$")
    local headers = {}
    for name, value in pairs(wrk.headers) do headers[name] = value end
    if etag ~= "" then headers["If-None-Match"] = etag end
    requests[#requests + 1] = wrk.format("GET", path, headers)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"bytes":%d,"refused":%d,"broken":%d,"p50Ms":%.3f,"p99Ms":%.3f,"maxMs":%.3f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, e.status,
    e.connect + e.read + e.write + e.timeout, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, latency.max / 1e3))
end
