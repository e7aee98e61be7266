// A rollback by annotation becomes an edit of the user's own: the spec of the revision, or a refusal that
// says what to do.
import type { HubKnowledge } from '../../../admission/known.ts';
import { applied } from '../../../admission/patch.ts';
import { PATHS } from '../../../admission/router.ts';
import { CAPP_REVISION } from '../../../crds/capp-revision.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { LAST_UPDATED_BY, requestedBy, ROLLBACK } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { earlierFor } from '../../../workers/webhook/earlier.ts';
import { asked, judged, known, raw, said } from '../../support/builders/admission.ts';

const OLD = (raw({ scaleMetric: 'rps' }) as { spec: object }).spec;
const annotated = (value: string, spec: object = {}) =>
  raw(spec, { uid: 'u', annotations: { [ROLLBACK]: value } });
const before = raw({}, { uid: 'u', annotations: { [LAST_UPDATED_BY]: 'bob' } });
const there = known({ earlier: { is: 'there', spec: OLD, isHeld: false } });

const judge = (object: unknown, facts: HubKnowledge = there, given = {}) =>
  judged(PATHS.mutateCapp, asked(object, before, given), facts);

test('the spec of the revision is part of the same write, which is the user’s own', () => {
  const object = annotated('3#a');
  const { problems, patches } = judge(object);
  expect(problems).toEqual([]);
  expect(applied(object, patches)).toMatchObject({
    spec: OLD,
    metadata: { annotations: { [LAST_UPDATED_BY]: 'alice', [requestedBy(ROLLBACK)]: 'alice' } },
  });
});

test('a request that stays while the spec is edited changes nothing', () => {
  const object = annotated('3#a', { scaleMetric: 'cpu' });
  const { patches } = judged(PATHS.mutateCapp, asked(object, annotated('3#a')), there);
  expect(patches.filter(({ path }) => path.startsWith('/spec'))).toEqual([]);
});

test('asked again after another webhook has changed what we put there, nothing is undone', () => {
  const facts = known({ earlier: { is: 'there', spec: OLD, isHeld: true } });
  const { problems, patches } = judge(annotated('3#a', { scaleMetric: 'rps', sidecar: true }), facts);
  expect(problems).toEqual([]);
  expect(patches.filter(({ path }) => path.startsWith('/spec'))).toEqual([]);
});

test('a new Capp, such as one from a backup, has no history: the request is taken off', () => {
  const object = annotated('3#a');
  const { problems, patches } = judged(PATHS.mutateCapp, asked(object), known({}));
  expect(problems).toEqual([]);
  expect(JSON.stringify(applied(object, patches))).not.toContain(`"${ROLLBACK}"`);
});

test('the Capp of a set goes back with its set alone: nobody could tell what was put right by hand', () => {
  const { apiVersion, kind } = CAPP_SET;
  const ownerReferences = [{ apiVersion, kind, name: 'shop', uid: 's', controller: true }];
  const object = raw({}, { uid: 'u', annotations: { [ROLLBACK]: '3#a' }, ownerReferences });
  const { problems, patches } = judge(object);
  expect(said(problems).join()).toMatch(/CappSet shop.+kubectl capp rollout undo shop -n apps/);
  expect(patches.filter(({ path }) => path.startsWith('/spec'))).toEqual([]);
});

test.each<[string, object, HubKnowledge, RegExp]>([
  ['no number', annotated('#a'), there, /not of the form <number>#<id> <reason>/],
  ['no id', annotated('3'), there, /not of the form/],
  [
    'a revision that is not there',
    annotated('3#a'),
    known({ earlier: { is: 'missing' } }),
    /no revision 3.+kubectl get capprevisions -n apps -l .+=app/,
  ],
  [
    'a revision that cannot be read',
    annotated('3#a'),
    known({ earlier: { is: 'unread' } }),
    /could not be read: try again/,
  ],
  [
    'the spec that is there',
    annotated('3#a', { scaleMetric: 'rps' }),
    there,
    /changes spec to something else/,
  ],
  ['another edit as well', annotated('3#a', { scaleMetric: 'cpu' }), there, /one after the other/],
  [
    'the same spec',
    annotated('3#a'),
    known({ earlier: { is: 'there', spec: (before as { spec: object }).spec, isHeld: true } }),
    /that of revision 3 already/,
  ],
])('%s is refused, with what to do', (_, object, facts, expected) => {
  const [problem = '', ...more] = said([...judge(object, facts).problems]);
  expect(more).toEqual([]);
  expect(problem).toMatch(/^metadata\.annotations\[rcs\.dana\.io\/rollback\]: /);
  expect(problem).toMatch(expected);
});

describe('the one read', () => {
  const revision = (uid: string) => ({
    metadata: { name: 'app-00003', ownerReferences: [{ kind: 'Capp', name: 'app', uid }] },
    spec: { revisionNumber: 3, cappTemplate: { cappSpec: OLD, labels: {}, annotations: {} } },
  });
  const reading = (found: object | null) => {
    const keys: unknown[] = [];
    const get = async (resource: unknown, key: unknown) => {
      keys.push([resource, key]);
      return found;
    };
    return { kube: { get } as unknown as Kube, keys };
  };
  const ask = (kube: Kube, object: unknown, path: string = PATHS.mutateCapp) =>
    earlierFor(kube, path, asked(object, before));

  it('is of the revision of that number, and says whether the request has its spec', async () => {
    const { kube, keys } = reading(revision('u'));
    expect(await ask(kube, annotated('3#a'))).toEqual({ is: 'there', spec: OLD, isHeld: false });
    expect(keys).toEqual([[CAPP_REVISION, { namespace: 'apps', name: 'app-00003' }]]);
    expect(await ask(kube, annotated('3#a', { scaleMetric: 'rps' }))).toMatchObject({ isHeld: true });
  });

  it('takes no revision of an earlier Capp of the same name', async () => {
    expect(await ask(reading(revision('older')).kube, annotated('3#a'))).toEqual({ is: 'missing' });
    expect(await ask(reading(null).kube, annotated('3#a'))).toEqual({ is: 'missing' });
  });

  it('is not made for any other request', async () => {
    const { kube, keys } = reading(revision('u'));
    expect(await ask(kube, raw({ scaleMetric: 'cpu' }, { uid: 'u' }))).toBeUndefined();
    expect(await ask(kube, annotated('nonsense'))).toBeUndefined();
    expect(await ask(kube, annotated('3#a'), PATHS.validateCapp)).toBeUndefined();
    expect(await earlierFor(kube, PATHS.mutateCapp, asked(annotated('3#a')))).toBeUndefined();
    const unchanged = asked(annotated('3#a', { scaleMetric: 'cpu' }), annotated('3#a'));
    expect(await earlierFor(kube, PATHS.mutateCapp, unchanged)).toBeUndefined();
    expect(keys).toEqual([]);
  });

  it('that fails is a refusal to try again, not a webhook that does not answer', async () => {
    const kube = { get: () => Promise.reject(new Error('silence')) } as unknown as Kube;
    expect(await ask(kube, annotated('3#a'))).toEqual({ is: 'unread' });
  });
});
