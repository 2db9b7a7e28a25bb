-- wrk script of the visit benchmark: every request marks a page as visited. The file VISITS lists the requests as lines
-- "token page"; after the last one it starts over.
dofile(os.getenv("RESULT_LUA"))

local visits = {}
for line in io.lines(os.getenv("VISITS")) do
  local token, page = line:match("^(%S+) (%S+)$")
  visits[#visits + 1] = {token, page}
end
local at = 0

function request()
  at = at % #visits + 1
  local headers = {["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. visits[at][1]}
  local body = os.getenv("BODY"):gsub("PAGE", visits[at][2])
  return wrk.format("POST", nil, headers, body)
end

function response(status, headers, body)
  if status ~= 200 or body:find('"errors"', 1, true) or not body:find('"isVisited":true', 1, true) then
    bad = bad + 1
  end
end
