// A hostname that is asked for or given up rings those who ask for it as well, and nobody else.
import { listenToHostnames } from '../../../bridge/changes/hostnames.ts';
import type { Watched } from '../../../bridge/changes/watched.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { hostnameOf } from '../../../crds/capp/hostname.ts';
import { FINALIZER } from '../../../crds/labels.ts';
import type { Change } from '../../../kube/watch/store.ts';
import { aCapp } from '../../support/builders/capps.ts';

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

/** Who is rung for by a change of Capp `a`. */
function rung(
  before: Capp | null,
  after: Capp,
  { type = 'Modified', initial = false }: Partial<Event> = {},
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
  listenToHostnames({ capps } as unknown as Pick<Watched, 'capps'>, (key, cause, changed, kind) =>
    calls.push([key, cause, changed?.metadata.name, kind].join(' ')),
  );
  tell({ type, initial, object: after, previous: before } as Change<Capp>);
  return calls;
}

const B = 'apps/b dependency a Capp';
const C = 'apps/c dependency a Capp';
const D = 'apps/d dependency a Capp';

test.each<[string, string[], string[]]>([
  ['made', rung(null, asking('a', 'x.example.com'), { type: 'Added' }), [B, C]],
  ['made without a hostname', rung(null, asking('a', null), { type: 'Added' }), []],
  ['made with a hostname of its own', rung(null, asking('a', 'z.example.com'), { type: 'Added' }), []],
  ['there from the start', rung(null, asking('a', 'x.example.com'), { type: 'Added', initial: true }), []],
  ['changed otherwise', rung(asking('a', 'x.example.com'), asking('a', 'X.example.com')), []],
  ['given another hostname', rung(asking('a', 'x.example.com'), asking('a', 'y.example.com')), [B, C, D]],
  [
    'being deleted, and has works',
    rung(asking('a', 'x.example.com'), going('a', 'x.example.com', [FINALIZER])),
    [],
  ],
  [
    'being deleted, has no works any more, and is held by others',
    rung(going('a', 'x.example.com', [FINALIZER]), going('a', 'x.example.com', ['a/b'])),
    [B, C],
  ],
  [
    'being deleted, held by others, and asks for a hostname',
    rung(going('a', 'x.example.com', ['a/b']), going('a', 'y.example.com', ['a/b'])),
    [],
  ],
  ['deleted', rung(asking('a', 'y.example.com'), asking('a', 'y.example.com'), { type: 'Deleted' }), [D]],
])('a Capp that is %s', (_name, calls, expected) => {
  expect(calls).toEqual(expected);
});
