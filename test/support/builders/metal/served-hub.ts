// A hub in memory whose SIPCluster has two workers and a jump host.
import { turn } from '../../../../activities/hub/metal/turn.ts';
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import type { Kube } from '../../../../kube/client.ts';
import { hubInMemory, NAMESPACE, REF } from './hub-in-memory.ts';

export const NOW = Date.parse('2026-03-01T12:00:00Z');
export const MINUTE = 60_000;
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPDiEv1pre5lygiyA3w6ypzTBmVK+Sfaf9diBQUw87aQ two';

/** Services with one jump host. */
export const JUMP = {
  jumpHost: [
    {
      image: 'jump:1',
      nodePort: 0,
      nodeInterfaceId: 'oam',
      sshAuthorizedKeys: [KEY],
      nodeSSHPrivateKeys: 'keys',
    },
  ],
};

/** One turn of the SIPCluster. */
export const look = (kube: Kube, serves = [NAMESPACE], now = NOW) =>
  turn(kube, REF, () => now, { serves: new Set(serves), provisions: new Set(), hub: '' });

/** Two workers and a jump host that serves. */
export async function served(refuses?: (request: KubeRequest) => Error | null) {
  const hub = hubInMemory(JUMP, refuses === undefined ? {} : { refuses });
  await look(hub.kube);
  hub.bringUp();
  await look(hub.kube);
  expect(hub.condition('ServicesReady')).toBe('True Serving');
  return hub;
}
