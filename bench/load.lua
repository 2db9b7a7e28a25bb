-- wrk's part of `make bench`. Settings come as environment variables; the result is one line of JSON.
-- Every answer is checked: a status other than 200 or a length other than the one verified beforehand is counted in `bad`.
wrk.method = os.getenv("METHOD")
wrk.body = os.getenv("BODY")
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = os.getenv("AUTHORIZATION")

local expected = tonumber(os.getenv("EXPECTED_LENGTH"))
local threads = {}
bad = 0

function setup(thread)
  table.insert(threads, thread)
end

function response(status, headers, body)
  if status ~= 200 or #body ~= expected then
    bad = bad + 1
  end
end

function done(summary, latency, requests)
  local wrong = 0
  for _, thread in ipairs(threads) do
    wrong = wrong + thread:get("bad")
  end
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests": %d, "seconds": %f, "p50": %f, "p99": %f, "bad": %d, "errors": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, wrong,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
