-- Argo CD's health of a Capp, from its conditions: for resource.customizations.health.rcs.dana.io_Capp (docs/argo.md).
local going_on = {
  Applying = true,
  Deploying = true,
  Moving = true,
  NotObserved = true,
  StillLeaving = true,
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
  return health("Progressing", "The Capp is being deleted.")
end
local paused = (obj.metadata.annotations or {})["rcs.dana.io/paused"]
if paused ~= nil and paused ~= "false" then
  return health("Suspended", "Annotation rcs.dana.io/paused pauses the Capp.")
end
if obj.status == nil or obj.status.observedGeneration ~= obj.metadata.generation then
  return health("Progressing", "The hub has not looked at this generation yet.")
end
local stalled = found("Stalled")
if stalled ~= nil and stalled.status == "True" then
  return health("Degraded", text(stalled))
end
local ready = found("Ready")
if ready == nil then
  return health("Progressing", "The hub has not looked at this generation yet.")
end
if ready.status == "True" then
  if obj.spec.state == "disabled" then
    return health("Suspended", "spec.state is disabled.")
  end
  return health("Healthy", text(ready))
end
if ready.status == "Unknown" or going_on[ready.reason] then
  return health("Progressing", text(ready))
end
return health("Degraded", text(ready))
