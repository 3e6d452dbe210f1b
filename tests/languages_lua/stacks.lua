-- Builds stacks of many kinds of calls, and prints what debug.traceback() says.
--
-- A line "SEED DEPTH" asks for a stack of generated calls, "KIND DEPTH" for one
-- of this kind, "kinds" for their names.  languages_asked/asked.h has the lines
-- that are printed.  A name is the quoted one of a line of the traceback, or
-- the words of the line.
--
-- SPDX-License-Identifier: BSD-2-Clause

local by, kinds, only, seed, next_line = {}, {}, nil, 1, nil

local function draw(n)
	seed = (seed * 1103515245 + 12345) % 2147483648
	return math.floor(seed / 65536) % n
end

-- A traceback of LuaJIT leaves out the middle whatever level it begins with, and
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
		to[#to + 1] = name .. "\t" ..
		    (i.what == "C" and "" or i.short_src) .. "\t" ..
		    (i.currentline > 0 and i.currentline or 0)
	end
end

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
			to[#to + 1] = (name:match("'(.*)'") or name) .. "\t" ..
			    file .. "\t" .. (number or 0)
		end
	end
end

if jit then
	describe = describe_jit
end

-- The stacks of those that have resumed others, the innermost last.
local running = {}

-- It is called on the line where the caller calls that function of C.
local function note(name)
	local to = {name .. "\t\t0"}
	describe(2, to)
	running[#running + 1] = table.concat(to, "\n")
end

-- The stack is that of io.read() with what has called it.
local function ask()
	local to = {(jit and "" or "io.") .. "read\t\t0"}
	describe(2, to)
	for i = #running, 1, -1 do
		to[#to + 1] = running[i]
	end
	io.write(table.concat(to, "\n"), "\nend\n")
	io.flush()
end

function dump_stack()
	ask() next_line = io.read()	-- on one line
	return true
end

function go(n)
	if n <= 0 then
		local done = dump_stack()
		return done
	end
	local kind = only or kinds[draw(#kinds) + 1]
	local done = by[kind](n - 1)
	return done
end

function by.recursion(n, times)
	times = times or 3
	if times > 0 then
		local done = by.recursion(n, times - 1)
		return done
	end
	local done = go(n)
	return done
end

function by.closure(n)
	local function inner()
		local function innermost()
			local done = go(n)
			return done
		end
		local done = innermost()
		return done
	end
	local done = inner()
	return done
end

local Shop = {}
Shop.__index = Shop
function Shop:reserve(n) local done = go(n) return done end
function Shop.open(n) local done = go(n) return done end
Shop.__add = function(a, n) local done = go(n) return done end
Shop.__concat = function(a, n) local done = go(n) return done end
Shop.__lt = function(a, b) local done = go(b.n) return done end
Shop.__le = function(a, b) local done = go(b.n) return done end
Shop.__eq = function(a, b) local done = go(b.n) return done end
Shop.__len = function(a) local done = go(a.n) return done end
Shop.__unm = function(a) local done = go(a.n) return done end
Shop.__call = function(a, n) local done = go(n) return done end
Shop.__newindex = function(a, k, n) local done = go(n) end

local function shop(n) return setmetatable({n = n}, Shop) end

function by.method(n)
	local s = shop()
	local done = s:reserve(n)
	return done
end

function by.field(n)
	local done = Shop.open(n)
	return done
end

function by.add(n) local done = shop() + n return done end
function by.concat(n) local done = shop() .. n return done end
function by.less(n) local done = shop() < shop(n) return done end
function by.less_equal(n) local done = shop() <= shop(n) return done end
function by.equal(n) local done = shop() == shop(n) return done end
function by.length(n) local done = #shop(n) return done end
function by.minus(n) local done = -shop(n) return done end
function by.called(n) local s = shop() local done = s(n) return done end
function by.assigned(n) local s = shop() rawset(s, "n", nil) s.other = n end

function by.index(n)
	local t = setmetatable({}, {__index = function(_, k)
		local done = go(n)
		return done
	end})
	local done = t.any
	return done
end

function by.iterator(n)
	for _ in function(_, done)
		if done then
			return nil
		end
		local it = go(n)
		return it
	end do
		n = n
	end
end

function by.tail(n)
	return by.field(n)
end

function by.gsub(n)
	return (string.gsub("a", "a", function() go(n) end))
end

function by.sort(n)
	local asked
	table.sort({1, 2}, function(a, b)
		if not asked then
			asked = true
			go(n)
		end
		return a < b
	end)
end

function by.pcall(n)
	local ok = pcall(function() local done = go(n) return done end)
	return ok
end

function by.xpcall(n)
	local _, ok = xpcall(function() error("x") end, function()
		local done = go(n)
		return done
	end)
	return ok
end

function by.load(n)
	local f = load("local n = ...\nlocal done = go(n) return done", "=made")
	local done = f(n)
	return done
end

function by.text(n)
	local f = load("local n = ...\nlocal done = go(n) return done")
	local done = f(n)
	return done
end

-- The text to be compiled is asked for.
function by.reader(n)
	local asked
	load(function()
		if not asked then
			asked = true
			go(n)
		end
	end)
end

function by.vararg(...)
	local n = ...
	local t = {go(n), ...}
	return #t
end

function by.table_of_functions(n)
	local t = {function(m) local done = go(m) return done end}
	local done = t[1](n)
	return done
end

function by.branch(n)
	local f = n > 3 and Shop.open or go
	local done = (n > 2 and f or go)(n)
	return done
end

by["long_" .. string.rep("x", 60)] = function(n)
	local done = go(n)
	return done
end

function by.in_coroutine(n)
	local co = coroutine.create(function(m)
		local done = go(m)
		return done
	end)
	local name = (jit and "" or "coroutine.") .. "resume"
	note(name) local _, done = coroutine.resume(co, n)
	running[#running] = nil
	return done
end

-- The coroutine has lost the native frames of its outer calls.
function by.in_resumed(n)
	local co = coroutine.wrap(function(m)
		local _, done = pcall(function()
			coroutine.yield()
			local inner = go(m)
			return inner
		end)
		return done
	end)
	co(n)
	note("co") local done = co()
	running[#running] = nil
	return done
end

-- LuaJIT asks no table for its length, and calls a handler of errors once only
-- where handlers call one another.
if jit then
	by.length = nil
	by.xpcall = nil
end

for name in pairs(by) do
	kinds[#kinds + 1] = name
end
table.sort(kinds)

next_line = io.read()
while next_line do
	local word, depth = next_line:match("^(%S+) ?(%d*)$")
	if word == "kinds" then
		io.write(table.concat(kinds, "\n"), "\nend\n")
		io.flush()
		next_line = io.read()
	else
		only = by[word] and word or nil
		seed = tonumber(word) or 1
		go(tonumber(depth))
	end
end
