// Rings the other Capps that ask for a hostname when one Capp begins or stops asking for it. Capps of one set
// are no rivals.
import { hostnameOf } from '../../crds/capp/hostname.ts';
import { comparedName, hostnamesOf } from '../../crds/capp/route-name.ts';
import { areSiblings } from '../../crds/set/child.ts';
import { keyTextOf } from '../../kube/resource.ts';
import type { CauseCaller } from './caller.ts';
import type { BridgeWatched } from './watched.ts';

export function listenToHostnames(
  { capps, configs }: Pick<BridgeWatched, 'capps' | 'configs'>,
  call: CauseCaller,
): () => void {
  return capps.subscribe(({ type, object, previous, initial }) => {
    if (initial) return;
    const was = previous === null ? null : hostnameOf(previous);
    const is = type === 'Deleted' ? null : hostnameOf(object);
    if (was === is) return;
    for (const hostname of [was, is]) {
      const [zone] = configs.list().map(({ spec }) => spec.dns?.zone);
      const spellings = hostname === null ? [] : hostnamesOf(comparedName(hostname, zone), zone);
      const asking = spellings.flatMap((one) => capps.by('hostname', one));
      const others = asking.filter(
        (other) =>
          (other.metadata.namespace !== object.metadata.namespace ||
            other.metadata.name !== object.metadata.name) &&
          !areSiblings(other, object),
      );
      for (const other of others) call(keyTextOf(other), 'dependency', object, 'Capp');
    }
  });
}
