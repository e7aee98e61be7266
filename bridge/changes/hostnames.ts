// Rings the other Capps that ask for a hostname when one Capp begins or stops asking for it.
import { hostnameOf } from '../../crds/capp/hostname.ts';
import { keyTextOf } from '../../kube/resource.ts';
import type { Caller } from './caller.ts';
import type { Watched } from './watched.ts';

export function listenToHostnames({ capps }: Pick<Watched, 'capps'>, call: Caller): () => void {
  return capps.subscribe(({ type, object, previous, initial }) => {
    if (initial) return;
    const was = previous === null ? null : hostnameOf(previous);
    const is = type === 'Deleted' ? null : hostnameOf(object);
    if (was === is) return;
    for (const hostname of [was, is]) {
      const asking = hostname === null ? [] : capps.by('hostname', hostname);
      const others = asking.filter(
        ({ metadata: { namespace, name } }) =>
          namespace !== object.metadata.namespace || name !== object.metadata.name,
      );
      for (const other of others) call(keyTextOf(other), 'dependency', object, 'Capp');
    }
  });
}
