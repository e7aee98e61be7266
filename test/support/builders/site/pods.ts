// A Pod as the stand-in for a kubelet runs it, and what it finds on its site.
import { podStatus, type PodOutcome } from '../../../../deploy/local/standins/pods/pod-status.ts';
import type { StandInPod, PodStatus, PodWorld } from '../../../../deploy/local/standins/pods/pod.ts';

/** When Pods start. */
export const NOW = Date.parse('2026-01-01T00:00:00Z');

/** What a test says of a Pod. */
export type Spec = Partial<StandInPod['spec']>;

/** With one container that runs, unless said otherwise. */
export function aPod(spec: Spec = {}, status?: Partial<PodStatus>): StandInPod {
  const containers = spec.containers ?? [{ name: 'app', image: 'app:v1' }];
  return {
    metadata: { name: 'p', namespace: 'ns', uid: 'u' },
    spec: { ...spec, containers },
    ...(status === undefined ? {} : { status }),
  };
}

/** What is there, with its keys. */
export interface Things {
  readonly secrets?: Readonly<Record<string, readonly string[]>>;
  readonly configMaps?: Readonly<Record<string, readonly string[]>>;
  readonly claims?: Readonly<Record<string, 'bound' | 'unbound'>>;
}

/** A site on which these things are. */
export function aWorld({ secrets = {}, configMaps = {}, claims = {} }: Things = {}): PodWorld {
  const keys = (from: Readonly<Record<string, readonly string[]>>, name: string) =>
    from[name] === undefined ? null : new Set(from[name]);
  return {
    secretKeys: (_, name) => keys(secrets, name),
    configMapKeys: (_, name) => keys(configMaps, name),
    claim: (_, name) => claims[name] ?? 'missing',
  };
}

/** The status of a Pod `ms` after its start, if it is recomputed whenever `again` says so. */
export function after(ms: number, spec: Spec, world = aWorld()): PodOutcome {
  let outcome = podStatus(aPod(spec), world, NOW);
  let now = NOW;
  while (outcome.again !== null && now + outcome.again <= NOW + ms) {
    now += outcome.again;
    outcome = podStatus(aPod(spec, outcome.status), world, now);
  }
  return outcome;
}

/** Why each container does not run. */
export function reasons({ status }: PodOutcome): (string | undefined)[] {
  return status.containerStatuses.map(({ state }) => state.waiting?.reason ?? state.terminated?.reason);
}

/** The status of a condition. */
export function condition({ status }: PodOutcome, type: string): string | undefined {
  return status.conditions.find((one) => one.type === type)?.status;
}
