// A Capp that asks for a hostname, or gives one up, rings the other Capps that ask for the same hostname, and
// no others.
import { listenToHostnames } from '../../../../bridge/changes/hostnames.ts';
import type { BridgeWatched } from '../../../../bridge/changes/watched.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { hostnameOf } from '../../../../crds/capp/hostname.ts';
import { FINALIZER } from '../../../../crds/labels.ts';
import type { Change } from '../../../../kube/watch/store.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const asking = (name: string, hostname: string | null): Capp =>
  aCapp({ name, spec: hostname === null ? {} : { routeSpec: { hostname } } });
const going = (name: string, hostname: string, finalizers: string[]): Capp => {
  const capp = asking(name, hostname);
  return { ...capp, metadata: { ...capp.metadata, deletionTimestamp: '2026-03-01T12:00:00Z', finalizers } };
};
const others = [
  asking('b', 'x.example.com'),
  asking('c', 'X.example.com.'),
  asking('d', 'y.example.com'),
  asking('e', null),
];

type Event = Pick<Change<Capp>, 'type' | 'initial'>;

/** The Capps for which a change of Capp `a` rings. */
function rung(
  before: Capp | null,
  after: Capp,
  { type = 'Modified', initial = false, zone }: Partial<Event> & { readonly zone?: string } = {},
): string[] {
  const calls: string[] = [];
  let tell: (change: Change<Capp>) => void = () => undefined;
  const capps = {
    subscribe: (listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
    by: (_index: string, hostname: string) =>
      [...others, after].filter((capp) => hostnameOf(capp) === hostname),
  };
  const configs = { list: () => [{ spec: zone === undefined ? {} : { dns: { zone } } }] };
  listenToHostnames(
    { capps, configs } as unknown as Pick<BridgeWatched, 'capps' | 'configs'>,
    (key, cause, changed, kind) => calls.push([key, cause, changed?.metadata.name, kind].join(' ')),
  );
  tell({ type, initial, object: after, previous: before } as Change<Capp>);
  return calls;
}

const B = 'apps/b dependency a Capp';
const C = 'apps/c dependency a Capp';
const D = 'apps/d dependency a Capp';

test.each<[string, string[], string[]]>([
  ['created', rung(null, asking('a', 'x.example.com'), { type: 'Added' }), [B, C]],
  [
    'created with the whole name of a hostname without its zone',
    rung(null, asking('a', 'x.example.com.zone.io'), { type: 'Added', zone: 'Zone.io.' }),
    [B, C],
  ],
  [
    'created with a hostname without its zone',
    rung(null, asking('a', 'x.example'), { type: 'Added', zone: 'com' }),
    [B, C],
  ],
  ['created without a hostname', rung(null, asking('a', null), { type: 'Added' }), []],
  [
    'created with a hostname that no other Capp asks for',
    rung(null, asking('a', 'z.example.com'), { type: 'Added' }),
    [],
  ],
  [
    'in the first list of the watch',
    rung(null, asking('a', 'x.example.com'), { type: 'Added', initial: true }),
    [],
  ],
  ['edited without another hostname', rung(asking('a', 'x.example.com'), asking('a', 'X.example.com')), []],
  [
    'edited to ask for another hostname',
    rung(asking('a', 'x.example.com'), asking('a', 'y.example.com')),
    [B, C, D],
  ],
  [
    'being deleted and still has our finalizer',
    rung(asking('a', 'x.example.com'), going('a', 'x.example.com', [FINALIZER])),
    [],
  ],
  [
    'being deleted and has lost our finalizer, but not another one',
    rung(going('a', 'x.example.com', [FINALIZER]), going('a', 'x.example.com', ['a/b'])),
    [B, C],
  ],
  [
    'being deleted without our finalizer and edited to ask for another hostname',
    rung(going('a', 'x.example.com', ['a/b']), going('a', 'y.example.com', ['a/b'])),
    [],
  ],
  ['deleted', rung(asking('a', 'y.example.com'), asking('a', 'y.example.com'), { type: 'Deleted' }), [D]],
])('a Capp that is %s rings the Capps that its hostname concerns', (_name, calls, expected) => {
  expect(calls).toEqual(expected);
});
