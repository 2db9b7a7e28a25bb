-- wrk script of `make bench` that repeats one request. Environment variables configure it; it prints one line of JSON.
-- `bad` counts the responses with a status other than 200 or a length other than EXPECTED_LENGTH.
dofile(os.getenv("RESULT_LUA"))

wrk.method = os.getenv("METHOD")
wrk.body = os.getenv("BODY")
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = os.getenv("AUTHORIZATION")

local expected = tonumber(os.getenv("EXPECTED_LENGTH"))

function response(status, headers, body)
  if status ~= 200 or #body ~= expected then
    bad = bad + 1
  end
end
