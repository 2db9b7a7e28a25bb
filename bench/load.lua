-- wrk's part of `make bench`. Settings come as environment variables; the result is one line of JSON.
-- Every answer is checked: a status other than 200 or a length other than the one verified beforehand is counted in `bad`.
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
