// Rings the Capps that refer to a changed Secret, ConfigMap or ServiceAccount, or whose log readers changed:
// found by index, never by a scan.
import { isDeepStrictEqual } from 'node:util';
import type { Capp } from '../../crds/capp/capp.ts';
import { ROLE_BINDING, SERVICE_ACCOUNT } from '../../crds/kubernetes/core.ts';
import { logReaders, pullSecretsOf } from '../../crds/kubernetes/neighbours.ts';
import type { Change } from '../../kube/watch/store.ts';
import { keyTextOf, type KubeObject } from '../../kube/resource.ts';
import type { CauseCaller } from './caller.ts';
import type { BridgeWatched } from './watched.ts';

export function listenToDependencies(watched: BridgeWatched, call: CauseCaller): (() => void)[] {
  const tell = (capps: readonly Capp[], changed: KubeObject | null, kind?: string): void => {
    const keys = new Set(capps.map(keyTextOf));
    for (const key of keys) call(key, 'dependency', changed, kind);
  };
  return [
    listenToData(watched, tell),
    watched.serviceAccounts.subscribe((change) => {
      if (!isNews(change, pullSecretsOf)) return;
      tell(watched.capps.by('serviceAccount', keyTextOf(change.object)), change.object, SERVICE_ACCOUNT.kind);
    }),
    watched.roleBindings.subscribe((change) => {
      if (!isNews(change, (binding) => logReaders([binding]))) return;
      tell(
        watched.capps.by('namespace', change.object.metadata.namespace ?? ''),
        change.object,
        ROLE_BINDING.kind,
      );
    }),
  ].flat();
}

type Tell = (capps: readonly Capp[], changed: KubeObject | null, kind?: string) => void;

/** An apply reads Secrets and ConfigMaps live, so a ring for them needs no minimum version. */
function listenToData(
  { capps, secrets, configMaps, serviceAccounts }: BridgeWatched,
  tell: Tell,
): (() => void)[] {
  return [
    secrets.subscribe(({ object, initial }) => {
      if (initial) return;
      const key = keyTextOf(object);
      const lent = serviceAccounts
        .by('pullSecret', key)
        .flatMap((account) => capps.by('serviceAccount', keyTextOf(account)));
      tell([...capps.by('secret', key), ...lent], null);
    }),
    configMaps.subscribe(({ object, initial }) => {
      if (!initial) tell(capps.by('configMap', keyTextOf(object)), null);
    }),
  ];
}

/** Whether the part that matters has changed. */
function isNews<T extends KubeObject>(
  { type, object, previous, initial }: Change<T>,
  matters: (object: T) => readonly unknown[],
): boolean {
  if (initial) return false;
  return !isDeepStrictEqual(
    previous === null ? [] : matters(previous),
    type === 'Deleted' ? [] : matters(object),
  );
}
