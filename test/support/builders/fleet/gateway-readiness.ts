// Objects of the kinds of Gateway API, and what their rule says of them. Their statuses are written by the
// text of that API: no controller of it runs in these tests.
import { on, type Case } from './workload-readiness.ts';

const now = (type: string, status: string, reason = '', message = '') => ({
  ...on(type, status, reason, message),
  observedGeneration: 2,
});
const before = (type: string, status: string) => ({ ...on(type, status), observedGeneration: 1 });
const accepted = {
  parentRef: { name: 'a' },
  conditions: [now('Accepted', 'True'), now('ResolvedRefs', 'True')],
};
const former = { parentRef: { name: 'b' }, conditions: [before('Accepted', 'False')] };
const NONE =
  'Waits: no Gateway has accepted it. Correct spec.parentRefs, or ship that Gateway, or write a rule for it in spec.ready';

const ROUTE: readonly Case[] = [
  ['its Gateway has accepted it', { status: { parents: [accepted] } }, 'Ready'],
  ['nobody has answered', {}, NONE],
  ['its Gateway has not seen the edit', { status: { parents: [former] } }, NONE],
  ['a former Gateway had refused it', { status: { parents: [former, accepted] } }, 'Ready'],
  [
    'one of its Gateways refuses it',
    {
      status: {
        parents: [
          accepted,
          { parentRef: { name: 'c' }, conditions: [now('Accepted', 'False', 'NotAllowedByListeners', 'no')] },
        ],
      },
    },
    'Waits: NotAllowedByListeners: no',
  ],
  [
    'its backend is missing',
    {
      status: {
        parents: [
          {
            parentRef: { name: 'a' },
            conditions: [now('Accepted', 'True'), now('ResolvedRefs', 'False', 'BackendNotFound', 'no b')],
          },
        ],
      },
    },
    'Waits: BackendNotFound: no b',
  ],
];

export const GATEWAYS: Readonly<Record<string, readonly Case[]>> = {
  'gateway.networking.k8s.io/v1/Gateway': [
    [
      'it is programmed',
      { status: { conditions: [now('Accepted', 'True'), now('Programmed', 'True')] } },
      'Ready',
    ],
    [
      'it is not programmed',
      {
        status: {
          conditions: [now('Accepted', 'True'), now('Programmed', 'False', 'AddressNotAssigned', 'none')],
        },
      },
      'Waits: AddressNotAssigned: none',
    ],
    [
      'no controller has taken it',
      { status: { conditions: [on('Accepted', 'Unknown', 'Pending', 'Waiting for controller')] } },
      'Waits: Pending: Waiting for controller',
    ],
    [
      'it was programmed before the edit',
      { status: { conditions: [before('Accepted', 'True'), before('Programmed', 'True')] } },
      'Waits',
    ],
    [
      'an earlier version of its API says Ready',
      { status: { conditions: [on('Ready', 'False', 'Pending', 'soon')] } },
      'Waits: Pending: soon',
    ],
  ],
  'gateway.networking.k8s.io/v1/GatewayClass': [
    ['it is accepted', { status: { conditions: [now('Accepted', 'True')] } }, 'Ready'],
    [
      'its parameters are wrong',
      { status: { conditions: [now('Accepted', 'False', 'InvalidParameters', 'no')] } },
      'Waits: InvalidParameters: no',
    ],
  ],
  'gateway.networking.k8s.io/v1/HTTPRoute': ROUTE,
  'gateway.networking.k8s.io/v1/GRPCRoute': ROUTE.slice(0, 2),
};
