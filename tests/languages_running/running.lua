-- Calls functions whose callees are known, for ever.
local function spin() local s = 0 for i = 1, 40 do s = s + i end return s end
function f0(n) spin() if n > 0 then f1(n - 1) f2(n - 1) end return (spin()) end
function f1(n) spin() if n > 0 then f3(n - 1) f4(n - 1) end return (spin()) end
function f2(n) spin() if n > 0 then f5(n - 1) f6(n - 1) end return (spin()) end
function f3(n)
	spin()
	if n > 0 then pcall(function() f0(n - 1) f1(n - 1) end) end
	return (spin())
end
function f4(n) spin() if n > 0 then f2(n - 1) f3(n - 1) end return (spin()) end
function f5(n) spin() if n > 0 then f4(n - 1) f5(n - 1) end return (spin()) end
function f6(n) spin() if n > 0 then f6(n - 1) f0(n - 1) end return (spin()) end
io.stdout:write("ready\n")
io.stdout:flush()
while true do f0(9) end
