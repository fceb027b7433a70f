-- Exercises the interpreter and its libraries; what it prints does not depend on addresses, clocks or the order of tables.
local function show(...)
  local parts = {}
  for index = 1, select("#", ...) do parts[index] = tostring((select(index, ...))) end
  print(table.concat(parts, " "))
end

-- Numbers: integers, floats, their conversions and limits.
show(7 // 2, -7 // 2, 7 % -3, -7 % 3, 7.5 // 2, -7.5 % 2, 2 ^ 10, 10 / 4, 1 << 62, ~5, 6 & 3, 6 | 3, 6 ~ 3, -1 >> 60)
show(math.maxinteger + 1 == math.mininteger, math.type(3), math.type(3.0), math.tointeger(8.0), math.floor(-2.5), math.ceil(2.1))
show(string.format("%5.2f|%-8s|%08x|%q|%g|%i|%c|%e", 3.14159, "left", 48879, "a\n\"b\"", 1e20, 42, 65, 12345.678))
show(tonumber("0x1p4"), tonumber("  12  "), tonumber("z", 36), tonumber("1e1"), tonumber("abc"), 0x7fffffffffffffff, 1e308 * 10, -(0 / 0) ~= -(0 / 0))
show(math.max(3, 1, 2), math.min(3, 1, 2), math.abs(-5), math.fmod(7, 3), math.sqrt(16), math.ult(1, -1), math.modf(3.25))
for _, pair in ipairs({ { 1, 2 }, { 1.5, 1 }, { "a", "b" }, { "a", "a" } }) do show(pair[1] < pair[2], pair[1] <= pair[2], pair[1] == pair[2]) end

-- Strings and patterns.
local text = "the quick brown fox jumps over the lazy dog"
for word in text:gmatch("%a+") do io.write(word:upper(), ",") end
print()
show(text:find("brown"), text:find("(%a+) (%a+)"), text:match("^(%w+)"), text:gsub("o", { o = "0" }), text:gsub("%w+", function(w) return #w end, 3))
show(("x"):rep(5, "-"), ("abc"):reverse(), ("abc"):byte(1, -1), string.char(72, 105), ("%d"):format(3), #text, text:sub(-3), text:lower() == text)
show(string.pack("<i4z", 100, "hi"):byte(1, -1))
show(string.unpack("<i2 >I3 z", "\1\2\0\0\9hey\0"), string.packsize("i4i8"))
show(utf8.char(72, 228, 8364, 128512), utf8.len("häß"), utf8.codepoint("ä", 1))
for position, code in utf8.codes("aä€") do io.write(position, ":", code, " ") end
print()
show(pcall(string.rep, "x", -1), pcall(string.format, "%d", 1.5), select("#", ("a,b,,c"):gsub(",", ";")))
show(("key = value"):match("^(%w+)%s*=%s*(%w+)$"), ("[[x]]"):find("[[]", 1, false), ("f(a(b)c)d"):match("%b()"), ("THE (quick) fox"):find("%((%a+)%)"))

-- Tables, sorting, metatables.
local list = {}
for index = 1, 200 do list[index] = (index * 7919) % 211 end
table.sort(list)
show(list[1], list[100], list[200], #list)
table.sort(list, function(a, b) return a > b end)
show(table.concat(list, ",", 1, 12), table.unpack({ 1, 2, 3 }))
table.insert(list, 5, "five"); table.remove(list, 1); table.move(list, 1, 3, 10)
show(list[4], list[10], table.pack(1, nil, 3).n, next({}), rawlen({ 1, 2 }), rawequal(list, list), #list)
local Account = {}
Account.__index = Account
Account.__add = function(a, b) return Account.new(a.balance + b.balance) end
Account.__eq = function(a, b) return a.balance == b.balance end
Account.__lt = function(a, b) return a.balance < b.balance end
Account.__le = function(a, b) return a.balance <= b.balance end
Account.__tostring = function(a) return "account " .. a.balance end
Account.__len = function(a) return a.balance end
Account.__call = function(a, by) a.balance = a.balance + by return a end
Account.__concat = function(a, b) return tostring(a) .. "+" .. tostring(b) end
Account.__close = function(a) print("closed", a) end
function Account.new(balance) return setmetatable({ balance = balance }, Account) end
local one, two = Account.new(10), Account.new(20)
show(one + two, one == Account.new(10), one < two, one <= two, #one, one(5), one .. two, getmetatable(one) == Account)
local log = setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, v * 2) end, __index = function(_, k) return k .. "?" end, __unm = function() return "minus" end, __idiv = function() return "idiv" end })
log.a = 4
show(log.a, log.missing, -log, log // 1)
do local held <close> = Account.new(1) end
local counts = {}
for _, key in ipairs({ "a", "b", "a", 1, 1.0, true, "b" }) do counts[key] = (counts[key] or 0) + 1 end
show(counts.a, counts.b, counts[1], counts[true])

-- Functions, closures, variable arguments, goto, coroutines, errors.
local function counter() local n = 0 return function() n = n + 1 return n end end
local first, second = counter(), counter()
show(first(), first(), second(), select("#", (function(...) return ... end)(1, nil, 3)), select(-1, 1, 2, 3))
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
show(fib(18))
for i = 10, 1, -3 do if i == 4 then goto done end io.write(i, " ") end
::done:: print()
for i = 1.0, 2.0, 0.25 do io.write(i, " ") end print()
local producer = coroutine.wrap(function(a) for i = 1, 4 do a = coroutine.yield(i * a) end return "end" end)
show(producer(2), producer(3), producer(4), producer(5), producer(6))
local broken = coroutine.create(function() error({ code = 7 }) end)
local ok, problem = coroutine.resume(broken)
show(ok, problem.code, coroutine.status(broken), coroutine.isyieldable(), pcall(error, "plain", 0), select(2, pcall(function() local x = nil; return x.y end)))
show(xpcall(function() return 1 + {} end, function(message) return "handled: " .. message end))
show(select(2, load("return +")), load("return ... + 1")(41), type(load(function() return nil end)))
show(pcall(string.rep), pcall(setmetatable, 1, {}), pcall(next, {}, "no such key"), type(print), type(nil), type(io.stdout))

-- Garbage: weak tables and finalizers.
local weak = setmetatable({}, { __mode = "k" })
for _ = 1, 100 do weak[{}] = true end
setmetatable({}, { __gc = function() print("finalized") end })
collectgarbage(); collectgarbage()
show(next(weak), collectgarbage("count") > 0, collectgarbage("step"), collectgarbage("isrunning"))
collectgarbage("generational")
local garbage = {}
for index = 1, 3000 do garbage[index % 50] = { index, tostring(index), { index } } end
collectgarbage("incremental"); collectgarbage()
show(#garbage, garbage[49][2])

-- A program in the language: queens, a JSON-like writer, string building.
local function queens(n)
  local found, columns, up, down = 0, {}, {}, {}
  local function place(row)
    if row > n then found = found + 1 return end
    for c = 1, n do
      if not (columns[c] or up[row + c] or down[row - c + n]) then
        columns[c], up[row + c], down[row - c + n] = true, true, true
        place(row + 1)
        columns[c], up[row + c], down[row - c + n] = nil, nil, nil
      end
    end
  end
  place(1)
  return found
end
show(queens(6))
local function write(value, depth)
  if type(value) ~= "table" then return string.format("%q", value) end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = tostring(key) end
  table.sort(keys)
  for _, key in ipairs(keys) do parts[#parts + 1] = ("  "):rep(depth) .. key .. ": " .. write(value[key] or value[tonumber(key)], depth + 1) end
  return "{\n" .. table.concat(parts, ",\n") .. "}"
end
print(write({ name = "x", list = { 1, 2, 3.5 }, inner = { deep = { "yes" } }, flag = true }, 1))
show(os.time({ year = 2020, month = 2, day = 29, hour = 12 }) > 0, os.date("!%Y-%m-%d", 86400), os.getenv("NO_SUCH_NAME"), debug.getinfo(1, "l").currentline, debug.traceback("t", 1):match("^t"))
local file = io.tmpfile()
file:write("line one\nline two\n", 3, "\n"); file:seek("set")
show(file:read("l"), file:read("L"), file:read("n"), file:read("a"), file:close())
local dumped = string.dump(function(a) return a * 2 end)
show(load(dumped, "d", "b")(21), #dumped > 0, require("string") == string, package.loaded.math == math)
