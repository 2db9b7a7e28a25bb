-- Shared by the wrk scripts: sums the wrong responses of all threads and prints the result as one line of JSON.
local threads = {}
bad = 0

function setup(thread)
  table.insert(threads, thread)
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
