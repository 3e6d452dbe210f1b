-- Makes system calls in functions of many kinds, and counts them by the stacks
-- that Lua says.
--
-- It reads lines: "warm" makes some calls, "run N" makes N of each kind and
-- prints "count<tab>name|file|line|name|..." for each stack, innermost first.
-- "fresh N" does so in N functions that are gone at once, "closures N" in
-- closures, "deep N" in N calls of one function.  "busy N" computes for
-- N seconds, and prints the microseconds of two functions.  It answers each
-- line with "end".
--
-- The system call is that of os.clock().  A name is the quoted one of a line of
-- the traceback, or the words of the line.
--
-- SPDX-License-Identifier: BSD-2-Clause

local said = {}

-- One line of the traceback for each level, because it leaves out the middle of
-- a long one.
local function describe(from, to)
	for level = from, math.huge do
		local text = debug.traceback("", level + 1)
		local line = text:match("^%s*stack traceback:\n\t([^\n]*)")
		if line == nil then
			return
		end
		local place, name = line:match("^(.-): in (.*)$")
		if place ~= nil then
			local file, number = place:match("^(.*):(%d+)$")
			file = file or (place == "[C]" and "" or place)
			to[#to + 1] = (name:match("'(.*)'") or name) .. "|" ..
			    file .. "|" .. (number or 0)
		end
	end
end

-- LuaJIT's traceback leaves out the middle whatever level it begins with, and
-- says what this says.
local function describe_jit(from, to)
	for level = from + 1, math.huge do
		local i = debug.getinfo(level, "Snl")
		if i == nil then
			return
		end
		local name = i.namewhat ~= "" and i.name or
		    i.what == "main" and "main chunk" or
		    i.what == "C" and "?" or "function <" .. i.short_src ..
		    ":" .. i.linedefined .. ">"
		to[#to + 1] = name .. "|" ..
		    (i.what == "C" and "" or i.short_src) .. "|" ..
		    (i.currentline > 0 and i.currentline or 0)
	end
end

if jit then
	describe = describe_jit
end

local os_prefix = jit and "" or "os."
local co_prefix = jit and "" or "coroutine."

-- The stacks of those that have resumed others, the innermost last.
local running = {}

-- It is called on the line where the caller resumes another one, by a function
-- of this name.
local function resumes(name)
	local to = {name .. "||0"}
	describe(2, to)
	running[#running + 1] = table.concat(to, "|")
end

local function note()
	local to = {os_prefix .. "clock||0"}
	describe(2, to)
	for i = #running, 1, -1 do
		to[#to + 1] = running[i]
	end
	local stack = table.concat(to, "|")
	said[stack] = (said[stack] or 0) + 1
end

function ask()
	note() os.clock()	-- on one line
	return true
end

local function recurse(n)
	if n == 0 then
		local done = ask()
		return done
	end
	local done = recurse(n - 1)
	return done
end

local function tail(n)
	if n == 0 then
		return ask()
	end
	return tail(n - 1)
end

local Shop = {}
Shop.__index = Shop
function Shop:reserve() local done = ask() return done end
function Shop.open() local done = ask() return done end
Shop.__add = function() local done = ask() return done end
Shop.__concat = function() local done = ask() return done end
Shop.__lt = function() local done = ask() return done end
Shop.__le = function() local done = ask() return done end
Shop.__eq = function() local done = ask() return done end
Shop.__unm = function() local done = ask() return done end
Shop.__call = function() local done = ask() return done end
Shop.__newindex = function() local done = ask() end

local function shop() return setmetatable({}, Shop) end

local function methods()
	local s = shop()
	local done = s:reserve()
	done = Shop.open()
	done = s()
	return done
end

local function metamethods()
	local s = shop()
	local done = s + 1
	done = s .. 1
	done = s < shop()
	done = s <= shop()
	done = s == shop()
	done = -s
	s.other = 1
	return done
end

local function by_index()
	local t = setmetatable({}, {__index = function()
		local done = ask()
		return done
	end})
	local done = t.any
	return done
end

local function by_sort()
	table.sort({2, 1}, function(a, b)
		local done = ask()
		return done and a < b
	end)
end

local function by_gsub()
	return (string.gsub("ab", "%a", function() ask() end))
end

local function by_pcall()
	local ok = pcall(function() local done = ask() return done end)
	return ok
end

local function by_error()
	local _, ok = xpcall(function() error("x") end, function()
		local done = ask()
		return done
	end)
	return ok
end

local made = load("local n = ...\nlocal done = ask() return done", "=made")
local function by_load()
	local done = made(1)
	return done
end

local function by_iterator()
	for _ in function(_, done)
		if done then
			return nil
		end
		local it = ask()
		return it
	end do
		ask()
	end
end

-- Since 5.4.
local closes = load([[
	local n = ...
	local x <close> = setmetatable({}, {__close = function()
		local done = ask()
	end})
	return n]], "=closes")
local function by_close()
	local done = closes and closes(1)
	return done
end

local function by_varargs(...)
	local t = {ask(), ...}
	return #t
end

local function by_coroutine()
	local co = coroutine.create(function(n)
		local done = ask()
		coroutine.yield(done)
		done = recurse(3)
		return done
	end)
	resumes(co_prefix .. "resume") coroutine.resume(co)
	running[#running] = nil
	ask()
	resumes(co_prefix .. "resume") coroutine.resume(co)
	running[#running] = nil
end

-- The inner ones have lost the native frames of their outer calls.
local function by_wrap()
	local co = coroutine.wrap(function()
		pcall(function()
			coroutine.yield()
			local inner = coroutine.wrap(function()
				local done = ask()
			end)
			resumes("inner") inner()
			running[#running] = nil
		end)
	end)
	co()
	resumes("co") co()
	running[#running] = nil
end

local function callbacks(n)
	if n == 0 then
		local done = ask()
		return done
	end
	string.gsub("a", "a", function() callbacks(n - 1) end)
end

local function all_kinds()
	recurse(0) recurse(1) recurse(30)
	tail(5)
	methods() metamethods() by_index() by_sort() by_gsub() by_pcall()
	by_error() by_load() by_iterator() by_close() by_varargs(1, 2)
	by_coroutine() by_wrap() callbacks(3)
end

local function spin(n)
	local sum = 0
	for i = 1, n do
		sum = sum + i % 7
	end
	return sum
end

-- Its code, its name and its file are gone when the next one comes, which may be
-- where they were.  Meanwhile the names of some are read.
local function all_fresh(n)
	local kept = {}
	for i = 1, n do
		local which = i % 7
		local f = load(string.format("local function gone_%d()\n" ..
		    "local done = ask() return done end\n" ..
		    "local done = gone_%d() return done", which, which),
		    "@file_" .. (i % 2 == 0 and which or "of_all"))
		f()
		kept[#kept + 1] = f
		spin(20000)
		if i % 30 == 0 then
			kept = {}
			collectgarbage()
		end
	end
end

local function all_closures(n)
	for i = 1, n do
		local function inner() local done = i and ask() return done end
		inner()
	end
end

local function answer()
	for stack, n in pairs(said) do
		io.write(n, "\t", stack, "\n")
	end
	said = {}
end

-- Two functions, of which one does three times as much as the other one.
function less(n) local done = spin(n) return done end
function more(n) local done = spin(3 * n) return done end

local function busy(n)
	local of_less, of_more = 0, 0
	local till = os.time() + n
	while os.time() < till do
		local begin = os.clock()
		less(10000)
		local middle = os.clock()
		table.sort({2, 1}, function(a, b)
			local done = more(10000)
			return a < b
		end)
		of_less = of_less + middle - begin
		of_more = of_more + os.clock() - middle
	end
	io.write(math.floor(of_less * 1000000), "\tless\n",
	    math.floor(of_more * 1000000), "\tmore\n")
end

for line in io.lines() do
	local what, n = line:match("^(%S+) ?(%d*)$")
	n = tonumber(n) or 1
	if what == "warm" then
		for _ = 1, 50 do
			os.clock()
		end
	elseif what == "fresh" then
		all_fresh(n)
		answer()
	elseif what == "closures" then
		all_closures(n)
		answer()
	elseif what == "deep" then
		recurse(n)
		answer()
	elseif what == "busy" then
		busy(n)
	else
		for _ = 1, n do
			all_kinds()
		end
		answer()
	end
	io.write("end\n")
	io.flush()
end
