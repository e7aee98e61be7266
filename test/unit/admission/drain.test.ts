// What admission does with a Drain: which names it accepts, which fields have no effect, and whom it records.
import { applied } from '../../../admission/patch.ts';
import { PATHS } from '../../../admission/router.ts';
import type { AdmissionRequest } from '../../../admission/request.ts';
import { LAST_UPDATED_BY, REQUESTED_BY } from '../../../crds/labels.ts';
import { asked, judged, known, said } from '../../support/builders/admission.ts';

const aDrain = (spec: object, metadata: object = {}) => ({
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'Drain',
  metadata: { name: 'site-1', ...metadata },
  spec,
});
const cluster = { namespace: '', name: 'site-1' };
const creation = (spec: object, given: Partial<AdmissionRequest> = {}): AdmissionRequest =>
  asked(aDrain(spec), null, { ...cluster, ...given });
const annotationsAfter = (request: AdmissionRequest): unknown =>
  (
    applied(request.object, judged(PATHS.mutateDrain, request).patches) as {
      metadata: { annotations?: object };
    }
  ).metadata.annotations;

describe('the mark of a Drain for one answer', () => {
  const ENDS = 'rcs.dana.io/ends-after';
  const marked = (spec: object) => ({
    ...(creation(spec).object as object),
    metadata: { name: 'site-1', annotations: { [ENDS]: '900' } },
  });

  it.each<[string, object, string | undefined]>([
    ['stays on a dry run', { dryRun: true }, '900'],
    ['is taken off what is made a drain, however that is written', { dryRun: false }, undefined],
    ['is taken off where dryRun is left out', {}, undefined],
  ])('%s', (_what, spec, expected) => {
    for (const before of [null, marked({ dryRun: true })])
      expect((annotationsAfter(asked(marked(spec), before)) as Record<string, string>)[ENDS]).toBe(expected);
  });
});

describe('a Drain', () => {
  it('named for a site is accepted', () => {
    expect(judged(PATHS.validateDrain, creation({ reason: 'new kernels' }))).toEqual({
      problems: [],
      patches: [],
      warnings: [],
    });
  });

  it.each([
    ['atlantis', '"atlantis" is no site'],
    ['', '"" is no site'],
    ['local-cluster', '"local-cluster" is the hub itself, which runs no Capps'],
  ])('named %j is refused with the list of sites', (name, what) => {
    expect(said(judged(PATHS.validateDrain, creation({}, { name })).problems)).toEqual([
      `metadata.name: ${what}: name the Drain as the site that it empties. Sites: site-1, site-2`,
    ]);
  });

  it('whose site no longer exists may still be changed', () => {
    const gone = { ...cluster, name: 'atlantis' };
    const change = asked(aDrain({ paused: true }), aDrain({ paused: false }), gone);
    expect(judged(PATHS.validateDrain, change).problems).toEqual([]);
  });

  it('with perTarget above its width gets a warning that this has no effect', () => {
    expect(judged(PATHS.validateDrain, creation({ width: 5, perTarget: 25 })).warnings).toEqual([
      'spec.perTarget 25 has no effect above spec.width 5: lower it, or raise spec.width.',
    ]);
    expect(judged(PATHS.validateDrain, creation({ width: 25, perTarget: 25 })).warnings).toEqual([]);
    expect(judged(PATHS.validateDrain, creation({ width: 'wide', perTarget: 25 })).warnings).toEqual([]);
  });
});

