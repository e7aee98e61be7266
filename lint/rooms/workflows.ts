// What workflows and their decisions may import.
import type { Room } from './room.ts';

/** Pure functions: no clock, no server, no package. */
const PURE = { packages: [], types: ['crds'] } as const;

/** What the decisions of a Capp's workflow may import. */
const CAPP_DECISIONS = [
  'workflows/types',
  'workflows/placement',
  'workflows/capp/decide',
  'workflows/capp/after',
  'workflows/capp/moving',
  'workflows/capp/conditions',
];

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
  'workflows/capp/decide': { ...PURE, imports: CAPP_DECISIONS, types: ['crds', 'workflows'] },
  'workflows/capp/after': { ...PURE, imports: CAPP_DECISIONS, types: ['crds', 'workflows'] },
  'workflows/capp/moving': { ...PURE, imports: CAPP_DECISIONS, types: ['crds', 'workflows'] },
  'workflows/capp/conditions': { ...PURE, imports: CAPP_DECISIONS, types: ['crds', 'workflows'] },
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
  'workflows/identity': { imports: ['workflows'], packages: ['@temporalio/common'] },
  'workflows/score': { imports: ['workflows'], packages: ['@temporalio/common'] },
  'workflows/score/decide': { ...PURE, types: ['workflows/score'] },
  'workflows/stages': {
    ...PURE,
    imports: ['workflows/stages', 'crds/kubernetes/label-selector'],
    types: ['crds'],
  },
  'workflows/stages/plan': { ...PURE, imports: ['workflows/stages'], types: ['crds'] },
  'workflows/site': { imports: ['workflows'], packages: ['@temporalio/common', '@temporalio/workflow'] },
};
