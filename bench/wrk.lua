-- Requests the addresses of a file in turn. A line has a path and optionally an ETag for
-- If-None-Match. The result is one line of JSON. Usage: wrk … -s wrk.lua <address> -- <file>

local requests = {}
local position = 0

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
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"bytes":%d,"refused":%d,"broken":%d,"p50Ms":%.3f,"p99Ms":%.3f,"maxMs":%.3f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, latency.max / 1e3))
end
