// What workflows and their decisions may import.
import type { Room } from './room.ts';

/** Pure functions: no clock, no server, no package. */
const PURE = { packages: [], types: ['crds'] } as const;

/** What every room of a Capp's decisions may import. */
const CAPP = { packages: [], types: ['crds', 'workflows'] } as const;

export const WORKFLOWS: Readonly<Record<string, Room>> = {
  workflows: { imports: ['workflows'], types: ['crds'], packages: ['@temporalio/workflow'] },
  'workflows/engine': { imports: ['workflows'], packages: ['@temporalio/common', '@temporalio/workflow'] },
  'workflows/types': PURE,
  'workflows/ports': { ...PURE, types: ['crds', 'workflows'] },
  // Which sites a selector selects is the same question everywhere.
  'workflows/placement': {
    ...PURE,
    imports: ['workflows/types', 'crds/kubernetes/label-selector'],
    types: ['crds', 'workflows/capp'],
  },
  'workflows/parse': { imports: ['workflows'], types: ['crds'], packages: ['@temporalio/common'] },
  'workflows/capp': { imports: ['workflows'], types: ['crds'], packages: ['@temporalio/common'] },
  'workflows/capp/steps': { imports: ['workflows'] },
  // Arrows go down alone. The next step and what changes the state rest on the same facts; neither knows the
  // other.
  'workflows/capp/next': { ...CAPP, imports: ['workflows/types', 'workflows/capp/facts'] },
  'workflows/capp/after': {
    ...CAPP,
    imports: [
      'workflows/types',
      'workflows/capp/facts',
      'workflows/capp/conditions',
      'workflows/capp/after/moving',
    ],
  },
  'workflows/capp/after/moving': {
    ...CAPP,
    imports: ['workflows/types', 'workflows/capp/facts', 'workflows/capp/after/copies'],
  },
  'workflows/capp/conditions': {
    ...CAPP,
    imports: ['workflows/types', 'workflows/placement', 'workflows/capp/facts'],
  },
  'workflows/capp/facts': { ...CAPP, imports: ['workflows/types'] },
  'workflows/fleet': { imports: ['workflows'], types: ['crds'], packages: ['@temporalio/common'] },
  'workflows/drain': {
    imports: ['workflows'],
    types: ['crds'],
    packages: ['@temporalio/common', '@temporalio/workflow'],
  },
  'workflows/drain/decide': {
    ...PURE,
    imports: ['workflows/types', 'workflows/placement', 'workflows/names', 'workflows/drain/residents'],
    types: ['crds', 'workflows'],
  },
  'workflows/drill': { imports: ['workflows', 'crds/drain/drill-bounds'], types: ['crds'] },
  'workflows/drill/decide': {
    ...PURE,
    imports: ['workflows/types', 'crds/drain/drill-bounds'],
    types: ['crds', 'workflows'],
  },
  'workflows/join': { imports: ['workflows'], types: ['crds'], packages: ['@temporalio/common'] },
  'workflows/metal': { imports: ['workflows'], types: ['crds'], packages: ['@temporalio/common'] },
  'workflows/metal/chain': { imports: ['workflows/types/clock'], types: ['workflows/join', 'crds'] },
  'workflows/metal/plan': {
    ...PURE,
    imports: ['workflows/metal/plan', 'crds/kubernetes/label-selector'],
    types: ['crds'],
  },
  'workflows/identity': { imports: ['workflows'], packages: ['@temporalio/common'] },
  'workflows/score': { imports: ['workflows'], packages: ['@temporalio/common'] },
  'workflows/score/decide': { ...PURE, types: ['workflows/score'] },
  'workflows/stages': {
    ...PURE,
    imports: [
      'workflows/stages',
      'workflows/types/clock',
      'workflows/types/fnv',
      'crds/kubernetes/label-selector',
    ],
    types: ['crds'],
  },
  'workflows/stages/plan': {
    ...PURE,
    imports: ['workflows/stages', 'workflows/types/clock'],
    types: ['crds'],
  },
  'workflows/site': { imports: ['workflows'], packages: ['@temporalio/common', '@temporalio/workflow'] },
};
