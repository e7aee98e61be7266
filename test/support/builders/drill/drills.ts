// Builders of drills: what a test does not say is the plainest thing that is so.
import { DRILL_CHECKS } from '../../../../crds/drain/drill-bounds.ts';
import type { Rehearsal } from '../../../../crds/drain/rehearsal.ts';
import type { DrainReport } from '../../../../workflows/drain/object.ts';
import type { DrillAsked, DrillCapp, PodNeeds } from '../../../../workflows/drill/port.ts';
import type { Inspected, InspectQuestion } from '../../../../workflows/types/inspection.ts';

export const GIB = 2 ** 30;

/** One pod of half a core and a gibibyte. */
export function someNeeds(plain: Partial<PodNeeds> = {}): PodNeeds {
  return {
    pods: 1,
    cpu: 500,
    memory: GIB,
    limitCpu: 0,
    limitMemory: 0,
    images: ['ghcr.io/shop/app:v1'],
    kinds: ['Service'],
    ...plain,
  };
}

/** Would go to site-2, and nothing speaks against it. */
export function aDrillCapp(name: string, plain: Partial<DrillCapp> = {}): DrillCapp {
  return {
    namespace: 'apps',
    name,
    priority: 0,
    to: 'site-2',
    why: { reason: 'Asked', message: 'A drain asks.' },
    needs: someNeeds(),
    objection: null,
    lacks: null,
    ...plain,
  };
}

/** A site with one node, where the image of `someNeeds` is. */
export function anInspection(plain: Partial<Inspected> = {}): Inspected {
  return {
    nodes: [{ cpu: 4_000, memory: 8 * GIB, pods: 100 }],
    moreNodes: 0,
    quotas: [],
    areAllQuotas: true,
    images: ['OnNode'],
    absent: [],
    ...plain,
  };
}

export function aQuestion(plain: Partial<InspectQuestion> = {}): InspectQuestion {
  return {
    namespaces: ['apps'],
    images: ['ghcr.io/shop/app:v1'],
    kinds: ['Service'],
    wantsNodes: true,
    ...plain,
  };
}

/** One Capp was looked at, and is fine. */
export function aRehearsal(plain: Partial<Rehearsal> = {}): Rehearsal {
  return {
    observedGeneration: 1,
    rehearsedAt: '2026-03-01T12:00:00.000Z',
    capps: 1,
    leftOut: 0,
    ready: 1,
    failed: 0,
    unknown: 0,
    checks: DRILL_CHECKS.map((check) => ({ check, passed: 1, failed: 0, unknown: 0 })),
    sites: [{ site: 'site-2', capps: 1, message: '4 cores are free.' }],
    findings: [],
    ...plain,
  };
}

/** What the workflow `turns` reports of a Drain that is only to be planned: one Capp would go to site-2. */
export function aPlannedReport({ uid, generation }: DrillAsked): DrainReport {
  const account = {
    countedSince: null,
    waiting: 1,
    underWay: 0,
    moved: 0,
    targets: { 'site-2': 1 },
    going: [{ capp: 'apps/app', to: 'site-2' }],
    stayed: {},
    named: [],
  };
  return { uid, at: Date.now(), generation, phase: 'Planned', account };
}
