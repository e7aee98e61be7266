// What server-side apply makes of an object or a list whose last part the applier takes out: null, and not
// the empty one that was applied (sigs.k8s.io/structured-merge-diff, seen with Kubernetes 1.32). Applied once
// more, it is empty. Pure.

/** Whether something that was applied without any value in it is not there in what the server answered. */
export function isEmptied(live: unknown, applied: unknown): boolean {
  if (live === null || live === undefined) return isBare(applied);
  if (Array.isArray(applied))
    return Array.isArray(live) && applied.some((one, index) => isEmptied(live[index], one));
  if (!isFields(applied) || !isFields(live)) return false;
  return Object.entries(applied).some(([name, value]) => isEmptied(live[name], value));
}

/** An object or a list that holds nothing but such. */
function isBare(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isBare);
  return isFields(value) && Object.values(value).every(isBare);
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