describe('the last site that is open', () => {
  const closed = (...sites: readonly string[]) => known({ draining: () => sites.map((site) => ({ site })) });
  const refusal = [
    'spec.dryRun: every other site is being drained (site-2), so no Capp could leave "site-1" and no new one would find a site: delete one of these Drains first (kubectl delete drain site-2), or only look, with spec.dryRun: true',
  ];
  const problemsOf = (request: AdmissionRequest, facts = closed('site-2')): string[] =>
    said(judged(PATHS.validateDrain, request, facts).problems);
  const edit = (before: object, after: object, metadata: object = {}): AdmissionRequest =>
    asked(aDrain(after, metadata), aDrain(before), cluster);

  it('is not closed by a Drain that is created, nor by a dry run that becomes a drain', () => {
    expect(problemsOf(creation({}))).toEqual(refusal);
    expect(problemsOf(creation({ dryRun: false }))).toEqual(refusal);
    expect(problemsOf(edit({ dryRun: true }, { dryRun: false }))).toEqual(refusal);
    expect(problemsOf(edit({ dryRun: true, rehearse: true }, {}))).toEqual(refusal);
  });

  it('may be looked at, and a drain that stands may be steered and become a dry run', () => {
    expect(problemsOf(creation({ dryRun: true }))).toEqual([]);
    expect(problemsOf(edit({ dryRun: true }, { dryRun: true, rehearse: true }))).toEqual([]);
    expect(problemsOf(edit({ dryRun: false, width: 5 }, { dryRun: false, width: 9 }))).toEqual([]);
    expect(problemsOf(edit({ dryRun: false }, { dryRun: true }))).toEqual([]);
  });

  it('is counted without the hub itself and without Drains of clusters that are no site', () => {
    expect(problemsOf(creation({}), closed('local-cluster'))).toEqual([]);
    expect(problemsOf(creation({}), closed('site-2', 'local-cluster'))).toEqual(refusal);
  });

  it('is counted without clusters that are being deleted, with a Drain or without', () => {
    const going = { name: 'site-2', isHub: false, mayPin: true, isGoing: true } as const;
    const sites = (...others: readonly object[]) =>
      known({
        sites: () => [{ name: 'site-1', isHub: false, mayPin: true }, going, ...(others as never[])],
        draining: () => [{ site: 'site-3' }],
      });
    expect(problemsOf(creation({}), sites())).toEqual([]);
    expect(problemsOf(creation({}), sites({ name: 'site-3', isHub: false, mayPin: true }))).toHaveLength(1);
  });

  it('is said to whoever only looks that it could not be drained', () => {
    const look = judged(PATHS.validateDrain, creation({ dryRun: true }), closed('site-2'));
    expect(look.problems).toEqual([]);
    expect(look.warnings).toEqual([
      expect.stringContaining('Without spec.dryRun this Drain is refused at present: every other site'),
    ]);
    expect(judged(PATHS.validateDrain, creation({ dryRun: true })).warnings).toEqual([]);
  });

  it('may be drained where it is the only site of the hub', () => {
    const sites = () => [
      { name: 'site-1', isHub: false, mayPin: true },
      { name: 'local-cluster', isHub: true, mayPin: false },
    ];
    expect(problemsOf(creation({}), known({ sites }))).toEqual([]);
  });

  it('may be drained by the hub worker, for a SIPCluster whose hosts are wiped', () => {
    const username = 'system:serviceaccount:cappstan-system:cappstan-hub';
    expect(problemsOf(creation({}, { username }))).toEqual([]);
    expect(problemsOf(creation({}, { username: `${username}:x` }))).toEqual(refusal);
  });

  it('is refused for what may never be stored only until the caches show that it is not there', () => {
    const facts = known({ draining: () => [{ site: 'site-2', isPending: true }] });
    expect(judged(PATHS.validateDrain, creation({}), facts).problems).toMatchObject([
      { fromCache: true, isPassing: true },
    ]);
    expect(judged(PATHS.validateDrain, creation({}), closed('site-2')).problems).toEqual([
      expect.not.objectContaining({ isPassing: true }),
    ]);
  });
});

describe('the record of who requested a drain', () => {
  it('is written when the Drain is created, even if the request contains another user', () => {
    expect(annotationsAfter(creation({}))).toEqual({ [REQUESTED_BY]: 'alice' });
    const forged = {
      annotations: { [REQUESTED_BY]: 'mallory', [LAST_UPDATED_BY]: 'mallory', other: 'stays' },
    };
    expect(annotationsAfter(asked(aDrain({}, forged), null, cluster))).toEqual({
      [REQUESTED_BY]: 'alice',
      other: 'stays',
    });
  });

  it('stays when another user changes the Drain, who is recorded in last-updated-by', () => {
    const before = aDrain({ width: 5 }, { annotations: { [REQUESTED_BY]: 'alice' } });
    const change = (metadata: object, spec: object): AdmissionRequest =>
      asked(aDrain(spec, metadata), before, { ...cluster, username: 'bob' });
    const both = { [REQUESTED_BY]: 'alice', [LAST_UPDATED_BY]: 'bob' };
    expect(annotationsAfter(change(before.metadata, { width: 6 }))).toEqual(both);
    expect(annotationsAfter(change({}, { width: 6 }))).toEqual(both);
    expect(annotationsAfter(change({ annotations: { [REQUESTED_BY]: 'bob' } }, { width: 6 }))).toEqual(both);
  });

  it('cannot be changed by a request that leaves the spec unchanged', () => {
    const annotations = { [REQUESTED_BY]: 'alice', [LAST_UPDATED_BY]: 'carol' };
    const before = aDrain({}, { annotations });
    const after = aDrain({}, { annotations: { [REQUESTED_BY]: 'bob', [LAST_UPDATED_BY]: 'bob' } });
    expect(annotationsAfter(asked(after, before, { ...cluster, username: 'bob' }))).toEqual(annotations);
  });

  it.each([[null], ['text'], [{}], [{ metadata: null }], [{ metadata: { annotations: 7 } }]])(
    'is attempted without an exception for a malformed object: %j',
    (object) => {
      for (const path of [PATHS.mutateDrain, PATHS.validateDrain])
        expect(() => judged(path, asked(object, null, cluster))).not.toThrow();
    },
  );
});
