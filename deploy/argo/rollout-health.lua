-- Argo CD's health of a CappSet or a Bundle, from its conditions: for resource.customizations.health.rcs.dana.io_CappSet
-- and resource.customizations.health.rcs.dana.io_Bundle (docs/argo.md).
local waits_for_people = {
  Aborted = true,
  AwaitsApproval = true,
  OutsideWindow = true,
  Paused = true,
}

local function found(kind)
  for _, condition in ipairs((obj.status or {}).conditions or {}) do
    if condition.type == kind then
      return condition
    end
  end
  return nil
end

local function health(status, message)
  return { status = status, message = message }
end

local function text(condition)
  return condition.reason .. ": " .. condition.message
end

if obj.metadata.deletionTimestamp ~= nil then
  return health("Progressing", "The " .. obj.kind .. " is being deleted.")
end
local ready = found("Ready")
if ready == nil or ready.observedGeneration ~= obj.metadata.generation then
  return health("Progressing", "The hub has not looked at this generation yet.")
end
local stalled = found("Stalled")
if stalled ~= nil and stalled.status == "True" then
  return health("Degraded", text(stalled))
end
if waits_for_people[ready.reason] then
  return health("Suspended", text(ready))
end
if ready.status == "True" then
  return health("Healthy", text(ready))
end
return health("Progressing", text(ready))
