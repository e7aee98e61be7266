// Changes the hub's RCSConfig in end-to-end tests, and restores it.
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfig, type RcsConfigSpec } from '../crds/hub/rcs-config.ts';
import type { Kube } from '../kube/client.ts';

/** Replaces fields. Returns a function that restores them. */
export async function configure(hub: Kube, fields: Partial<RcsConfigSpec>): Promise<() => Promise<void>> {
  const before = await configOf(hub);
  const asBefore = Object.fromEntries(
    Object.keys(fields).map((name) => [name, before[name as keyof RcsConfigSpec] ?? null]),
  );
  await hub.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: fields });
  return async () => void (await hub.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: asBefore }));
}

export async function configOf(hub: Kube): Promise<RcsConfigSpec> {
  const config = await hub.get<RcsConfig>(RCS_CONFIG, RCS_CONFIG_KEY);
  if (config === null) throw new Error('The hub has no RCSConfig.');
  return config.spec;
}
