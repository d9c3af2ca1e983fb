-- wrk: diffs of a counter, each of which changes it. Every thread counts in numbers of its own.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function request()
  number = number + 2
  return wrk.format("POST", nil, nil, string.format('{"0":"%d"}', number))
end
